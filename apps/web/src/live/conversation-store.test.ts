import type { ClientEvent } from "@sm/router/client";
import { describe, expect, it } from "vitest";
import { type ConversationStore, createConversationStore } from "./conversation-store.ts";

type Entry = { seq: number; timestamp: string; event: { type: string; message: object } };

const entry = (seq: number): Entry => ({
  seq,
  timestamp: new Date(1_000_000 + seq).toISOString(),
  event: { type: "message_end", message: { role: "user", content: `${seq}` } },
});

/** A service with a history that grows, whose answers wait until they are let go. */
class FakeService {
  history: Entry[] = [];
  asked: unknown[] = [];
  isGone = false;
  hasForgotten = false;
  #answers: (() => void)[] = [];
  #onEvent: (event: ClientEvent) => void = () => {};

  readonly service = {
    events: ({ onEvent }: { onEvent(event: ClientEvent): void }) => {
      this.#onEvent = onEvent;
      return { close: () => {} };
    },
    call: (name: string, payload: { after_seq?: number }) => {
      this.asked.push({ name, ...payload });
      if (this.isGone) return Promise.reject(new Error("gone"));
      const after = payload.after_seq ?? 0;
      const answer = {
        entries: this.history.filter(({ seq }) => seq > after),
        next_seq: this.history.at(-1)?.seq ?? 0,
        has_gap: this.hasForgotten,
      };
      return new Promise((resolve) => this.#answers.push(() => resolve(answer)));
    },
  } as unknown as Parameters<typeof createConversationStore>[0]["service"];

  tell(event: "hello" | "events-lost"): void {
    this.#onEvent({ event, seq: 0, payload: {} } as ClientEvent);
  }

  /** Something is said; clients are told of it or not. */
  say({ told = true } = {}): void {
    const said = entry((this.history.at(-1)?.seq ?? 0) + 1);
    this.history.push(said);
    if (!told) return;
    const payload = { session_id: "s", seq: said.seq, event: said.event };
    this.#onEvent({ event: "live-session-event", seq: 0, payload } as unknown as ClientEvent);
  }

  record(event: object): void {
    const payload = { session_id: "s", seq: 1, event };
    this.#onEvent({ event: "live-session-event", seq: 0, payload } as unknown as ClientEvent);
  }

  async answer(): Promise<void> {
    // What is asked before the history has been answered by then.
    await new Promise((resolve) => setTimeout(resolve));
    for (const answer of this.#answers.splice(0)) answer();
    await new Promise((resolve) => setTimeout(resolve));
  }
}

function texts(store: ConversationStore): string[] {
  return store.get().conversation.rows.map((row) => {
    const block = row.kind === "message" ? row.item.blocks[0] : undefined;
    return block?.kind === "text" ? block.text : "?";
  });
}

function follow({ service }: FakeService): ConversationStore {
  return createConversationStore({ service, sessionId: "s", schedule: (run) => run() });
}

describe("a conversation that is followed", () => {
  it("has everything once, whatever comes while it is loaded", async () => {
    const fake = new FakeService();
    fake.say({ told: false });
    const store = follow(fake);
    expect(store.get().isLoaded).toBe(false);
    fake.tell("hello");
    await new Promise((resolve) => setTimeout(resolve));
    fake.say();
    fake.say();
    await fake.answer();
    fake.say();
    expect(store.get().isLoaded).toBe(true);
    expect(texts(store)).toEqual(["1", "2", "3", "4"]);
  });

  it("loads what it has missed, after the last that it has", async () => {
    const fake = new FakeService();
    const store = follow(fake);
    fake.tell("hello");
    await fake.answer();
    fake.say();
    fake.say({ told: false });
    fake.tell("events-lost");
    await fake.answer();
    expect(fake.asked.at(-1)).toMatchObject({ name: "get_coding_agent_entries", after_seq: 1 });
    expect(texts(store)).toEqual(["1", "2"]);
  });

  it("begins anew where the service has forgotten what came meanwhile", async () => {
    const fake = new FakeService();
    const store = follow(fake);
    fake.tell("hello");
    await fake.answer();
    fake.say();
    for (const _ of [2, 3]) fake.say({ told: false });
    fake.history = fake.history.slice(2);
    fake.hasForgotten = true;
    fake.tell("events-lost");
    await fake.answer();
    await fake.answer();
    expect(texts(store)).toEqual(["3"]);
  });

  it("tells of another name or thinking level", () => {
    const fake = new FakeService();
    const changes: number[] = [];
    const onSessionChanged = () => changes.push(1);
    createConversationStore({
      service: fake.service,
      sessionId: "s",
      schedule: (run) => run(),
      onSessionChanged,
    });
    for (const type of ["session_info_changed", "thinking_level_changed", "agent_start"]) fake.record({ type });
    expect(changes).toHaveLength(2);
  });

  it("sees a gap by itself", async () => {
    const fake = new FakeService();
    const store = follow(fake);
    fake.tell("hello");
    await fake.answer();
    fake.say({ told: false });
    fake.say();
    expect(texts(store)).toEqual([]);
    await fake.answer();
    expect(texts(store)).toEqual(["1", "2"]);
  });

  it("begins anew where the service has", async () => {
    const fake = new FakeService();
    const store = follow(fake);
    fake.say({ told: false });
    fake.say({ told: false });
    fake.tell("hello");
    await fake.answer();
    fake.history = [];
    fake.tell("events-lost");
    await fake.answer();
    expect(texts(store)).toEqual([]);
    fake.say();
    expect(texts(store)).toEqual(["1"]);
  });

  it("says why there is nothing, and tries again", async () => {
    const fake = new FakeService();
    fake.isGone = true;
    const store = follow(fake);
    fake.tell("hello");
    await fake.answer();
    expect(store.get()).toMatchObject({ isLoaded: false, error: { message: "gone" } });
    fake.isGone = false;
    store.retry();
    await fake.answer();
    expect(store.get()).toMatchObject({ isLoaded: true, error: null });
  });
});
