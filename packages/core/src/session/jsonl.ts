import { isJsonObject, type JsonObject } from "../json.ts";

const LF = 0x0a;

/** Receives one line without its LF; `bytes` is only valid during the call. */
export type LineConsumer = (bytes: Uint8Array, offset: number) => void;

/**
 * Cuts a stream of bytes into lines, at LF only: U+2028 and CR occur inside transcripts and end no line.
 * A line that spans chunks is copied once, whatever its length.
 */
export class LineSplitter {
  readonly #onLine: LineConsumer;
  #carried: Uint8Array[] = [];
  #carriedLength = 0;
  /** Position in the file of the first byte that belongs to no complete line yet. */
  #lineStart: number;

  constructor(onLine: LineConsumer, startOffset = 0) {
    this.#onLine = onLine;
    this.#lineStart = startOffset;
  }

  /** The chunk may be reused by the caller afterwards. */
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
      // Not `slice`: that of a Buffer does not copy.
      this.#carried.push(new Uint8Array(chunk.subarray(start)));
      this.#carriedLength += chunk.length - start;
    }
  }

  /** Takes the bytes after the last LF: a line that is still being written, or the last one of a file without LF. */
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

/** Parses one line; `null` where it is no JSON object. */
export function parseLine(text: string): JsonObject | null {
  try {
    const value: unknown = JSON.parse(text);
    return isJsonObject(value) ? value : null;
  } catch {
    return null;
  }
}
