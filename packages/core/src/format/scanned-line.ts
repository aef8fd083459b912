/** Keys that formats look up by name: the name of a token is 1 + the index here. At most 63, of at most 16 letters. */
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
  "cacheWrite1h",
  "reasoning",
  "countedElsewhere",
  "uuid",
  "parentUuid",
  "isSidechain",
  "requestId",
  "attachment",
  "toolUseResult",
  "structuredPatch",
  "lines",
  "tool_use_id",
  "is_error",
  "stopReason",
] as const;

/**
 * A line that is a valid JSON object, as a list of undecoded tokens. Numbers of a token:
 *
 * 0. kind + `NAME_STEP` × name, see `token-layout.ts`. The name is 0 if the key is not in {@link KEY_NAMES} or there is no key.
 * 1. Start byte: of a string, after the quote.
 * 2. End byte: of a string, the closing quote. Of an array or object, the index of the next token outside of it; its
 * own values follow directly.
 * 3. and 4. Start and end of its key, between the quotes and without escapes; 0 and 0 in an array.
 *
 * Token 0 is the line. Of duplicate keys the last one counts, as with `JSON.parse`.
 */
export interface ScannedLine {
  readonly tokens: Int32Array;
  /** Number of tokens. */
  readonly count: number;
  /** The bytes that tokens refer to, valid until the next line is scanned. */
  readonly bytes: Uint8Array;
  ascii(start: number, end: number): string;
  /** Decodes a range of bytes. */
  text(start: number, end: number): string;
}
