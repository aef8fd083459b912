import { SequenceScanner, type SequenceState } from "./sequences.ts";

/** As VS Code has it: not to be seen, and enough for what a program writes to redraw its screen to be one event. */
const BATCH_MS = 5;
/**
 * An event has at least so many characters while output comes faster than it can be batched, and at most those of one
 * read more: large enough that its frame costs nothing, small enough that a keystroke of another terminal does not wait
 * for it. A sequence that is longer, an image for example, comes in several events.
 */
const BATCH_CHARACTERS = 64 * 1024;

/** Takes a batch of output, and where in a sequence it begins. */
export type TakeBatch = (data: string, state: SequenceState) => void;

/**
 * Makes few events of many small pieces of output: one in five milliseconds, or more often where there is much. No
 * event ends within a character or an escape sequence, but for sequences that are longer than an event: what an event
 * is continued with begins afresh.
 */
export class OutputBatcher {
  readonly #take: TakeBatch;
  readonly #scanner = new SequenceScanner();
  #pieces: string[] = [];
  #length = 0;
  /** How much of it leaves no sequence open. */
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

  /** Hands on what leaves no sequence open. */
  flush(): void {
    if (this.#complete > 0) this.#flush(this.#complete);
  }

  /** Hands on what is left, whatever it is: no more will come. */
  end(): void {
    if (this.#length > 0) this.#flush(this.#length);
    if (this.#timer !== null) clearTimeout(this.#timer);
  }

  /** The echo of a key that is pressed after a pause is sent at once. */
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
