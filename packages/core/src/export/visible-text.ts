/** Control characters except tab and line ends, lone surrogates, and bidirectional marks. */
const MISLEADING = /(?![\t\n\r])[\p{Cc}\p{Cs}\u202a-\u202e\u2066-\u2069]/gu;

/**
 * The same, plus characters without width or like a line end. Joiners (U+200C, U+200D) and variation selectors are
 * kept: emoji and several scripts need them.
 */
const INVISIBLE =
  /(?![\t\n\r\p{Join_Control}]|[\ufe00-\ufe0f])[\p{Cc}\p{Cs}\p{Default_Ignorable_Code_Point}\u2028\u2029]/gu;

/** Replaces bidirectional marks and control characters by visible symbols; lone surrogates become U+FFFD. */
export function visibleText(text: string): string {
  return text.replace(MISLEADING, sign);
}

/** Like `visibleText`, but also replaces characters without width: for code, names and paths. */
export function visibleCode(text: string): string {
  return text.replace(INVISIBLE, sign);
}

function sign(character: string): string {
  const point = character.codePointAt(0) ?? 0;
  if (point >= 0xd800 && point <= 0xdfff) return "\ufffd";
  // Unicode has symbols for ASCII control characters.
  if (point < 0x20) return String.fromCharCode(0x2400 + point);
  if (point === 0x7f) return "\u2421";
  return `⟦U+${point.toString(16).toUpperCase().padStart(4, "0")}⟧`;
}
