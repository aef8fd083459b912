import { Fifo } from "./fifo.ts";
import type { OutputLimits } from "./output-limits.ts";

interface SentOutput {
  seq: number;
  bytes: number;
}

/** One subscriber's unread output of one terminal. */
export class Backlog {
  readonly #limits: OutputLimits;
  readonly #onLess: () => void;
  #queuedBytes = 0;
  /** Sent but not acknowledged; `null` for a subscriber that never acknowledges. */
  #sent: Fifo<SentOutput> | null = null;
  #sentBytes = 0;
  /** Time of the last progress, or since when there is something to read, as `performance.now()`. */
  #progressAt = 0;

  /** `onLess` is called when the subscriber has made progress. */
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

  /** Whether the subscriber must make progress. With little unread output, clients may acknowledge late. */
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

  /**
   * Records that all output up to a number has arrived. What was sent before the first acknowledgement is not counted.
   */
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
   * Milliseconds without progress, given the time of the last event sent: output queued here waits behind other events.
   */
  stalledFor(now: number, takenAt: number): number {
    return now - (this.#queuedBytes > 0 ? Math.max(this.#progressAt, takenAt) : this.#progressAt);
  }
}
