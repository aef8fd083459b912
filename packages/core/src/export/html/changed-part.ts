/** The part of a line that differs from another: from `start` on, `end` excluded. */
export interface ChangedPart {
  start: number;
  end: number;
}

/** Longer lines are minified code or data. */
const LONGEST = 1_000;

/** Two lines that have less in common are not two versions of one. */
const LEAST_SHARED = 0.4;

const IN_WORD = /[\p{L}\p{N}\p{M}_$]/u;

/** The parts in which two versions of a line differ, in whole words; `null` where they have too little in common. */
export function changedParts(before: string, after: string): [ChangedPart, ChangedPart] | null {
  const shorter = Math.min(before.length, after.length);
  if (shorter === 0 || before === after || Math.max(before.length, after.length) > LONGEST) return null;
  let start = 0;
  while (start < shorter && before[start] === after[start]) start++;
  let tail = 0;
  while (tail < shorter - start && before.at(-1 - tail) === after.at(-1 - tail)) tail++;
  // What both begin or end with may be the half of a word, or of a character.
  while (start > 0 && (isInside(before, start) || isInside(after, start))) start--;
  while (tail > 0 && (isInside(before, before.length - tail) || isInside(after, after.length - tail))) tail--;
  const shared = before.slice(0, start) + before.slice(before.length - tail);
  if (shared.trim().length < LEAST_SHARED * Math.max(before.trim().length, after.trim().length)) return null;
  return [
    { start, end: before.length - tail },
    { start, end: after.length - tail },
  ];
}

/** Whether a place in a line is within a word. */
function isInside(line: string, place: number): boolean {
  return isOfWord(line, place - 1) && isOfWord(line, place);
}

function isOfWord(line: string, place: number): boolean {
  const unit = line.charCodeAt(place);
  return (unit >= 0xd800 && unit <= 0xdfff) || IN_WORD.test(line.charAt(place));
}
