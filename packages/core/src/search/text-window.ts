import type { TextPieces } from "@sm/text-index/analysis";

/** The stretch of a text that is looked at. It moves on, and what lies before it is forgotten. */
export class TextWindow {
  readonly #pieces: Iterator<string>;
  #text = "";
  #start = 0;
  /** White space at the end of what was read: more may follow. */
  #blank = "";
  #isReadToEnd = false;

  /** @param text white space around it does not count. */
  constructor(text: TextPieces) {
    this.#pieces = (typeof text === "string" ? [text] : text)[Symbol.iterator]();
  }

  /** Reads on up to `to`, or to the end of the text; what lies before `from` may be forgotten. */
  moveTo(from: number, to: number): void {
    while (!this.#isReadToEnd && this.end < to) this.#readOn(from);
  }

  /** Where the stretch begins in the text. */
  get start(): number {
    return this.#start;
  }

  /** Where the stretch ends: beyond the `to` of the last move, or with the text. */
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
