/** The keys that formats ask for by name: a token's name is 1 + the place here. At most 63, of at most 16 letters. */
export const KEY_NAMES = [
  "type",
  "id",
  "parentId",
  "timestamp",
  "message",
  "role",
  "content",
  "text",
  "thinking",
  "name",
  "arguments",
  "toolName",
  "nestedCalls",
  "isError",
  "model",
  "provider",
  "usage",
  "input",
  "output",
  "cacheRead",
  "cacheWrite",
  "cost",
  "total",
  "display",
  "command",
  "summary",
  "label",
  "targetId",
  "calls",
  "error",
] as const;

/** Numbers that a token takes in {@link ScannedLine.tokens}. */
export const TOKEN_NUMBERS = 5;

/** What a token is: the lower four bits of its first number. Its name stands above them. */
export const TOKEN_KIND = {
  null: 0,
  false: 1,
  true: 2,
  number: 3,
  /** A string of ASCII without escapes. */
  ascii: 4,
  /** A string of UTF-8 without escapes. What is no UTF-8 in it decodes to U+FFFD, as in a line that is decoded whole. */
  utf8: 5,
  /** A string with escapes. */
  escaped: 6,
  array: 7,
  object: 8,
} as const;

/**
 * A line of a file that is valid JSON, an object, as a list of its values; nothing is decoded yet. The values of a token:
 *
 * 0. kind + 16 × name. The name is 0 for a key that is not in {@link KEY_NAMES} and where there is no key.
 * 1. The first byte: of a string, behind the quote.
 * 2. The byte behind its last: of a string, the closing quote. Of an array or object, the number of the next token that
 *    is not inside it; its own values are the tokens behind it.
 * 3. and 4. Where its key begins and ends, between the quotes and without escapes; 0 and 0 in an array.
 *
 * Token 0 is the line. Of a key that occurs twice the last value counts, as with `JSON.parse`.
 */
export interface ScannedLine {
  readonly tokens: Int32Array;
  /** Of tokens. */
  readonly count: number;
  /** What the places of tokens refer to, valid until the next line is scanned. */
  readonly bytes: Uint8Array;
  ascii(start: number, end: number): string;
  /** The same bytes, decoded. */
  text(start: number, end: number): string;
}
