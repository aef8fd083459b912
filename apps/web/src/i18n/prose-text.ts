/** UTF-16 offsets `[start, end]` into a text. */
type TextRange = readonly [start: number, end: number];

/**
 * What Markdown writes around text, in a text of one line. It may have been cut out of a longer one: what is missing at
 * an end stood behind the `…` there.
 */
const MARKUP =
  /(?<code>(?<ticks>`{1,2})(?!`)(?<body>.*?[^`])\k<ticks>(?!`))|(?<fence>`{3,}[\w+#.-]*)|(?<link>!?\[(?<label>[^[\]]*)\]\([^()\s]*(?:\s"[^"]*")?\))|(?<heading>(?<![^\s…])(?:#{2,6}|(?<=^…?)#)\s+)|(?<quote>(?<=^…?)(?:>\s*)+)|(?<rule>(?<![^\s…])\|(?:\s*:?-{2,}:?\s*(?:\||(?=…$)))+\s*)|(?<bar>(?<![^\s…])\|(?:\s+|$|(?=…)))|(?<mark>\*{1,3}|_{1,3}|~~)/gu;

const SPACE = /[\s…]/u;
const LETTER = /[\p{L}\p{N}]/u;

/** A sign that begins or ends what it emphasises. */
interface Emphasis {
  sign: string;
  range: TextRange;
}

/** Finds what a reader of Markdown would not see in a text of one line. Sorted, without overlaps. */
export function markupIn(text: string): TextRange[] {
  const ranges: TextRange[] = [];
  const open: Emphasis[] = [];
  const bars: TextRange[] = [];
  let hasTable = false;
  for (const { index: start, 0: whole, groups = {} } of text.matchAll(MARKUP)) {
    const end = start + whole.length;
    const { ticks, label, mark, rule, bar } = groups;
    if (rule !== undefined) hasTable = true;
    if (ticks !== undefined) ranges.push([start, start + ticks.length], [end - ticks.length, end]);
    else if (label !== undefined) {
      const from = start + whole.indexOf("[") + 1;
      ranges.push([start, from], [from + label.length, end]);
    } else if (bar !== undefined) bars.push([start, end]);
    else if (mark === undefined) ranges.push([start, end]);
    else {
      const before = text[start - 1] ?? " ";
      const after = text[end] ?? " ";
      // Between letters, `_` belongs to a name, and `*` is a sign of arithmetic or of a pattern.
      const isBetween = LETTER.test(before) && LETTER.test(after);
      const opens = !isBetween && !SPACE.test(after);
      const closes = !isBetween && !SPACE.test(before);
      const opener = closes ? open.findLastIndex(({ sign }) => sign === mark) : -1;
      if (opener >= 0) {
        const [found] = open.splice(opener);
        if (found !== undefined) ranges.push(found.range, [start, end]);
      } else if (opens && !LETTER.test(before)) open.push({ sign: mark, range: [start, end] });
      else if (closes && text.startsWith("…") && mark.length > 1) ranges.push([start, end]);
    }
  }
  // Elsewhere a bar is one of a pipe or of a choice.
  if (hasTable) ranges.push(...bars);
  if (text.endsWith("…")) ranges.push(...open.filter(({ sign }) => sign.length > 1).map(({ range }) => range));
  return ranges.sort(([a], [b]) => a - b);
}

/** The text of a line of Markdown, without what stands around it. */
export function proseText(text: string): string {
  return without(text, markupIn(text));
}

/** The same of what a person has typed, where underscores belong to names: `__init__.py`. */
export function promptText(text: string): string {
  const ranges = markupIn(text).filter(([start]) => text[start] !== "_");
  return without(text, ranges).trim();
}

function without(text: string, ranges: readonly TextRange[]): string {
  let shown = "";
  let at = 0;
  for (const [start, end] of ranges) {
    shown += text.slice(at, start);
    at = end;
  }
  return shown + text.slice(at);
}
