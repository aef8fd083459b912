import type { SessionRecord } from "@sm/router/client";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { sessionRecord } from "../list/record.fixture.ts";
import { createSessionStore, MOST_LOADED } from "./sessions.ts";

const NO_DIFF = { added: [], updated: [], removed: [] };

/** A service whose sessions come in pages of two, each when the test says so. */
function setUp(names: string[], rest?: () => Promise<void>) {
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
  const store = createSessionStore({ call: call as never }, rest);
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

  it("are more than the newest only when these are shown", async () => {
    let show = () => {};
    const { store, answer, shown } = setUp(["a", "b", "c"], () => new Promise((resolve) => (show = resolve)));
    const loaded = store.load();
    await answer();
    expect([shown(), store.get().state]).toEqual([["a", "b"], "loading"]);
    show();
    await new Promise((resolve) => setImmediate(resolve));
    await answer();
    await loaded;
    expect([shown(), store.get().state]).toEqual([["a", "b", "c"], "complete"]);
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

describe("subagents", () => {
  const parent = sessionRecord("parent", { subagent_count: 2 });
  const child = (name: string, fields: Partial<SessionRecord> = {}) =>
    sessionRecord(name, { relation: "subagent", parent_session_path: parent.path, ...fields });

  /** A service with a session and two subagents of it. */
  async function setUpFolded() {
    const all = [parent, child("agent-1"), child("agent-2")];
    const asked: object[] = [];
    const call = async (_name: string, payload: { parent_path?: string; query?: string; subagents?: string }) => {
      asked.push(payload);
      const { parent_path, query = "", subagents } = payload;
      const sessions = all.filter(({ path, parent_session_path: of }) =>
        parent_path === undefined ? path.includes(query) && (subagents === "all" || of === null) : of === parent_path,
      );
      return { sessions, next_cursor: null, total: sessions.length, pending: 0 };
    };
    const store = createSessionStore({ call: call as never });
    await store.load();
    return { store, asked, below: () => [...store.get().subagents.values()].map(({ title }) => title) };
  }
  const settle = () => new Promise((resolve) => setImmediate(resolve));

  it("are no sessions of the list, and are loaded when they are asked for", async () => {
    const { store, below } = await setUpFolded();
    expect([store.get().total, below()]).toEqual([1, []]);
    await store.loadSubagents(parent.path);
    expect([store.get().total, store.get().records.size, below()]).toEqual([1, 1, ["agent-1", "agent-2"]]);
  });

  it("follow events below their session, and only there", async () => {
    const { store, below } = await setUpFolded();
    store.apply({ ...NO_DIFF, added: [child("agent-3")] });
    expect([store.get().records.size, below()]).toEqual([1, []]);
    await store.loadSubagents(parent.path);
    store.apply({
      added: [child("agent-4"), child("elsewhere", { parent_session_path: "/sessions/other.jsonl" })],
      updated: [child("agent-2", { title: "changed" })],
      removed: ["/sessions/agent-1.jsonl"],
    });
    expect([store.get().total, store.get().records.size, below()]).toEqual([1, 1, ["changed", "agent-4"]]);
    const undo = store.patch([child("agent-4").path], (record) => ({ ...record, title: "renamed" }));
    expect(below()).toEqual(["changed", "renamed"]);
    undo();
    expect(below()).toEqual(["changed", "agent-4"]);
  });

  it("leave the list when the session comes that has started them", async () => {
    const { store } = await setUpFolded();
    store.apply({ ...NO_DIFF, added: [child("early", { parent_session_path: null })] });
    expect(store.get().records.has(child("early").path)).toBe(true);
    store.apply({ ...NO_DIFF, updated: [child("early")] });
    expect(store.get().records.has(child("early").path)).toBe(false);
  });

  it("are found by their path", async () => {
    const { store, asked, below } = await setUpFolded();
    store.find(child("agent-2").path);
    await settle();
    store.find(child("agent-2").path);
    expect([below(), store.get().records.size, asked.length]).toEqual([["agent-2"], 1, 2]);
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

describe("of many sessions", () => {
  const MANY = 3 * MOST_LOADED;
  const pathOf = (index: number) => `/sessions/${index}.jsonl`;
  const at = (index: number) => new Date(Date.UTC(2026, 0, 1) - index * 60_000).toISOString();

  /** A service with many sessions, number 0 the newest; a query is a part of a title, any order another than by time turns it. */
  function setUpMany() {
    const all = Array.from({ length: MANY }, (_, index) =>
      sessionRecord(String(index), { modified_at: at(index), title: `title ${index}` }),
    );
    const asked: { limit: number; query?: string }[] = [];
    const call = async (
      _name: string,
      payload: { limit: number; cursor?: string; query?: string; order?: string },
    ): Promise<unknown> => {
      asked.push(payload);
      const { limit, cursor = "0", query = "", order } = payload;
      const found = all.filter(({ title, path }) => title.includes(query) || path.includes(query));
      if (order === "asc") found.reverse();
      const end = Number(cursor) + limit;
      const sessions = found.slice(Number(cursor), end);
      return { sessions, next_cursor: end < found.length ? String(end) : null, total: found.length, pending: 0 };
    };
    return { store: createSessionStore({ call: call as never }), asked };
  }
  const settle = () => new Promise((resolve) => setImmediate(resolve));

  it("only the newest are loaded", async () => {
    const { store, asked } = setUpMany();
    await store.load();
    const { records, total, isPart, list } = store.get();
    expect([records.size, total, isPart, list?.hasMore]).toEqual([MOST_LOADED, MANY, true, true]);
    expect(asked.length).toBeLessThanOrEqual(MOST_LOADED / 500 + 1);
    expect(Math.max(...asked.map(({ limit }) => limit))).toBe(500);
  });

  it("a list is asked for page by page, and let go with the next one", async () => {
    const { store, asked } = setUpMany();
    await store.load();
    asked.length = 0;
    store.show({ sort: "modified", order: "asc" });
    await settle();
    expect([asked.length, store.get().records.size]).toEqual([1, MOST_LOADED + 500]);
    expect(store.get().list?.records.keys().next().value).toBe(pathOf(MANY - 1));
    store.more();
    store.more();
    await settle();
    expect([asked.length, store.get().list?.records.size]).toEqual([2, 1_000]);
    store.show({ sort: "modified", order: "desc", query: "title 7" });
    await settle();
    expect([asked.length, store.get().list?.total]).toEqual([3, 1_111]);
    expect(store.get().records.size).toBeLessThanOrEqual(MOST_LOADED + 500);
    store.show({ sort: "modified", order: "desc" });
    await settle();
    expect([asked.length, store.get().records.size]).toEqual([3, MOST_LOADED]);
  });

  it("events of sessions that are not here keep none", async () => {
    const { store } = setUpMany();
    await store.load();
    const old = (index: number) => sessionRecord(String(index), { modified_at: at(index), title: "changed" });
    store.apply({ ...NO_DIFF, updated: Array.from({ length: 1_000 }, (_, index) => old(MANY - 1 - index)) });
    expect(store.get().records.size).toBe(MOST_LOADED);
    store.apply({ ...NO_DIFF, added: [sessionRecord("new", { modified_at: at(-1) })], updated: [old(1)] });
    expect([store.get().records.size, store.get().total]).toEqual([MOST_LOADED + 1, MANY + 1]);
    expect(store.get().list?.records.get(pathOf(1))?.title).toBe("changed");
    store.apply({ ...NO_DIFF, removed: [pathOf(1)] });
    expect([store.get().list?.records.has(pathOf(1)), store.get().total]).toEqual([false, MANY]);
  });

  it("one that is not here is looked for once", async () => {
    const { store, asked } = setUpMany();
    await store.load();
    asked.length = 0;
    const path = pathOf(MANY - 1);
    store.find(path);
    store.find(path);
    await settle();
    expect([asked.length, store.get().records.get(path)?.title]).toEqual([1, `title ${MANY - 1}`]);
  });

  it("that are found while the page is open, the older ones are let go", async () => {
    const empty = createSessionStore({
      call: (async () => ({ sessions: [], next_cursor: null, total: 0, pending: 0 })) as never,
    });
    await empty.load();
    const added = Array.from({ length: 2 * MOST_LOADED }, (_, index) => sessionRecord(String(index)));
    empty.apply({ ...NO_DIFF, added });
    expect(empty.get().records.size).toBe(2 * MOST_LOADED);
    empty.apply({ ...NO_DIFF, added: [sessionRecord("one more")] });
    await settle();
    // What the service has is loaded anew: here, nothing.
    expect([empty.get().state, empty.get().records.size]).toEqual(["complete", 0]);
  });
});
