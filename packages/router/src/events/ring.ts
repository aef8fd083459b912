import type { BusEvent } from "./event.ts";
import { Fifo } from "./fifo.ts";

export interface HistoryLimits {
  maxEvents: number;
  /** Limit for payloads. */
  maxBytes: number;
}

/** The newest events of some topics, for replay. */
export class EventRing {
  readonly #events = new Fifo<BusEvent>();
  readonly #limits: HistoryLimits;
  #bytes = 0;
  /** Number of the last dropped event. */
  #goneSeq: number;

  /** `seq`: events up to this number are not available. */
  constructor(limits: HistoryLimits, seq: number) {
    this.#limits = limits;
    this.#goneSeq = seq;
  }

  push(event: BusEvent): void {
    this.#events.push(event);
    this.#bytes += event.bytes;
    const { maxEvents, maxBytes } = this.#limits;
    while (this.#events.length > maxEvents || this.#bytes > maxBytes) {
      const gone = this.#events.shift();
      if (gone === undefined) return;
      this.#bytes -= gone.bytes;
      this.#goneSeq = gone.seq;
    }
  }

  /** Drops all events up to a number. */
  clear(seq: number): void {
    this.#events.keep(() => false);
    this.#bytes = 0;
    this.#goneSeq = seq;
  }

  /** Lists the events after a number; `null` if some of them were dropped. */
  after(seq: number): BusEvent[] | null {
    return seq < this.#goneSeq ? null : [...this.#events].filter((event) => event.seq > seq);
  }
}
