import { type BusEvent, kindOf, type Topic } from "./event.ts";
import type { HistoryLimits } from "./ring.ts";
import { EventRing } from "./ring.ts";

/**
 * What can be replayed. What agents say does not push out the other events, and has as much room for itself; the output
 * of terminals is kept by the terminals.
 */
export class EventHistory {
  readonly #limits: HistoryLimits;
  readonly #common: EventRing;
  readonly #live: EventRing;

  /** `seq`: what came up to this number is gone. */
  constructor(limits: HistoryLimits, seq: number) {
    this.#limits = limits;
    this.#common = new EventRing(limits, seq);
    this.#live = new EventRing(limits, seq);
  }

  push(event: BusEvent): void {
    const kind = event.topic === null ? "common" : kindOf(event.topic);
    if (kind !== "terminal") (kind === "live" ? this.#live : this.#common).push(event);
  }

  /** Forgets what was told up to a number, but for what agents have said. */
  clear(seq: number): void {
    this.#common.clear(seq);
  }

  /** Lists the events of some topics after a number; `null` if some are gone, or more than are kept of one kind. */
  after(seq: number, topics: ReadonlySet<Topic>): BusEvent[] | null {
    const kinds = new Set([...topics].map(kindOf));
    const common = kinds.has("common") ? this.#common.after(seq) : [];
    const live = kinds.has("live") ? this.#live.after(seq) : [];
    if (common === null || live === null) return null;
    const events = [...common, ...live].filter(({ topic }) => topic !== null && topics.has(topic));
    const bytes = events.reduce((sum, event) => sum + event.bytes, 0);
    if (events.length > this.#limits.maxEvents || bytes > this.#limits.maxBytes) return null;
    return events.sort((a, b) => a.seq - b.seq);
  }
}
