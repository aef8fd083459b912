import type { BusEvent } from "./event.ts";

/** The newest events, for replay. Their numbers have no gaps. */
export class EventRing {
  readonly #events: BusEvent[] = [];
  readonly #maxEvents: number;
  readonly #maxBytes: number;
  #bytes = 0;

  constructor(maxEvents: number, maxBytes: number) {
    this.#maxEvents = maxEvents;
    this.#maxBytes = maxBytes;
  }

  push(event: BusEvent): void {
    this.#events.push(event);
    this.#bytes += event.bytes;
    while (this.#events.length > this.#maxEvents || this.#bytes > this.#maxBytes) {
      this.#bytes -= this.#events.shift()?.bytes ?? 0;
    }
  }

  clear(): void {
    this.#events.length = 0;
    this.#bytes = 0;
  }

  /** Lists the events after a number, where `newest` is the last; `null` if some of them are gone or still to come. */
  after(seq: number, newest: number): BusEvent[] | null {
    const missed = newest - seq;
    if (missed < 0 || missed > this.#events.length) return null;
    return this.#events.slice(this.#events.length - missed);
  }
}
