import type { TextPieces } from "@sm/text-index/analysis";

/** A sliding window over a text; earlier text is dropped. */
export class TextWindow {
  readonly #pieces: Iterator<string>;
  #text = "";
  #start = 0;
  /** Trailing white space, which may continue. */
  #blank = "";
  #isReadToEnd = false;

  /** @param text surrounding white space is ignored. */
  constructor(text: TextPieces) {
    this.#pieces = (typeof text === "string" ? [text] : text)[Symbol.iterator]();
  }

  /** Reads up to `to`, or the end of the text; may drop text before `from`. */
  moveTo(from: number, to: number): void {
    while (!this.#isReadToEnd && this.end < to) this.#readOn(from);
  }

  /** Start of the window in the text. */
  get start(): number {
    return this.#start;
  }

  /** End of the window: at or after the last `to`, or the end of the text. */
  get end(): number {
    return this.#start + this.#text.length;
  }

  get text(): string {
    return this.#text;
  }

  slice(start: number, end: number): string {
    return this.#text.slice(start - this.#start, end - this.#start);
  }

  #readOn(from: number): void {
    const { done, value: piece } = this.#pieces.next();
    if (done === true) {
      this.#isReadToEnd = true;
      return;
    }
    const opened = this.end === 0 ? piece.trimStart() : piece;
    const closed = opened.trimEnd();
    if (closed === "") {
      if (this.end > 0) this.#blank += opened;
      return;
    }
    const kept = Math.max(this.#start, from);
    this.#text = this.slice(kept, this.end) + this.#blank + closed;
    this.#start = kept;
    this.#blank = opened.slice(closed.length);
  }
}
