import { SequenceScanner, type SequenceState } from "./sequences.ts";

/** As in VS Code: not noticeable, and long enough to combine the writes of one screen update. */
const BATCH_MS = 5;
/**
 * Minimum size of an event when output arrives faster than it is batched; the maximum is one read more. Large enough to
 * make the overhead of a frame negligible, small enough not to delay the echo of another terminal. Longer sequences,
 * such as images, are split.
 */
const BATCH_CHARACTERS = 64 * 1024;

/** Receives a batch of output, with the parser state at its beginning. */
export type TakeBatch = (data: string, state: SequenceState) => void;

/**
 * Combines small pieces of output into few events: one per five milliseconds, or more if there is much output. Events
 * are not split within a character or an escape sequence, except for sequences longer than an event.
 */
export class OutputBatcher {
  readonly #take: TakeBatch;
  readonly #scanner = new SequenceScanner();
  #pieces: string[] = [];
  #length = 0;
  /** Length of the output that ends outside a sequence. */
  #complete = 0;
  #state: SequenceState = "text";
  #timer: NodeJS.Timeout | null = null;
  #takenAt = Number.NEGATIVE_INFINITY;

  constructor(take: TakeBatch) {
    this.#take = take;
  }

  write(text: string): void {
    if (text === "") return;
    const boundary = this.#scanner.read(text);
    if (boundary >= 0) this.#complete = this.#length + boundary;
    this.#pieces.push(text);
    this.#length += text.length;
    if (this.#length >= BATCH_CHARACTERS) this.#flush(this.#complete === 0 ? this.#length : this.#complete);
    else if (this.#complete > 0) this.#schedule();
  }

  /** Emits output that ends outside a sequence. */
  flush(): void {
    if (this.#complete > 0) this.#flush(this.#complete);
  }

  /** Emits all remaining output at the end. */
  end(): void {
    if (this.#length > 0) this.#flush(this.#length);
    if (this.#timer !== null) clearTimeout(this.#timer);
  }

  /** The echo of a key pressed after a pause is sent immediately. */
  #schedule(): void {
    if (this.#timer !== null) return;
    const wait = Math.max(0, this.#takenAt + BATCH_MS - performance.now());
    this.#timer = setTimeout(() => {
      this.#timer = null;
      this.flush();
    }, wait);
  }

  #flush(end: number): void {
    const text = this.#pieces.length === 1 ? (this.#pieces[0] ?? "") : this.#pieces.join("");
    const state = this.#state;
    this.#state = end === this.#length ? this.#scanner.state : "text";
    this.#pieces = end === text.length ? [] : [text.slice(end)];
    this.#length = text.length - end;
    this.#complete = 0;
    this.#takenAt = performance.now();
    this.#take(text.slice(0, end), state);
  }
}
