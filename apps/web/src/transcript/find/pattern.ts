/** Makes a pattern of what somebody types: letters of either case, white space of any length. `null`: nothing to find. */
export function findPattern(query: string): RegExp | null {
  const source = sourceOf(query);
  return source === "" ? null : new RegExp(source, "giu");
}

/** So short a word is part of very many others. */
const SHORT_WORD = /^[a-z\d]{1,2}$/iu;

/** Makes a pattern of texts that are to be marked, the longest of which is marked where several stand. */
export function marksPattern(texts: readonly string[]): RegExp | null {
  const sources = [...texts]
    .sort((a, b) => b.length - a.length)
    .map((text) => (SHORT_WORD.test(text) ? `\\b${text}\\b` : sourceOf(text)))
    .filter((source) => source !== "");
  return sources.length === 0 ? null : new RegExp(sources.join("|"), "giu");
}

function sourceOf(text: string): string {
  const words = text.trim().split(/\s+/u);
  return words.map((word) => word.replace(/[\\^$.*+?()[\]{}|/]/gu, "\\$&")).join("\\s+");
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
