/** Terms of the index that follow each other; with `prefix` the last is the beginning of one. */
export interface Phrase {
  terms: string[];
  prefix: boolean;
}

/**
 * Says how identifiers that the index knows come apart: for `getusername` the parts `get`, `user`, `name`. With
 * `prefix` for all that begin like the word; then the last part may be the beginning of one.
 */
export type SplitIdentifier = (word: string, prefix: boolean) => string[][];
