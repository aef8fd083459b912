/** Reports that `text.slice(start, end)` must be replaced. Reports may overlap. */
export type Report = (start: number, end: number, type: string) => void;

/** Finds one kind of secret, in time linear in the text. */
export type Detector = (text: string, report: Report) => void;

/**
 * Calls back for each match of a global pattern. `matchAll` would copy the pattern, which takes longer than most texts.
 */
export function eachMatch(pattern: RegExp, text: string, take: (match: RegExpExecArray) => void): void {
  pattern.lastIndex = 0;
  for (let match = pattern.exec(text); match !== null; match = pattern.exec(text)) take(match);
}

/** Text that ends with a letter but does not belong to the next word: an escape of JSON or a URL, a terminal color. */
const ESCAPE = /(?:\\(?:[bfnrt]|u[\dA-Fa-f]{4}|x[\dA-Fa-f]{2})|%[\dA-Fa-f]{2}|\[[\d;]{0,16}m)$/;
const MAX_ESCAPE_LENGTH = 18;

/**
 * Whether a word can start at a position. A placeholder counts as a letter, so that a repeated redaction finds the same
 * words.
 */
export function beginsWord(text: string, at: number): boolean {
  return at === 0 || !isWordEnd(text.charCodeAt(at - 1)) || endsEscape(text, at);
}

/** Whether the letter before a position belongs to an escape. */
export function endsEscape(text: string, at: number): boolean {
  return ESCAPE.test(text.slice(Math.max(0, at - MAX_ESCAPE_LENGTH), at));
}

function isWordEnd(code: number): boolean {
  return (
    (code >= 0x30 && code <= 0x39) || (code >= 0x41 && code <= 0x5a) || (code >= 0x61 && code <= 0x7a) || code === 0x5d
  );
}
