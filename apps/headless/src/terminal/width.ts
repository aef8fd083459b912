/** A range `[start, end]` of UTF-16 offsets. */
export type Range = [start: number, end: number];

interface Character {
  text: string;
  start: number;
  width: number;
}

let segmenter: Intl.Segmenter | null = null;

const ASCII = /^[\x20-\x7e]*$/;

/** Emoji, and the ranges of Unicode's EastAsianWidth.txt that are wide or full-width. */
const WIDE =
  /\p{Emoji_Presentation}|\ufe0f|[\u1100-\u115f\u2e80-\u303e\u3041-\u33ff\u3400-\u4dbf\u4e00-\u9fff\ua000-\ua4cf\ua960-\ua97f\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff01-\uff60\uffe0-\uffe6\u{16fe0}-\u{1b2ff}\u{1f200}-\u{1f2ff}\u{20000}-\u{3fffd}]/u;

const WITHOUT_WIDTH = /^[\p{Mn}\p{Me}\u200c\u200d]+$/u;

/** Width of a visible line in terminal columns. */
export function displayWidth(text: string): number {
  if (ASCII.test(text)) return text.length;
  let width = 0;
  for (const character of characters(text)) width += character.width;
  return width;
}

/** Truncates a line to a width; the last column is `…` if text is omitted. */
export function cutToWidth(text: string, columns: number): string {
  if (displayWidth(text) <= columns) return text;
  let used = 0;
  for (const { start, width } of characters(text)) {
    if (used + width > columns - 1) return `${text.slice(0, start)}…`;
    used += width;
  }
  return text;
}

/** Wraps a line at a width, at spaces if possible, and around wide characters, which are written without spaces. */
export function wrap(text: string, columns: number): Range[] {
  const lines: Range[] = [];
  let start = 0;
  let used = 0;
  // The last possible line break, and the width up to it.
  let border = 0;
  let usedAtBorder = 0;
  const allowBreak = (at: number): void => {
    border = at;
    usedAtBorder = used;
  };
  for (const character of characters(text)) {
    if (character.width === 2) allowBreak(character.start);
    // A space may exceed the width.
    if (used + character.width > columns && character.text !== " ") {
      if (border === start) allowBreak(character.start);
      if (border > start) lines.push([start, border]);
      start = border;
      used -= usedAtBorder;
    }
    used += character.width;
    if (character.width === 2 || character.text === " ") allowBreak(character.start + character.text.length);
  }
  if (start < text.length) lines.push([start, text.length]);
  return lines;
}

function* characters(text: string): Generator<Character> {
  // Created on demand: takes 8 ms, which would delay the start of a server.
  segmenter ??= new Intl.Segmenter(undefined, { granularity: "grapheme" });
  for (const { segment, index } of segmenter.segment(text)) {
    const width = WIDE.test(segment) ? 2 : WITHOUT_WIDTH.test(segment) ? 0 : 1;
    yield { text: segment, start: index, width };
  }
}
