/** Reports that `text.slice(start, end)` is to be replaced. Reports may overlap: all that is in any of them goes. */
export type Report = (start: number, end: number, type: string) => void;

/** Looks for one kind of secret. Its time is in proportion to the text, whatever the text is. */
export type Detector = (text: string, report: Report) => void;

/** Gives each match of a global pattern. `matchAll` would copy the pattern first, which takes longer than most texts. */
export function eachMatch(pattern: RegExp, text: string, take: (match: RegExpExecArray) => void): void {
  pattern.lastIndex = 0;
  for (let match = pattern.exec(text); match !== null; match = pattern.exec(text)) take(match);
}

/** What a word may begin behind though it ends with a letter: an escape of JSON or an address, a terminal's colour. */
const ESCAPE = /(?:\\(?:[bfnrt]|u[\dA-Fa-f]{4}|x[\dA-Fa-f]{2})|%[\dA-Fa-f]{2}|\[[\d;]{0,16}m)$/;
const MAX_ESCAPE_LENGTH = 18;

/**
 * Whether a word can begin at a place of a text. A placeholder counts as a letter, so that a second redaction sees the
 * same words as the first.
 */
export function beginsWord(text: string, at: number): boolean {
  if (at === 0 || !isWordEnd(text.charCodeAt(at - 1))) return true;
  return ESCAPE.test(text.slice(Math.max(0, at - MAX_ESCAPE_LENGTH), at));
}

function isWordEnd(code: number): boolean {
  return (
    (code >= 0x30 && code <= 0x39) || (code >= 0x41 && code <= 0x5a) || (code >= 0x61 && code <= 0x7a) || code === 0x5d
  );
}
