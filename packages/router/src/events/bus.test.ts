import { describe, expect, it } from "vitest";
import { createEventBus, type EventBusOptions } from "./bus.ts";
import type { BusEvent, EventPayloads } from "./event.ts";
import type { Subscriber, Subscription } from "./subscriber.ts";
import { MAX_QUEUED_BYTES, MAX_QUEUED_EVENTS } from "./subscription.ts";

const START = 5_000_000;

const makeBus = (options: Partial<EventBusOptions> = {}) =>
  createEventBus({ version: "1.2.3", now: () => START / 1_000, ...options });

type Bus = ReturnType<typeof makeBus>;

/** A subscriber that reads until it is paused, and keeps all that it got. */
class Reader {
  readonly got: BusEvent[] = [];
  readonly subscription: Subscription;
  paused = false;

  constructor(bus: Bus, options: Omit<Subscriber, "send"> = {}) {
    this.subscription = bus.subscribe({
      ...options,
      send: (event) => {
        this.got.push(event);
        return !this.paused;
      },
    });
  }

  /** Takes one more event and then no other, as a connection whose buffer is full. */
  pause(): void {
    this.paused = true;
  }

  resume(): void {
    this.paused = false;
    this.subscription.resume();
  }

  /** Names and numbers, counted from the first of the bus. */
  get seen(): string[] {
    return this.got.map(({ name, seq }) => `${name} ${seq - START}`);
  }
}

const progress = (done: number): EventPayloads["index-progress"] => ({ done, total: 9, bytes_done: 0, bytes_total: 0 });

const publishMany = (bus: Bus, count: number) => {
  for (let done = 0; done < count; done += 1) bus.publish("index-progress", progress(done));
};

const publishBytes = (bus: Bus, bytes: number) =>
  bus.publish("config-changed", { version_id: "x".repeat(bytes - JSON.stringify({ version_id: "" }).length) });

describe("events that several servers number", () => {
  it("have at least the number that they are given, and numbers that only grow", () => {
    const bus = createEventBus({ version: "1.2.3", startsAfter: 5_000 });
    const seen: number[] = [];
    const subscribe = (afterSeq: number) =>
      bus.subscribe({ afterSeq, send: ({ seq, name }) => seen.push(name === "events-lost" ? -1 : seq) > 0 });
    expect(bus.seq).toBe(5_000);
    const paths = { changed_paths: [], removed_paths: [] };
    bus.publish("session-changed", paths, 7_000);
    bus.publish("session-changed", paths, 7_000);
    bus.publish("session-changed", paths);
    expect(bus.seq).toBe(7_002);
    subscribe(5_000).close();
    expect(seen).toEqual([5_000, 7_000, 7_001, 7_002]);
    seen.length = 0;
    subscribe(7_000).close();
    expect(seen).toEqual([7_000, 7_001, 7_002]);
    seen.length = 0;
    subscribe(4_999).close();
    expect(seen).toEqual([7_002, -1]);
  });
});

describe("createEventBus", () => {
  it("numbers from the clock, one by one", () => {
    const bus = createEventBus({ version: "1", now: () => Date.UTC(2254, 0) });
    const first = bus.seq;
    expect(first).toBe(Date.UTC(2254, 0) * 1_000);
    publishMany(bus, 2);
    expect(bus.seq).toBe(first + 2);
    expect(Number.isSafeInteger(bus.seq)).toBe(true);
  });

  it("says hello first, then hands on what is published", () => {
    const bus = makeBus();
    publishMany(bus, 1);
    const reader = new Reader(bus);
    bus.publish("config-changed", { version_id: "a" });
    expect(reader.seen).toEqual(["hello 1", "config-changed 2"]);
    expect(reader.got.map(({ json }) => JSON.parse(json))).toEqual([
      { api_version: 1, server_version: "1.2.3", kind: "home", seq: START + 1 },
      { version_id: "a" },
    ]);
  });

  it("says that events are lost to whoever asks for what came before a loss", () => {
    const bus = makeBus();
    expect(bus.hasSubscribers).toBe(false);
    publishMany(bus, 2);
    bus.markLost();
    publishMany(bus, 1);
    expect(new Reader(bus, { afterSeq: START + 1 }).seen).toEqual(["hello 4", "events-lost 4"]);
    expect(new Reader(bus, { afterSeq: START + 3 }).seen).toEqual(["hello 3", "index-progress 4"]);
    expect(bus.hasSubscribers).toBe(true);
    const reader = new Reader(bus);
    bus.markLost();
    expect(reader.seen).toEqual(["hello 4", "events-lost 5"]);
  });

  it("encodes an event once for everybody", () => {
    const bus = makeBus();
    const readers = [new Reader(bus), new Reader(bus)];
    let encoded = 0;
    bus.publish("config-changed", {
      get version_id() {
        encoded += 1;
        return "ä";
      },
    });
    expect(encoded).toBe(1);
    expect(readers[0]?.got[1]).toBe(readers[1]?.got[1]);
    expect(readers[0]?.got[1]?.bytes).toBe(Buffer.byteLength('{"version_id":"ä"}'));
  });

  it("tells how long an event took, but not of replays", () => {
    const delivered: number[] = [];
    const bus = makeBus({ onDelivered: (seconds) => delivered.push(seconds) });
    publishMany(bus, 3);
    const reader = new Reader(bus, { afterSeq: START });
    expect(delivered).toEqual([]);
    publishMany(bus, 2);
    expect(reader.got).toHaveLength(6);
    expect(delivered).toHaveLength(2);
    expect(delivered.every((seconds) => seconds >= 0)).toBe(true);
  });

  it("closes only the subscription whose subscriber throws", () => {
    const bus = makeBus();
    let calls = 0;
    bus.subscribe({
      send({ name }) {
        calls += 1;
        if (name !== "hello") throw new Error("broken");
        return true;
      },
    });
    const reader = new Reader(bus);
    publishMany(bus, 2);
    expect(calls).toBe(2);
    expect(reader.seen).toEqual(["hello 0", "index-progress 1", "index-progress 2"]);
  });

  it("starts a subscriber that comes during an event after it", () => {
    const bus = makeBus();
    let inner: Reader | undefined;
    bus.subscribe({
      send({ name }) {
        if (name !== "hello") inner ??= new Reader(bus);
        return true;
      },
    });
    publishMany(bus, 2);
    expect(inner?.seen).toEqual(["hello 1", "index-progress 2"]);
  });

  it("sends nothing after close", () => {
    const bus = makeBus();
    const reader = new Reader(bus);
    reader.pause();
    publishMany(bus, 3);
    reader.subscription.close();
    reader.resume();
    publishMany(bus, 1);
    expect(reader.seen).toEqual(["hello 0", "index-progress 1"]);
  });
});

describe("topics", () => {
  it("are the default ones unless others are named", () => {
    const bus = makeBus();
    expect([...new Reader(bus).subscription.topics]).toEqual(["sessions", "index", "config", "live"]);
    const reader = new Reader(bus, { topics: ["config"] });
    publishMany(bus, 1);
    bus.publish("config-changed", { version_id: "a" });
    expect(reader.seen).toEqual(["hello 0", "config-changed 2"]);
  });

  it("are added and removed, also of what is still queued", () => {
    const bus = makeBus();
    const reader = new Reader(bus, { topics: ["config"] });
    reader.subscription.add(["index", "config"]);
    expect([...reader.subscription.topics]).toEqual(["config", "index"]);
    reader.pause();
    publishMany(bus, 2);
    bus.publish("config-changed", { version_id: "a" });
    reader.subscription.remove(["index"]);
    reader.resume();
    expect(reader.seen).toEqual(["hello 0", "index-progress 1", "config-changed 3"]);
  });

  it("that a subscriber has not chosen do not fill its queue", () => {
    const bus = makeBus();
    const reader = new Reader(bus, { topics: ["config"] });
    reader.pause();
    bus.publish("config-changed", { version_id: "a" });
    publishMany(bus, 3 * MAX_QUEUED_EVENTS);
    bus.publish("config-changed", { version_id: "b" });
    reader.resume();
    expect(reader.seen.map((seen) => seen.split(" ")[0])).toEqual(["hello", "config-changed", "config-changed"]);
  });
});

describe("a subscriber that does not read", () => {
  it("gets all of 1,000 events when it reads again", () => {
    const bus = makeBus();
    const reader = new Reader(bus);
    reader.pause();
    publishMany(bus, 1 + MAX_QUEUED_EVENTS);
    expect(reader.got).toHaveLength(2);
    reader.resume();
    expect(reader.got).toHaveLength(2 + MAX_QUEUED_EVENTS);
    expect(reader.got.at(-1)?.seq).toBe(bus.seq);
  });

  it("is told what is lost with one event more, and gets what comes later", () => {
    const bus = makeBus();
    const reader = new Reader(bus);
    reader.pause();
    publishMany(bus, 2 + MAX_QUEUED_EVENTS);
    bus.publish("config-changed", { version_id: "a" });
    reader.resume();
    publishMany(bus, 1);
    expect(reader.seen).toEqual([
      "hello 0",
      "index-progress 1",
      "events-lost 1002",
      "config-changed 1003",
      "index-progress 1004",
    ]);
    expect(reader.got[2]?.json).toBe("{}");
  });

  it("may leave 1 MiB behind and no byte more", () => {
    const bus = makeBus();
    const reader = new Reader(bus);
    const other = new Reader(bus);
    reader.pause();
    publishMany(bus, 1);
    publishBytes(bus, MAX_QUEUED_BYTES - 100);
    publishBytes(bus, 100);
    expect(reader.got).toHaveLength(2);
    reader.resume();
    expect(reader.got).toHaveLength(4);

    reader.pause();
    publishMany(bus, 1);
    publishBytes(bus, MAX_QUEUED_BYTES - 100);
    publishBytes(bus, 101);
    reader.resume();
    expect(reader.seen.slice(4)).toEqual(["index-progress 4", "events-lost 6"]);
    expect(other.got).toHaveLength(7);
  });

  it("can take one event of any size when it reads", () => {
    const bus = makeBus();
    const reader = new Reader(bus);
    publishBytes(bus, 3 * MAX_QUEUED_BYTES);
    expect(reader.seen).toEqual(["hello 0", "config-changed 1"]);
  });
});

describe("a replay", () => {
  it("goes on after the number that is asked for", () => {
    const bus = makeBus();
    publishMany(bus, 3);
    const reader = new Reader(bus, { afterSeq: START + 1 });
    publishMany(bus, 1);
    expect(reader.seen).toEqual(["hello 1", "index-progress 2", "index-progress 3", "index-progress 4"]);
    expect(JSON.parse(reader.got[0]?.json ?? "")).toMatchObject({ seq: START + 3 });
  });

  it("has nothing for who has everything", () => {
    const bus = makeBus();
    expect(new Reader(bus, { afterSeq: START }).seen).toEqual(["hello 0"]);
    publishMany(bus, 3);
    expect(new Reader(bus, { afterSeq: START + 3 }).seen).toEqual(["hello 3"]);
  });

  it("waits for a subscriber that is full", () => {
    const bus = makeBus();
    publishMany(bus, 3);
    let takes = 2;
    const got: number[] = [];
    const subscription = bus.subscribe({
      afterSeq: START,
      send: ({ seq }) => {
        got.push(seq - START);
        takes -= 1;
        return takes > 0;
      },
    });
    expect(got).toEqual([0, 1]);
    publishMany(bus, 1);
    takes = 10;
    subscription.resume();
    expect(got).toEqual([0, 1, 2, 3, 4]);
  });

  it("has only the topics of the subscriber", () => {
    const bus = makeBus();
    publishMany(bus, 2);
    bus.publish("config-changed", { version_id: "a" });
    expect(new Reader(bus, { afterSeq: START, topics: ["config"] }).seen).toEqual(["hello 0", "config-changed 3"]);
  });

  it.each([
    ["older than the ring by events", { ringEvents: 2 }, 0],
    ["older than the ring by bytes", { ringBytes: 130 }, 0],
    ["from before a restart", {}, -1],
    ["still to come", {}, 4],
  ])("is not possible from a number %s", (_case, options, offset) => {
    const bus = makeBus(options);
    publishMany(bus, 3);
    const reader = new Reader(bus, { afterSeq: START + offset });
    publishMany(bus, 1);
    expect(reader.seen).toEqual(["hello 3", "events-lost 3", "index-progress 4"]);
  });

  it("reaches back as far as the ring", () => {
    const bus = makeBus({ ringEvents: 2 });
    publishMany(bus, 3);
    expect(new Reader(bus, { afterSeq: START + 1 }).seen).toEqual(["hello 1", "index-progress 2", "index-progress 3"]);
  });
});
