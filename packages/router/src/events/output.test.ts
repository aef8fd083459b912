import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { createEventBus, type EventBus } from "./bus.ts";
import { OUTPUT_LIMITS } from "./output-limits.ts";
import type { Subscription } from "./subscriber.ts";

const TOPIC = "terminal:t";

/** Bytes of the payload of an output without data. */
const FRAME = JSON.stringify({ id: "t", seq: 1, data: "" }).length;

/** A terminal that notes how it is paced. */
function watch(bus: EventBus, topic = TOPIC) {
  const told: (boolean | number)[] = [];
  const stop = bus.watch(topic, {
    onBehind: (isBehind) => told.push(isBehind),
    onAudience: (count) => told.push(count),
  });
  return { told, stop };
}

/** A subscriber that takes one event each time it is asked to, or all of them. */
class Client {
  readonly got: string[] = [];
  readonly subscription: Subscription;
  #leave = 1;

  constructor(
    bus: EventBus,
    { topics = [TOPIC], afterSeq = null }: { topics?: string[]; afterSeq?: number | null } = {},
  ) {
    this.subscription = bus.subscribe({
      topics,
      afterSeq,
      send: ({ name, outputSeq }) => {
        this.got.push(outputSeq === null ? name : `${name} ${outputSeq}`);
        this.#leave -= 1;
        return this.#leave > 0;
      },
    });
  }

  take(count = Number.POSITIVE_INFINITY): void {
    this.#leave = count;
    this.subscription.resume();
  }
}

function open() {
  const bus = createEventBus({ version: "1" });
  let seq = 0;
  return {
    bus,
    /** Publishes an output whose payload has this many bytes. */
    write(bytes: number, id = "t") {
      seq += 1;
      bus.publish("terminal-output", { id, seq: seq % 10, data: "x".repeat(bytes - FRAME) });
    },
  };
}

beforeEach(() => {
  vi.useFakeTimers();
});

afterEach(() => {
  vi.useRealTimers();
});

const { highBytes, lowBytes, dropBytes, stallMs } = OUTPUT_LIMITS;

describe("a terminal", () => {
  it("waits when its only client has more than enough left, until that is little", () => {
    const { bus, write } = open();
    const terminal = watch(bus);
    const client = new Client(bus);
    write(lowBytes);
    write(highBytes - lowBytes);
    expect(terminal.told).toEqual([0, 1]);
    write(FRAME);
    expect(terminal.told).toEqual([0, 1, true]);
    client.take(1);
    expect(terminal.told).toEqual([0, 1, true]);
    client.take(1);
    expect(terminal.told).toEqual([0, 1, true, false]);
    expect(client.got).toEqual(["hello", "terminal-output 1", "terminal-output 2"]);
  });

  it("goes at the pace of the fastest client", () => {
    const { bus, write } = open();
    const terminal = watch(bus);
    const slow = new Client(bus);
    const fast = new Client(bus);
    fast.take();
    write(2 * highBytes);
    expect(terminal.told).toEqual([0, 1, 2]);
    fast.subscription.close();
    expect(terminal.told.slice(3)).toEqual([1, true]);
    const another = new Client(bus);
    expect(terminal.told.slice(5)).toEqual([2, false]);
    another.subscription.remove([TOPIC]);
    slow.take();
    expect(terminal.told.slice(7)).toEqual([1, true, false]);
  });

  it("waits for nobody when nobody is there", () => {
    const { bus, write } = open();
    const terminal = watch(bus);
    write(2 * highBytes);
    const client = new Client(bus);
    write(2 * highBytes);
    client.subscription.close();
    client.subscription.close();
    write(2 * highBytes);
    expect(terminal.told).toEqual([0, 1, true, 0, false]);
    terminal.stop();
    new Client(bus);
    expect(terminal.told).toHaveLength(5);
  });

  it("is not encoded when nobody is there", () => {
    const { bus } = open();
    watch(bus);
    const before = bus.seq;
    const payload = {
      id: "t",
      seq: 1,
      get data(): string {
        throw new Error("was read");
      },
    };
    bus.publish("terminal-output", payload);
    expect(bus.seq).toBe(before + 1);
  });

  it("is told of those that were there before it", () => {
    const { bus, write } = open();
    new Client(bus);
    write(2 * highBytes);
    expect(watch(bus).told).toEqual([1, true]);
  });

  it("does not mind the others", () => {
    const { bus, write } = open();
    const terminal = watch(bus);
    const other = watch(bus, "terminal:u");
    new Client(bus, { topics: [TOPIC, "terminal:u"] });
    write(2 * highBytes);
    expect([terminal.told, other.told]).toEqual([
      [0, 1, true],
      [0, 1],
    ]);
  });
});

describe("a client that acknowledges", () => {
  it("has left what was sent to it since and has not arrived", () => {
    const { bus, write } = open();
    const terminal = watch(bus);
    const client = new Client(bus);
    client.take();
    write(3 * highBytes);
    expect(terminal.told).toEqual([0, 1]);
    client.subscription.acknowledge(TOPIC, 0);
    write(highBytes);
    write(lowBytes);
    expect(terminal.told).toEqual([0, 1, true]);
    client.subscription.acknowledge(TOPIC, 1);
    client.subscription.acknowledge("terminal:other", 3);
    expect(terminal.told).toEqual([0, 1, true]);
    client.subscription.acknowledge(TOPIC, 2);
    expect(terminal.told).toEqual([0, 1, true]);
    client.subscription.acknowledge(TOPIC, 99);
    expect(terminal.told).toEqual([0, 1, true, false]);
    expect(client.got).toEqual(["hello", "terminal-output 1", "terminal-output 2", "terminal-output 3"]);
  });

  it("may keep back a little for as long as it likes", () => {
    const { bus, write } = open();
    const client = new Client(bus);
    client.take();
    client.subscription.acknowledge(TOPIC, 0);
    write(lowBytes - 1);
    vi.advanceTimersByTime(10 * stallMs);
    expect(client.got).toEqual(["hello", "terminal-output 1"]);
    expect([...client.subscription.topics]).toEqual([TOPIC]);
  });

  it("loses the topic when it has left more and acknowledges nothing", () => {
    const { bus, write } = open();
    const terminal = watch(bus);
    const client = new Client(bus, { topics: ["config", TOPIC] });
    client.take();
    client.subscription.acknowledge(TOPIC, 0);
    write(highBytes);
    write(lowBytes);
    vi.advanceTimersByTime(stallMs - 1);
    client.subscription.acknowledge(TOPIC, 1);
    vi.advanceTimersByTime(stallMs - 1);
    // What else it takes says nothing about this terminal.
    bus.publish("config-changed", { version_id: "v" });
    expect(client.subscription.topics.has(TOPIC)).toBe(true);
    vi.advanceTimersByTime(1);
    expect(client.got).toEqual(["hello", "terminal-output 1", "terminal-output 2", "config-changed", "events-lost"]);
    expect([...client.subscription.topics]).toEqual(["config"]);
    expect(terminal.told).toEqual([0, 1, true, 0, false]);
    expect(vi.getTimerCount()).toBe(0);
  });
});

describe("a client that is too slow", () => {
  it("loses a terminal that another keeps up with, and nothing else", () => {
    const { bus, write } = open();
    const slow = new Client(bus, { topics: ["config", TOPIC, "terminal:u"] });
    const fast = new Client(bus);
    fast.take();
    write(100, "u");
    bus.publish("config-changed", { version_id: "v" });
    write(dropBytes);
    expect(slow.subscription.topics.has(TOPIC)).toBe(true);
    write(FRAME);
    expect([...slow.subscription.topics]).toEqual(["config", "terminal:u"]);
    write(100);
    slow.take();
    expect(slow.got).toEqual(["hello", "terminal-output 1", "config-changed", "events-lost"]);
    expect(fast.got).toEqual(["hello", "terminal-output 2", "terminal-output 3", "terminal-output 4"]);
    slow.subscription.add([TOPIC]);
    write(100);
    expect(slow.got.at(-1)).toBe("terminal-output 5");
  });

  it("loses what it has taken nothing of for 10 seconds, and what has just come only later", () => {
    const { bus, write } = open();
    const client = new Client(bus, { topics: [TOPIC, "terminal:u"] });
    client.take(1);
    write(100);
    vi.advanceTimersByTime(stallMs);
    write(100);
    vi.advanceTimersByTime(stallMs - 1);
    write(100, "u");
    vi.advanceTimersByTime(1);
    expect([...client.subscription.topics]).toEqual(["terminal:u"]);
    vi.advanceTimersByTime(stallMs - 2);
    expect([...client.subscription.topics]).toEqual(["terminal:u"]);
    vi.advanceTimersByTime(1);
    expect([...client.subscription.topics]).toEqual([]);
    client.take();
    expect(client.got).toEqual(["hello", "terminal-output 1", "events-lost"]);
  });

  it("loses nothing as long as it takes anything", () => {
    const { bus, write } = open();
    const client = new Client(bus);
    for (let count = 0; count < 8; count += 1) write(1_000);
    for (let count = 0; count < 8; count += 1) {
      vi.advanceTimersByTime(stallMs - 1);
      client.take(1);
    }
    expect(client.got).toHaveLength(9);
    expect(client.subscription.topics.has(TOPIC)).toBe(true);
  });

  it("is not watched after its end", () => {
    const { bus, write } = open();
    const client = new Client(bus);
    write(100);
    expect(vi.getTimerCount()).toBe(1);
    client.subscription.close();
    expect(vi.getTimerCount()).toBe(0);
  });
});

describe("output", () => {
  it("does not count among the events after which all are dropped, and stays when they are", () => {
    const { bus, write } = open();
    const client = new Client(bus, { topics: ["config", TOPIC] });
    for (let count = 0; count < 2_000; count += 1) write(FRAME);
    for (let count = 0; count < 1_001; count += 1) bus.publish("config-changed", { version_id: "v" });
    bus.publish("terminal-exit", { id: "t", exit_code: 0, signal: null });
    client.take();
    expect(client.got).toHaveLength(1 + 2_000 + 2);
    expect(client.got.slice(-2)).toEqual(["events-lost", "terminal-exit"]);
  });

  it("is not replayed: who asks for it hears that it is lost, if there was any", () => {
    const { bus, write } = open();
    const seenAfter = (afterSeq: number, ...topics: string[]) => {
      const client = new Client(bus, { topics, afterSeq });
      client.take();
      client.subscription.close();
      return client.got;
    };
    const terminal = watch(bus);
    const before = bus.seq;
    bus.publish("config-changed", { version_id: "v" });
    expect(seenAfter(before, TOPIC)).toEqual(["hello"]);
    write(100);
    bus.publish("config-changed", { version_id: "v" });
    expect(seenAfter(before, TOPIC)).toEqual(["hello", "events-lost"]);
    expect(seenAfter(bus.seq - 1, TOPIC)).toEqual(["hello"]);
    expect(seenAfter(before, "config")).toEqual(["hello", "config-changed", "config-changed"]);
    // Nobody knows what a terminal that is gone had to say.
    terminal.stop();
    expect(seenAfter(bus.seq - 1, TOPIC)).toEqual(["hello", "events-lost"]);
    expect(seenAfter(bus.seq, TOPIC)).toEqual(["hello"]);
  });
});

describe("what agents say", () => {
  const say = (bus: EventBus, session_id: string, count = 1) => {
    for (let seq = 1; seq <= count; seq += 1) bus.publish("live-session-event", { session_id, seq, event: {} });
  };
  const configure = (bus: EventBus) => bus.publish("config-changed", { version_id: "v" });

  it("is replayed to those who ask for that session, in order with the rest", () => {
    const { bus, write } = open();
    const before = bus.seq;
    configure(bus);
    say(bus, "a");
    say(bus, "b");
    write(100);
    configure(bus);
    const replayed = (...topics: string[]) => {
      const client = new Client(bus, { topics, afterSeq: before });
      client.take();
      return client.got;
    };
    expect(replayed("config", "live:a")).toEqual(["hello", "config-changed", "live-session-event", "config-changed"]);
    expect(replayed("live:a", "live:b")).toEqual(["hello", "live-session-event", "live-session-event"]);
    expect(replayed("config")).toEqual(["hello", "config-changed", "config-changed"]);
  });

  it("does not push out the other events, nor they it", () => {
    const { bus } = open();
    const start = bus.seq;
    configure(bus);
    say(bus, "a", 1_001);
    const after = (afterSeq: number, ...topics: string[]) => {
      const client = new Client(bus, { topics, afterSeq });
      client.take();
      return client.got.slice(1, 3);
    };
    expect(after(start, "config")).toEqual(["config-changed"]);
    expect(after(start, "live:a")).toEqual(["events-lost"]);
    expect(after(start, "config", "live:a")).toEqual(["events-lost"]);
    expect(after(start + 2, "live:a")).toEqual(["live-session-event", "live-session-event"]);
    for (let count = 0; count < 1_000; count += 1) configure(bus);
    expect(after(start + 2, "live:a")).toEqual(["live-session-event", "live-session-event"]);
    expect(after(start, "config")).toEqual(["events-lost"]);
    // Together they are more than a subscriber may leave behind.
    expect(after(start + 2, "config", "live:a")).toEqual(["events-lost"]);
  });

  it("is not lost with what was not told about sessions", () => {
    const { bus } = open();
    const start = bus.seq;
    say(bus, "a");
    bus.markLost();
    const client = new Client(bus, { topics: ["live:a"], afterSeq: start });
    client.take();
    expect(client.got).toEqual(["hello", "live-session-event"]);
  });
});
