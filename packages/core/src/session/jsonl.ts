import { isJsonObject, type JsonObject } from "../json.ts";

const LF = 0x0a;

/** Receives one line without its LF; `bytes` is only valid during the call. */
export type LineConsumer = (bytes: Uint8Array, offset: number) => void;

/**
 * Splits a byte stream into lines, at LF only: U+2028 and CR may occur within lines. A line that spans chunks is copied
 * once.
 */
export class LineSplitter {
  readonly #onLine: LineConsumer;
  #carried: Uint8Array[] = [];
  #carriedLength = 0;
  /** File offset of the first byte of the incomplete line. */
  #lineStart: number;

  constructor(onLine: LineConsumer, startOffset = 0) {
    this.#onLine = onLine;
    this.#lineStart = startOffset;
  }

  /** The caller may reuse the chunk afterwards. */
  push(chunk: Uint8Array): void {
    let start = 0;
    let end = chunk.indexOf(LF);
    if (this.#carriedLength > 0 && end >= 0) {
      this.#carried.push(chunk.subarray(0, end));
      this.#carriedLength += end;
      const line = this.#takeCarried();
      this.#emit(line);
      start = end + 1;
      end = chunk.indexOf(LF, start);
    }
    while (end >= 0) {
      this.#emit(chunk.subarray(start, end));
      start = end + 1;
      end = chunk.indexOf(LF, start);
    }
    if (start < chunk.length) {
      // Not `slice`, which does not copy for a Buffer.
      this.#carried.push(new Uint8Array(chunk.subarray(start)));
      this.#carriedLength += chunk.length - start;
    }
  }

  /** Takes the bytes after the last LF: an incomplete line, or the last line of a file without LF. */
  takeRest(): { bytes: Uint8Array; offset: number } {
    return { bytes: this.#takeCarried(), offset: this.#lineStart };
  }

  #emit(line: Uint8Array): void {
    const offset = this.#lineStart;
    this.#lineStart = offset + line.length + 1;
    this.#onLine(line, offset);
  }

  #takeCarried(): Uint8Array {
    const pieces = this.#carried;
    const length = this.#carriedLength;
    this.#carried = [];
    this.#carriedLength = 0;
    const [only] = pieces;
    if (pieces.length === 1 && only !== undefined) return only;
    const joined = new Uint8Array(length);
    let position = 0;
    for (const piece of pieces) {
      joined.set(piece, position);
      position += piece.length;
    }
    return joined;
  }
}

/** Parses one line; `null` if it is not a JSON object. */
export function parseLine(text: string): JsonObject | null {
  try {
    const value: unknown = JSON.parse(text);
    return isJsonObject(value) ? value : null;
  } catch {
    return null;
  }
}
