/** Maximum length of a search text: matching costs as much per letter. */
export const MAX_FIND_LENGTH = 200;

/** Maximum number of counted matches. */
export const MAX_MATCHES = 10_000;

/** Pattern of a typed text: ignores case, and white space has any length. `null` for an empty text. */
export function findPattern(query: string): RegExp | null {
  const words = query.trim().split(/\s+/u);
  const source = words.map((word) => word.replace(/[\\^$.*+?()[\]{}|/]/gu, "\\$&")).join("\\s+");
  return source === "" ? null : new RegExp(source, "giu");
}

/** Overlap of pieces, for matches that span two. */
const CARRIED = 1_000;

/** Counts up to `most` matches in a text in pieces. White space in a match is limited to a thousand characters. */
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

/** Counts up to `most` matches in a text. */
export function countMatches(text: string, pattern: RegExp, most: number): number {
  let count = 0;
  for (const _ of text.matchAll(pattern)) {
    count++;
    if (count === most) break;
  }
  return count;
}
