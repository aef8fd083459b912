const LF = 0x0a;

/** A line without its LF. */
export interface Line {
  /** The whole line, or its beginning if it is too long or the rest is not needed. */
  bytes: Buffer;
  /** Length of the whole line. */
  length: number;
}

export interface LineOptions {
  /** Maximum bytes of a complete line; of a longer one only the beginning is kept. */
  longest: number;
  /** Length of that beginning. */
  head: number;
  /** Whether the rest of a line is not needed; called once per line that arrives in pieces, with the first piece. */
  isEnough(beginning: Buffer): boolean;
  onLine(line: Line): void;
}

/** Splits output into lines, at LF only: U+2028 and CR may occur inside JSON. Buffers at most one line. */
export class BoundedLines {
  readonly #options: LineOptions;
  #kept: Buffer[] = [];
  #length = 0;
  #isSkipping = false;

  constructor(options: LineOptions) {
    this.#options = options;
  }

  /** The caller must not reuse the chunk. */
  push(chunk: Buffer): void {
    let start = 0;
    for (let end = chunk.indexOf(LF); end >= 0; end = chunk.indexOf(LF, start)) {
      this.#keep(chunk.subarray(start, end));
      this.#emit();
      start = end + 1;
    }
    if (start === chunk.length) return;
    const isFirst = this.#length === 0;
    const rest = chunk.subarray(start);
    this.#keep(rest);
    if (isFirst && this.#options.isEnough(rest)) this.#isSkipping = true;
  }

  /** Emits the text after the last LF as a line. */
  end(): void {
    if (this.#length > 0) this.#emit();
  }

  #keep(piece: Buffer): void {
    if (piece.length === 0) return;
    this.#length += piece.length;
    if (this.#isSkipping) return;
    this.#kept.push(piece);
    if (this.#length <= this.#options.longest) return;
    // Copied: a subarray would keep the whole chunk alive.
    this.#kept = [Buffer.from(Buffer.concat(this.#kept).subarray(0, this.#options.head))];
    this.#isSkipping = true;
  }

  #emit(): void {
    const [only] = this.#kept;
    const bytes = this.#kept.length === 1 && only !== undefined ? only : Buffer.concat(this.#kept);
    const length = this.#length;
    this.#kept = [];
    this.#length = 0;
    this.#isSkipping = false;
    this.#options.onLine({ bytes, length });
  }
}
