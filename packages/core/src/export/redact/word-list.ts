/** Limits of words: all of them have to fit into the address of a download. */
export const MAX_WORDS = 50;
export const MAX_WORD_LENGTH = 100;
export const MAX_WORDS_LENGTH = 1_000;
/** A single letter is part of too much. */
export const MIN_WORD_LENGTH = 2;

/** What is wrong with words to replace. */
export type WordProblem = "many" | "long" | "short" | "signs" | "together";

/** The first problem of these words, and the word that has it; `null` if all can be replaced. */
export function wordProblem(words: readonly string[]): { problem: WordProblem; word: string } | null {
  for (const word of words.map(oneSpaced)) {
    if (word.length > MAX_WORD_LENGTH) return { problem: "long", word };
    if (word.length < MIN_WORD_LENGTH) return { problem: "short", word };
    // Signs alone would be found between all words.
    if (!/[\p{L}\p{N}]/u.test(word)) return { problem: "signs", word };
  }
  if (words.length > MAX_WORDS) return { problem: "many", word: words[MAX_WORDS] ?? "" };
  const length = words.reduce((sum, word) => sum + word.length, 0);
  return length > MAX_WORDS_LENGTH ? { problem: "together", word: "" } : null;
}

/** Words and phrases in a text as people type it: one on each line, or between commas; each once. */
export function wordsIn(typed: string): string[] {
  const words = new Map<string, string>();
  for (const word of typed.split(/[\n,，、;；]/)) {
    const spaced = oneSpaced(word);
    if (spaced !== "" && !words.has(canonical(spaced))) words.set(canonical(spaced), spaced);
  }
  return [...words.values()];
}

/** What equal words have in common. */
export function canonical(word: string): string {
  return oneSpaced(word).normalize("NFC").toLowerCase();
}

/** A word as it is compared: with one space for any white space. */
export function oneSpaced(word: string): string {
  return word.trim().replace(/\s+/g, " ");
}
