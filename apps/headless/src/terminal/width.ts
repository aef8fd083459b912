import { eastAsianWidth } from "get-east-asian-width";

// string-width gives the same widths, which a test compares, but takes 50 ms for the first text that is not ASCII, and
// this takes 10. wrap-ansi is built on it, and gives texts instead of ranges.

/** A range `[start, end]` of UTF-16 offsets. */
export type Range = [start: number, end: number];

interface Character {
  text: string;
  start: number;
  width: number;
  /** Wide characters are written without spaces. */
  isWide: boolean;
}

let segmenter: Intl.Segmenter | null = null;

const ASCII = /^[\x20-\x7e]*$/;

/** Sequences shown as one emoji, whatever their first character. Other emoji are wide characters. */
const EMOJI_SEQUENCE = /.\ufe0f|\p{Emoji_Modifier}|^[\d#*]\u20e3|^\p{Regional_Indicator}{2}/u;

const WITHOUT_WIDTH = /[\p{Default_Ignorable_Code_Point}\p{Cc}\p{Cf}\p{Mn}\p{Me}\p{Cs}]/u;

/** Characters that have a width within a grapheme too. */
const SPACING = /[\p{Mc}\uff00-\uffef]/u;

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
    if (character.isWide) allowBreak(character.start);
    // A space may exceed the width.
    if (used + character.width > columns && character.text !== " ") {
      if (border === start) allowBreak(character.start);
      if (border > start) lines.push([start, border]);
      start = border;
      used -= usedAtBorder;
    }
    used += character.width;
    if (character.isWide || character.text === " ") allowBreak(character.start + character.text.length);
  }
  if (start < text.length) lines.push([start, text.length]);
  return lines;
}

function* characters(text: string): Generator<Character> {
  // Created on demand: takes 8 ms, which would delay the start of a server.
  segmenter ??= new Intl.Segmenter(undefined, { granularity: "grapheme" });
  for (const { segment, index } of segmenter.segment(text)) yield { text: segment, start: index, ...measure(segment) };
}

function measure(grapheme: string): { width: number; isWide: boolean } {
  if (ASCII.test(grapheme)) return { width: 1, isWide: false };
  const [first, ...others] = [...grapheme].filter((character) => !WITHOUT_WIDTH.test(character)).map(codePoint);
  if (first === undefined) return { width: 0, isWide: false };
  if (grapheme.length > 1 && EMOJI_SEQUENCE.test(grapheme)) return { width: 2, isWide: true };
  const base = eastAsianWidth(first);
  const spacing = others.filter((code) => SPACING.test(String.fromCodePoint(code)));
  return { width: spacing.reduce((width, code) => width + eastAsianWidth(code), base), isWide: base === 2 };
}

function codePoint(character: string): number {
  return character.codePointAt(0) ?? 0;
}
