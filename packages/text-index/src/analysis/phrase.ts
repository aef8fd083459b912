/** Consecutive terms; with `prefix`, the last is a prefix of a term. */
export interface Phrase {
  terms: string[];
  prefix: boolean;
}

/**
 * Parts of indexed identifiers: for `getusername` the parts `get`, `user`, `name`. With `prefix`, of all identifiers
 * that start with the word; the last part may be a prefix then.
 */
export type SplitIdentifier = (word: string, prefix: boolean) => string[][];
