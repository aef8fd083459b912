import type { RawLine } from "../format/format.ts";

/** A line without a file. */
export function rawLine(line: string | Uint8Array): RawLine {
  const bytes = Buffer.from(line);
  return {
    length: bytes.length,
    slice: (start, end) => bytes.toString("latin1", start, end),
    text: (start, end) => bytes.toString("utf8", start, end),
    bytes: (start, end) => bytes.subarray(start, end),
    includes: (text, from) => bytes.includes(text, from, "latin1"),
  };
}
