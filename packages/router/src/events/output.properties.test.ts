import fc from "fast-check";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { createEventBus, type EventBus } from "./bus.ts";
import type { BusEvent } from "./event.ts";
import type { OutputLimits } from "./output-limits.ts";
import type { Subscription } from "./subscriber.ts";

/** Small, so that a few steps reach them. */
const LIMITS: OutputLimits = { highBytes: 4_000, lowBytes: 1_000, dropBytes: 16_000, stallMs: 10_000 };

const MAX_OUTPUT_LENGTH = 2_000;

const TERMINALS = ["a", "b"] as const;

type TerminalId = (typeof TERMINALS)[number];

/** A terminal that keeps to what it is told: it writes nothing while it has to wait. */
class Program {
  readonly id: TerminalId;
  readonly #bus: EventBus;
  /** Bytes of every output. */
  readonly outputs: number[] = [];
  isBehind = false;
  audience = 0;
  /** Whether it ever had several clients at a time. */
  hadCompany = false;

  constructor(bus: EventBus, id: TerminalId) {
    this.id = id;
    this.#bus = bus;
    bus.watch(`terminal:${id}`, {
      onBehind: (isBehind) => {
        expect(isBehind).not.toBe(this.isBehind);
        this.isBehind = isBehind;
      },
      onAudience: (subscribers) => {
        this.audience = subscribers;
        this.hadCompany ||= subscribers > 1;
      },
    });
  }

  write(length: number): void {
    if (this.isBehind) return;
    const payload = { id: this.id, seq: this.outputs.length, data: "x".repeat(length) };
    this.outputs.push(JSON.stringify(payload).length);
    this.#bus.publish("terminal-output", payload);
  }

  bytesOf(from: number, to = this.outputs.length): number {
    return this.outputs.slice(from, to).reduce((sum, bytes) => sum + bytes, 0);
  }
}

/** What a client knows of a terminal that it has attached to. */
interface Attached {
  /** Number of the output that has to come next. */
  next: number;
  /** Number of the first output that is not acknowledged; `null` for a client that never acknowledges. */
  unacknowledged: number | null;
  progressAt: number;
}

/** A client that takes as many events at a time as it is given leave to, and checks all that it gets. */
class Client {
  readonly attached = new Map<TerminalId, Attached>();
  readonly #programs: Record<TerminalId, Program>;
  readonly #subscription: Subscription;
  #leave = 1;
  #lastSeq = 0;
  /** Terminals that it is not told of any more, which it does not know yet. */
  #untold = 0;
  losses = 0;
  /** Kept, because the bus closes a subscription that throws. */
  readonly wrong: string[] = [];

  constructor(bus: EventBus, programs: Record<TerminalId, Program>) {
    this.#programs = programs;
    this.#subscription = bus.subscribe({
      topics: ["config"],
      send: (event) => {
        this.#leave -= 1;
        this.#take(event);
        return this.#leave > 0;
      },
    });
  }

  take(count: number): void {
    this.#leave = count;
    this.#subscription.resume();
  }

  attach(id: TerminalId): void {
    const next = this.#programs[id].outputs.length;
    if (!this.attached.has(id)) this.attached.set(id, { next, unacknowledged: null, progressAt: Date.now() });
    this.#subscription.add([`terminal:${id}`]);
  }

  detach(id: TerminalId): void {
    this.attached.delete(id);
    this.#subscription.remove([`terminal:${id}`]);
  }

  acknowledge(id: TerminalId): void {
    const terminal = this.attached.get(id);
    if (terminal === undefined) return;
    if (this.#unacknowledgedBytes(id) > 0) terminal.progressAt = Date.now();
    terminal.unacknowledged = terminal.next;
    this.#subscription.acknowledge(`terminal:${id}`, terminal.next - 1);
  }

  /** Bytes that it has left to take. */
  left(id: TerminalId): number {
    return this.#queuedBytes(id) + this.#unacknowledgedBytes(id);
  }

  look(): void {
    this.#noticeLosses();
    expect(this.wrong).toEqual([]);
    for (const id of this.attached.keys()) {
      expect(this.left(id)).toBeLessThanOrEqual(LIMITS.dropBytes);
      // Nobody but itself can have set the pace.
      const isAlone = this.#programs[id].audience === 1 && !this.#programs[id].hadCompany;
      if (isAlone) expect(this.left(id)).toBeLessThanOrEqual(LIMITS.highBytes + MAX_OUTPUT_LENGTH);
    }
  }

  /** Sees which topics the bus has turned off, and whether it had a reason. */
  #noticeLosses(): void {
    for (const [id, { progressAt }] of this.attached) {
      if (this.#subscription.topics.has(`terminal:${id}`)) continue;
      const isSlow = this.left(id) > LIMITS.dropBytes;
      const isStill = Date.now() - progressAt >= LIMITS.stallMs;
      if (!isSlow && !isStill) this.wrong.push(`lost ${id}`);
      this.attached.delete(id);
      this.#untold += 1;
      this.losses += 1;
    }
  }

  finish(): void {
    this.take(Number.POSITIVE_INFINITY);
    this.look();
    expect(this.#untold).toBe(0);
    for (const [id, { next }] of this.attached) expect(next).toBe(this.#programs[id].outputs.length);
  }

  #queuedBytes(id: TerminalId): number {
    return this.#programs[id].bytesOf(this.attached.get(id)?.next ?? 0);
  }

  #unacknowledgedBytes(id: TerminalId): number {
    const { next = 0, unacknowledged = null } = this.attached.get(id) ?? {};
    return unacknowledged === null ? 0 : this.#programs[id].bytesOf(unacknowledged, next);
  }

  #take(event: BusEvent): void {
    const { name, seq, json } = event;
    if (seq < this.#lastSeq || (seq === this.#lastSeq && name !== "events-lost")) this.wrong.push(`${name} ${seq}`);
    this.#lastSeq = seq;
    // Whoever takes anything takes what waits before the rest.
    for (const [id, terminal] of this.attached) if (this.#queuedBytes(id) > 0) terminal.progressAt = Date.now();
    this.#noticeLosses();
    if (name === "events-lost") this.#untold = 0;
    if (name !== "terminal-output") return;
    const output = JSON.parse(json) as { id: TerminalId; seq: number };
    const terminal = this.attached.get(output.id);
    if (terminal?.next !== output.seq) this.wrong.push(json.slice(0, 30));
    else terminal.next += 1;
  }
}

const client = fc.nat({ max: 2 });
const id = fc.constantFrom(...TERMINALS);

const action = fc.oneof(
  { weight: 6, arbitrary: fc.record({ type: fc.constant("write" as const), id, length: fc.nat({ max: 1_900 }) }) },
  { weight: 2, arbitrary: fc.record({ type: fc.constant("configure" as const) }) },
  {
    weight: 5,
    arbitrary: fc.record({ type: fc.constant("take" as const), client, count: fc.integer({ min: 1, max: 8 }) }),
  },
  { weight: 3, arbitrary: fc.record({ type: fc.constant("acknowledge" as const), client, id }) },
  { weight: 3, arbitrary: fc.record({ type: fc.constant("attach" as const), client, id }) },
  { weight: 1, arbitrary: fc.record({ type: fc.constant("detach" as const), client, id }) },
  { weight: 2, arbitrary: fc.record({ type: fc.constant("wait" as const), ms: fc.nat({ max: 8_000 }) }) },
);

describe("the output of terminals", () => {
  beforeEach(() => {
    vi.useFakeTimers();
  });

  afterEach(() => {
    vi.useRealTimers();
  });

  it("reaches all clients whole and in order at the pace of the fastest, or they are told that it does not", () => {
    const seen = { behind: 0, losses: 0 };
    fc.assert(
      fc.property(fc.array(action, { minLength: 50, maxLength: 200 }), (actions) => {
        const bus = createEventBus({ version: "1", outputLimits: LIMITS });
        const programs = { a: new Program(bus, "a"), b: new Program(bus, "b") };
        const clients = [new Client(bus, programs), new Client(bus, programs), new Client(bus, programs)] as const;
        for (const step of actions) {
          const chosen = clients["client" in step ? (step.client as 0 | 1 | 2) : 0];
          if (step.type === "write") programs[step.id].write(step.length);
          else if (step.type === "configure") bus.publish("config-changed", { version_id: "v" });
          else if (step.type === "take") chosen.take(step.count);
          else if (step.type === "acknowledge") chosen.acknowledge(step.id);
          else if (step.type === "attach") chosen.attach(step.id);
          else if (step.type === "detach") chosen.detach(step.id);
          else vi.advanceTimersByTime(step.ms);
          for (const each of clients) each.look();
          for (const program of Object.values(programs)) {
            const left = clients
              .filter(({ attached }) => attached.has(program.id))
              .map((each) => each.left(program.id));
            expect(program.audience).toBe(left.length);
            if (program.isBehind) {
              seen.behind += 1;
              expect(Math.min(...left)).toBeGreaterThanOrEqual(LIMITS.lowBytes);
              expect(left).not.toEqual([]);
            } else if (step.type === "write" && left.length > 0) {
              expect(Math.min(...left)).toBeLessThanOrEqual(LIMITS.highBytes);
            }
          }
        }
        for (const each of clients) for (const terminal of TERMINALS) each.acknowledge(terminal);
        for (const each of clients) each.finish();
        seen.losses += clients.reduce((sum, { losses }) => sum + losses, 0);
        for (const each of clients) for (const terminal of TERMINALS) each.acknowledge(terminal);
        expect(Object.values(programs).map(({ isBehind }) => isBehind)).toEqual([false, false]);
      }),
      { numRuns: 300 },
    );
    expect(seen.behind).toBeGreaterThan(0);
    expect(seen.losses).toBeGreaterThan(0);
  });
});
