import { type BusEvent, kindOf, type Topic } from "./event.ts";
import type { HistoryLimits } from "./ring.ts";
import { EventRing } from "./ring.ts";

/**
 * Events kept for replay. Agent events have separate limits, so that they do not evict other events; terminals keep
 * their output themselves.
 */
export class EventHistory {
  readonly #limits: HistoryLimits;
  readonly #common: EventRing;
  readonly #live: EventRing;

  /** `seq`: events up to this number are not available. */
  constructor(limits: HistoryLimits, seq: number) {
    this.#limits = limits;
    this.#common = new EventRing(limits, seq);
    this.#live = new EventRing(limits, seq);
  }

  push(event: BusEvent): void {
    const kind = event.topic === null ? "common" : kindOf(event.topic);
    if (kind !== "terminal") (kind === "live" ? this.#live : this.#common).push(event);
  }

  /** Drops all events up to a number, except those of agents. */
  clear(seq: number): void {
    this.#common.clear(seq);
  }

  /** Lists the events of some topics after a number; `null` if some were dropped, or if there are too many. */
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
