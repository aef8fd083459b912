// What WebAssembly and TypeScript have to agree on: both import this file.

/** What is read at once, and the longest line that is walked. */
export const BUFFER_BYTES = 1 << 20;
/** Values of a line; one with more is left to `JSON.parse`. */
export const MOST_TOKENS = 20_000;
