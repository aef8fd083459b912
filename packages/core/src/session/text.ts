/** Truncates a text to `limit` UTF-16 units without splitting a surrogate pair. */
export function cut(text: string, limit: number): string {
  if (text.length <= limit) return text;
  const last = text.charCodeAt(limit - 1);
  const splitsPair = last >= 0xd800 && last <= 0xdbff;
  return text.slice(0, splitsPair ? limit - 1 : limit);
}

/** Cuts a text to at most `limit` characters, as it is and as a JSON string, which may be six times as long. */
export function cutToJson(text: string, limit: number): string {
  let fitting = cut(text, Math.max(0, limit));
  for (;;) {
    const length = JSON.stringify(fitting).length - 2;
    if (length <= Math.max(0, limit)) return fitting;
    fitting = cut(fitting, Math.min(fitting.length - 1, Math.floor((fitting.length * limit) / length)));
  }
}

/** White space other than a single space. */
const WIDE_SPACE = /[^\S ]\s*| \s+/g;

/** Reduces a text to one line of at most `limit` UTF-16 units. */
export function oneLine(text: string, limit: number): string {
  // Only the beginning is processed: a message may have megabytes.
  const beginning = inOneLine(text.slice(0, limit * 2));
  return cut(beginning.length > limit ? beginning : inOneLine(text.slice(0, limit * 8)), limit);
}

function inOneLine(text: string): string {
  return text.replace(WIDE_SPACE, " ").trim();
}
