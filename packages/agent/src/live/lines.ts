const LF = 0x0a;

/** One line without its LF. */
export interface Line {
  /** The whole line, or the beginning of one that is too long or says all in its beginning. */
  bytes: Buffer;
  /** Of the whole line. */
  length: number;
}

export interface LineOptions {
  /** Of a longer line only the beginning is kept, in bytes. */
  longest: number;
  /** What is kept of it. */
  head: number;
  /** Whether the rest of a line is not needed; asked once for each line that comes in pieces, with the first. */
  isEnough(beginning: Buffer): boolean;
  onLine(line: Line): void;
}

/**
 * Cuts the output of a program into lines, at LF only: U+2028 and CR occur inside JSON and end no line. It never holds
 * more than one line.
 */
export class BoundedLines {
  readonly #options: LineOptions;
  #kept: Buffer[] = [];
  #length = 0;
  #isSkipping = false;

  constructor(options: LineOptions) {
    this.#options = options;
  }

  /** The chunk must not be reused by the caller. */
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

  /** Takes what came after the last LF as a line. */
  end(): void {
    if (this.#length > 0) this.#emit();
  }

  #keep(piece: Buffer): void {
    if (piece.length === 0) return;
    this.#length += piece.length;
    if (this.#isSkipping) return;
    this.#kept.push(piece);
    if (this.#length <= this.#options.longest) return;
    // Copied: a part of a chunk would keep all of it.
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
