import { Fifo } from "./fifo.ts";
import type { OutputLimits } from "./output-limits.ts";

interface SentOutput {
  seq: number;
  bytes: number;
}

/** What one subscriber has left to take of one terminal's output. */
export class Backlog {
  readonly #limits: OutputLimits;
  readonly #onLess: () => void;
  #queuedBytes = 0;
  /** Sent and not acknowledged; `null` for a subscriber that never acknowledges. */
  #sent: Fifo<SentOutput> | null = null;
  #sentBytes = 0;
  /** When the subscriber last took something, or began to have something to take, on the clock of `performance.now()`. */
  #progressAt = 0;

  /** `onLess` is called when the subscriber has taken something. */
  constructor(limits: OutputLimits, onLess: () => void) {
    this.#limits = limits;
    this.#onLess = onLess;
  }

  get bytes(): number {
    return this.#queuedBytes + this.#sentBytes;
  }

  get isTooLarge(): boolean {
    return this.bytes > this.#limits.dropBytes;
  }

  /** Whether the subscriber has to take something. A client acknowledges as it likes while little is left. */
  get isWaiting(): boolean {
    return this.#queuedBytes > 0 || this.bytes >= this.#limits.lowBytes;
  }

  queue(bytes: number): void {
    if (!this.isWaiting) this.#progressAt = performance.now();
    this.#queuedBytes += bytes;
  }

  send(output: SentOutput): void {
    this.#queuedBytes -= output.bytes;
    this.#progressAt = performance.now();
    if (this.#sent === null) {
      this.#onLess();
    } else {
      this.#sent.push(output);
      this.#sentBytes += output.bytes;
    }
  }

  /** Takes note that all output up to a number has arrived. What was sent before the first note is not counted. */
  acknowledge(seq: number): void {
    this.#sent ??= new Fifo();
    for (let { first } = this.#sent; first !== undefined && first.seq <= seq; first = this.#sent.first) {
      this.#sent.shift();
      this.#sentBytes -= first.bytes;
      this.#progressAt = performance.now();
    }
    this.#onLess();
  }

  /**
   * Milliseconds that the subscriber has been still, given when it last took any event: what is queued here waits
   * behind others.
   */
  stillFor(now: number, takenAt: number): number {
    return now - (this.#queuedBytes > 0 ? Math.max(this.#progressAt, takenAt) : this.#progressAt);
  }
}
