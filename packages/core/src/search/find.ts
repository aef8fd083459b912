/** Characters of a text that is looked for: letter by letter it costs as much as it is long. */
export const LONGEST_FIND = 200;

/** Matches that are counted; somebody who has more needs another word. */
export const MOST_MATCHES = 10_000;

/** Makes a pattern of what somebody types: letters of either case, white space of any length. `null`: nothing to find. */
export function findPattern(query: string): RegExp | null {
  const words = query.trim().split(/\s+/u);
  const source = words.map((word) => word.replace(/[\\^$.*+?()[\]{}|/]/gu, "\\$&")).join("\\s+");
  return source === "" ? null : new RegExp(source, "giu");
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
