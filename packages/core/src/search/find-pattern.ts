/** Characters of a text that is looked for: letter by letter it costs as much as it is long. */
export const MAX_FIND_LENGTH = 200;

/** Matches that are counted; somebody who has more needs another word. */
export const MAX_MATCHES = 10_000;

/** Makes a pattern of what somebody types: letters of either case, white space of any length. `null`: nothing to find. */
export function findPattern(query: string): RegExp | null {
  const words = query.trim().split(/\s+/u);
  const source = words.map((word) => word.replace(/[\\^$.*+?()[\]{}|/]/gu, "\\$&")).join("\\s+");
  return source === "" ? null : new RegExp(source, "giu");
}

/** Characters of a piece that the next one is looked at with: a match may begin in one and end in the other. */
const CARRIED = 1_000;

/** Counts matches in a text that comes in pieces, `most` of them. White space within one is a thousand characters at most. */
export function countInPieces(pieces: Iterable<string>, pattern: RegExp, most: number): number {
  let count = 0;
  let carried = "";
  for (const piece of pieces) {
    const text = carried + piece;
    let end = 0;
    for (const match of text.matchAll(pattern)) {
      count++;
      if (count === most) return count;
      end = match.index + match[0].length;
    }
    carried = text.slice(Math.max(end, text.length - CARRIED));
  }
  return count;
}

/** Counts matches in a text, `most` of them. */
export function countMatches(text: string, pattern: RegExp, most: number): number {
  let count = 0;
  for (const _ of text.matchAll(pattern)) {
    count++;
    if (count === most) break;
  }
  return count;
}
