import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { createEventBus, type EventBus } from "./bus.ts";
import type { BusEvent, Topic } from "./event.ts";
import type { Subscription } from "./subscriber.ts";
import { MAX_QUEUED_BYTES, MAX_QUEUED_EVENTS } from "./subscription.ts";

const TOPICS = { "config-changed": "config", "session-changed": "sessions" } as const;

type Name = keyof typeof TOPICS;

interface Published {
  seq: number;
  topic: Topic;
}

/** A subscriber that checks what it gets against what it should get. */
class Watcher {
  /** Published while its topic was on, and neither seen nor lost yet. */
  #expected: Published[] = [];
  readonly #topics = new Set<Topic>(Object.values(TOPICS));
  readonly #bus: EventBus;
  #subscription: Subscription;
  #last: number;
  #paused = false;
  /** What came since it was resumed: it was queued until then. */
  #taken: BusEvent[] = [];
  /** Kept, because the bus closes a subscription that throws. */
  readonly #wrong: BusEvent[] = [];

  constructor(bus: EventBus) {
    this.#bus = bus;
    this.#last = bus.seq;
    this.#subscription = this.#subscribe();
  }

  expect(published: Published): void {
    if (this.#topics.has(published.topic)) this.#expected.push(published);
  }

  pause(): void {
    this.#paused = true;
  }

  resume(): void {
    this.#paused = false;
    this.#taken = [];
    this.#subscription.resume();
    expect(this.#wrong).toEqual([]);
    expect(this.#expected).toEqual([]);
    expect(this.#taken.length).toBeLessThanOrEqual(MAX_QUEUED_EVENTS);
    expect(this.#taken.reduce((sum, { bytes }) => sum + bytes, 0)).toBeLessThanOrEqual(MAX_QUEUED_BYTES);
  }

  turn(topic: Topic, on: boolean): void {
    if (on) {
      this.#topics.add(topic);
      this.#subscription.add([topic]);
    } else {
      this.#topics.delete(topic);
      this.#subscription.remove([topic]);
      this.#expected = this.#expected.filter((published) => published.topic !== topic);
    }
  }

  reconnect(history: readonly Published[]): void {
    this.#subscription.close();
    this.#expected = history.filter(({ seq, topic }) => seq > this.#last && this.#topics.has(topic));
    this.#subscription = this.#subscribe();
  }

  #subscribe(): Subscription {
    return this.#bus.subscribe({
      topics: this.#topics,
      afterSeq: this.#last,
      send: (event) => {
        this.#take(event);
        return !this.#paused;
      },
    });
  }

  #take(event: BusEvent): void {
    const { name, seq } = event;
    this.#taken.push(event);
    if (name === "hello") return;
    if (name === "events-lost") {
      if (seq < this.#last) this.#wrong.push(event);
      this.#expected = this.#expected.filter((published) => published.seq > seq);
    } else if (this.#expected.shift()?.seq !== seq || seq <= this.#last) {
      this.#wrong.push(event);
    }
    this.#last = seq;
  }
}

const watcher = fc.nat({ max: 2 });
const name = fc.constantFrom<Name>("config-changed", "session-changed");

const action = fc.oneof(
  fc.record({ type: fc.constant("large" as const), name, bytes: fc.nat({ max: 700_000 }) }),
  fc.record({ type: fc.constant("many" as const), name, count: fc.nat({ max: 700 }) }),
  fc.record({ type: fc.constant("markLost" as const) }),
  fc.record({ type: fc.constant("pause" as const), watcher }),
  fc.record({ type: fc.constant("resume" as const), watcher }),
  fc.record({ type: fc.constant("turn" as const), watcher, name, on: fc.boolean() }),
  fc.record({ type: fc.constant("reconnect" as const), watcher }),
);

describe("the event bus", () => {
  it("gives every subscriber all events of its topics in order, or says that some are lost", () => {
    fc.assert(
      fc.property(fc.array(action, { maxLength: 50 }), (actions) => {
        const bus = createEventBus({ version: "1" });
        const history: Published[] = [];
        const watchers = [new Watcher(bus), new Watcher(bus), new Watcher(bus)] as const;
        const publish = (published: Name, text: string) => {
          const entry = { seq: bus.seq + 1, topic: TOPICS[published] };
          history.push(entry);
          for (const each of watchers) each.expect(entry);
          if (published === "config-changed") bus.publish(published, { version_id: text });
          else bus.publish(published, { changed_paths: [text], removed_paths: [] });
        };
        for (const step of actions) {
          const chosen = "watcher" in step ? watchers[step.watcher as 0 | 1 | 2] : watchers[0];
          if (step.type === "large") publish(step.name, "x".repeat(step.bytes));
          else if (step.type === "many") for (let count = 0; count < step.count; count += 1) publish(step.name, "");
          else if (step.type === "pause") chosen.pause();
          else if (step.type === "resume") chosen.resume();
          else if (step.type === "markLost") bus.markLost();
          else if (step.type === "turn") chosen.turn(TOPICS[step.name], step.on);
          else chosen.reconnect(history);
        }
        for (const each of watchers) each.resume();
      }),
      { numRuns: 300 },
    );
  });
});
