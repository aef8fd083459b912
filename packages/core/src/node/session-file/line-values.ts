import { getHeapStatistics } from "node:v8";
import type { Source } from "./long-line.ts";

/**
 * Memory that a value takes when it is parsed: an empty object 56 bytes and 8 where it is listed (measured in V8 11).
 * Twice that, because the list is copied when it is complete.
 */
const BYTES_PER_VALUE = 128;
const PIECE_BYTES = 64 * 1024;

const QUOTE = 0x22;
const COMMA = 0x2c;
const BACKSLASH = 0x5c;
const OPENING_BRACKET = 0x5b;
const OPENING_BRACE = 0x7b;

/**
 * Whether a line has more values than this thread has memory for. It must not be parsed: V8 looks for an end only
 * between its steps, parsing is one of them, and where it takes 16 MB more than the thread may have, the process ends
 * and not the thread.
 *
 * @param heapBytes what the thread may have.
 */
export function hasTooManyValues(
  source: Source,
  offset: number,
  length: number,
  heapBytes = getHeapStatistics().heap_size_limit,
): boolean {
  const most = Math.floor(heapBytes / BYTES_PER_VALUE);
  return length > most && valuesIn(source, offset, length, most) > most;
}

/** Counts the values of a line, or more: one for each comma and each opening bracket. Stops above `most`. */
function valuesIn(source: Source, offset: number, length: number, most: number): number {
  const buffer = Buffer.allocUnsafe(PIECE_BYTES);
  let values = 1;
  let isInString = false;
  let isEscaped = false;
  for (let at = 0; at < length && values <= most; at += buffer.length) {
    const filled = source.fill(buffer.subarray(0, Math.min(buffer.length, length - at)), offset + at);
    for (let place = 0; place < filled; place++) {
      const byte = buffer[place] as number;
      if (isInString) {
        if (isEscaped) isEscaped = false;
        else if (byte === BACKSLASH) isEscaped = true;
        else if (byte === QUOTE) isInString = false;
      } else if (byte === QUOTE) isInString = true;
      else if (byte === COMMA || byte === OPENING_BRACKET || byte === OPENING_BRACE) values++;
    }
  }
  return values;
}
