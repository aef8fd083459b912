import type { SessionRecord } from "@sm/router/client";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { sessionRecord } from "../list/record.fixture.ts";
import { createSessionStore } from "./sessions.ts";

const NO_DIFF = { added: [], updated: [], removed: [] };

/** A service whose sessions come in pages of two, each when the test says so. */
function setUp(names: string[]) {
  const records = new Map(names.map((name) => [name, sessionRecord(name)]));
  const waiting: (() => void)[] = [];
  const call = (_name: string, { cursor }: { cursor?: string }) =>
    new Promise((resolve, reject) => {
      waiting.push(() => {
        if (failure.error !== null) return reject(failure.error);
        // As those of the service, a cursor names a place in the order, wherever that is by now.
        const left = [...records.values()]
          .filter(({ id }) => id > (cursor ?? ""))
          .sort((a, b) => (a.id < b.id ? -1 : 1));
        const sessions = left.slice(0, 2);
        const next_cursor = left.length > 2 ? (sessions.at(-1)?.id ?? null) : null;
        resolve({ sessions, next_cursor, total: records.size, pending: 0 });
      });
    });
  const failure: { error: Error | null } = { error: null };
  const store = createSessionStore({ call: call as never });
  /** Answers what is waiting, again and again. */
  const answer = async (pages = Number.POSITIVE_INFINITY) => {
    for (let page = 0; page < pages; page += 1) {
      waiting.shift()?.();
      await new Promise((resolve) => setImmediate(resolve));
      if (waiting.length === 0) return;
    }
  };
  const shown = () => [...store.get().records.values()].map(({ title }) => title).sort();
  return { store, records, failure, answer, shown };
}

describe("sessions", () => {
  it("are there page by page", async () => {
    const { store, answer, shown } = setUp(["a", "b", "c", "d", "e"]);
    const loaded = store.load();
    await answer(1);
    expect([shown(), store.get().state, store.get().total]).toEqual([["a", "b"], "loading", 5]);
    await answer();
    await loaded;
    expect([shown(), store.get().state]).toEqual([["a", "b", "c", "d", "e"], "complete"]);
  });

  it("stay while they are loaded anew, and what is gone goes at the end", async () => {
    const { store, records, answer, shown } = setUp(["a", "b", "c", "d"]);
    void store.load();
    await answer();
    records.delete("a");
    void store.load();
    await answer(1);
    expect(shown()).toEqual(["a", "b", "c", "d"]);
    await answer();
    expect(shown()).toEqual(["b", "c", "d"]);
  });

  it("follow events, which are newer than the pages of a load", async () => {
    const { store, answer, shown } = setUp(["a", "b", "c", "d"]);
    void store.load();
    await answer(1);
    store.apply({
      added: [sessionRecord("new")],
      updated: [sessionRecord("d", { title: "D" })],
      removed: ["/sessions/c.jsonl"],
    });
    await answer();
    expect(shown()).toEqual(["D", "a", "b", "new"]);
    expect(store.get().total).toBe(4);
  });

  it("keep what there is where loading fails", async () => {
    const { store, failure, answer, shown } = setUp(["a", "b", "c"]);
    void store.load();
    await answer(1);
    failure.error = new Error("gone");
    await answer();
    expect([shown(), store.get().state, store.get().error]).toEqual([["a", "b"], "failed", failure.error]);
  });

  it("are those of the newest load", async () => {
    const { store, records, answer, shown } = setUp(["a", "b", "c"]);
    void store.load();
    await answer(1);
    records.delete("c");
    void store.load();
    await answer();
    expect([shown(), store.get().state]).toEqual([["a", "b"], "complete"]);
  });
});

describe("a change before the service has made it", () => {
  const star = (record: SessionRecord) => ({ ...record, is_favorite: true });
  const path = "/sessions/a.jsonl";

  it("can be undone", async () => {
    const { store, answer } = setUp(["a"]);
    void store.load();
    await answer();
    const undo = store.patch([path, "/sessions/none.jsonl"], star);
    expect(store.get().records.get(path)?.is_favorite).toBe(true);
    expect(store.get().records.size).toBe(1);
    undo();
    expect(store.get().records.get(path)?.is_favorite).toBe(false);
  });

  it("is not undone over what the service has told since", async () => {
    const { store, answer } = setUp(["a"]);
    void store.load();
    await answer();
    const undo = store.patch([path], star);
    store.apply({ ...NO_DIFF, updated: [sessionRecord("a", { title: "told", is_favorite: true })] });
    undo();
    expect(store.get().records.get(path)).toMatchObject({ title: "told", is_favorite: true });
  });
});

it("whatever comes in between, ends with what the service has", async () => {
  const name = fc.constantFrom(..."abcdef");
  const change = fc.record({ after: fc.nat(4), name, removes: fc.boolean() });
  await fc.assert(
    fc.asyncProperty(fc.uniqueArray(name), fc.array(change), async (names, changes) => {
      const { store, records, answer, shown } = setUp(names);
      void store.load();
      for (const { after, name, removes } of changes) {
        await answer(after);
        if (removes) records.delete(name);
        else records.set(name, sessionRecord(name));
        const record = sessionRecord(name);
        store.apply(removes ? { ...NO_DIFF, removed: [record.path] } : { ...NO_DIFF, added: [record] });
      }
      await answer();
      expect(shown()).toEqual([...records.keys()].sort());
    }),
    { numRuns: 50 },
  );
});
