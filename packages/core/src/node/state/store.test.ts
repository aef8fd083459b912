import { mkdtempSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { openDatabase } from "../storage/sqlite.ts";
import { StateConnection } from "./connection.ts";
import type { SessionIdentity, StateStore, UserState } from "./ports.ts";
import { openUserState } from "./user-state.ts";

const silent = { info: () => {}, warn: () => {}, error: () => {} };
const a = { path: "/s/a.jsonl", id: "a" };
const b = { path: "/s/b.jsonl", id: "b" };
const c = { path: "/s/c.jsonl", id: "c" };

let dataDir: string;
let state: UserState;
let store: StateStore;

beforeEach(() => {
  dataDir = mkdtempSync(join(tmpdir(), "state-"));
  open();
});

afterEach(async () => {
  await state.close();
  rmSync(dataDir, { recursive: true, force: true });
});

function open(): void {
  state = openUserState({ dataDir, log: silent });
  store = state.marks;
}

/** Gives a session tags, past the store, whose commands for that are not part of it. */
function tag(session: SessionIdentity, ...tagIds: string[]): void {
  const client = openDatabase(join(dataDir, "state.db"), { durability: "full" });
  client
    .prepare("INSERT OR IGNORE INTO marked_sessions (path, session_id) VALUES (?, ?)")
    .run(session.path, session.id);
  for (const id of tagIds) {
    client.prepare("INSERT OR IGNORE INTO tags VALUES (?, ?, '#00ff00', NULL)").run(id, id);
    client.prepare("INSERT INTO session_tags SELECT key, ? FROM marked_sessions WHERE path = ?").run(id, session.path);
  }
  client.close();
}

function countRows(table: string): unknown {
  const client = openDatabase(join(dataDir, "state.db"), { durability: "full" });
  const rows = client.prepare(`SELECT count(*) FROM ${table}`).pluck().get();
  client.close();
  return rows;
}

describe("favorites", () => {
  it("turn over, newest first, and are there after a restart", async () => {
    for (const session of [a, b, c]) expect(await store.toggleFavorite(session)).toBe(true);
    expect(await store.toggleFavorite(b)).toBe(false);
    expect(await store.favorites()).toEqual([c.path, a.path]);
    expect(await store.toggleFavorite(b)).toBe(true);
    await state.close();
    open();
    expect(state.problem).toBeNull();
    expect(await store.favorites()).toEqual([b.path, c.path, a.path]);
  });

  it("leave nothing behind when they are turned off", async () => {
    await store.toggleFavorite(a);
    await store.toggleFavorite(a);
    expect(countRows("marked_sessions")).toBe(0);
  });

  it("that are turned off keep their tags", async () => {
    await store.toggleFavorite(a);
    tag(a, "t");
    await store.toggleFavorite(a);
    expect(await store.marks([a])).toEqual(
      new Map([[a.path, { tag_ids: ["t"], is_favorite: false, archived_at: null, note_count: 0 }]]),
    );
  });
});

describe("marks", () => {
  it("are given for the sessions that were asked for and have some", async () => {
    tag(a, "t2", "t1");
    tag(b, "t1");
    await store.toggleFavorite(b);
    expect(await store.marks([a, b, c])).toEqual(
      new Map([
        [a.path, { tag_ids: ["t1", "t2"], is_favorite: false, archived_at: null, note_count: 0 }],
        [b.path, { tag_ids: ["t1"], is_favorite: true, archived_at: null, note_count: 0 }],
      ]),
    );
    expect([...(await store.marks([b])).keys()]).toEqual([b.path]);
    expect(await store.marks([])).toEqual(new Map());
  });

  it("are the same for a page and for all sessions", async () => {
    const sessions = Array.from({ length: 1200 }, (_, n) => ({ path: `/s/${n}.jsonl`, id: `${n}` }));
    for (const session of sessions.filter((_, n) => n % 100 === 0)) await store.toggleFavorite(session);
    await store.toggleFavorite(a);
    const all = await store.marks(sessions);
    const pages = await Promise.all([0, 400, 800].map((first) => store.marks(sessions.slice(first, first + 400))));
    expect(all.size).toBe(12);
    expect(new Map(pages.flatMap((page) => [...page]))).toEqual(all);
  });

  it("belong to a file, not to its copy", async () => {
    const copy = { path: "/s/copy.jsonl", id: a.id };
    await store.toggleFavorite(a);
    expect(await store.marks([a, copy])).toEqual(
      new Map([[a.path, { tag_ids: [], is_favorite: true, archived_at: null, note_count: 0 }]]),
    );
    await store.forget([copy.path]);
    expect(await store.favorites()).toEqual([a.path]);
  });

  it("keep any path as it is", async () => {
    const odd = { path: '/s/it\'s "odd" %_\\ 会議\u2028.jsonl', id: "x'; DROP TABLE tags" };
    await store.toggleFavorite(odd);
    expect(await store.favorites()).toEqual([odd.path]);
    expect((await store.marks([odd])).get(odd.path)?.is_favorite).toBe(true);
  });
});

describe("marks", () => {
  it("of sessions without any take no query where few have some, until marks have changed, here or elsewhere", async () => {
    const read = vi.spyOn(StateConnection.prototype, "read");
    const queriesOf = async (...sessions: SessionIdentity[]) => {
      read.mockClear();
      const marks = await store.marks(sessions);
      return { marked: [...marks.keys()], queries: read.mock.calls.length };
    };
    try {
      expect(await queriesOf(a, b)).toEqual({ marked: [], queries: 1 });
      expect(await queriesOf(a, b)).toEqual({ marked: [], queries: 0 });
      tag(b, "t1");
      expect(await queriesOf(a, b)).toEqual({ marked: [b.path], queries: 2 });
      expect(await queriesOf(a)).toEqual({ marked: [], queries: 0 });
      await store.toggleFavorite(a);
      expect(await queriesOf(a)).toEqual({ marked: [a.path], queries: 2 });
      const many = Array.from({ length: 1_000 }, (_, n) => ({ path: `/s/${n}.jsonl`, id: String(n) }));
      await state.tags.assign(many, "t1");
      expect(await queriesOf(c)).toEqual({ marked: [], queries: 2 });
      expect(await queriesOf(c)).toEqual({ marked: [], queries: 1 });
      expect((await queriesOf(...many)).marked).toHaveLength(1_000);
    } finally {
      read.mockRestore();
    }
  });
});

describe("sessionsWithTags", () => {
  it.each([
    [["t1"], [a.path, b.path]],
    [["t1", "t2"], [a.path]],
    [
      ["t1", "t1"],
      [a.path, b.path],
    ],
    [["t1", "unknown"], []],
    [[], []],
  ])("gives the sessions that have all of %j", async (tagIds, paths) => {
    tag(a, "t1", "t2");
    tag(b, "t1");
    await store.toggleFavorite(c);
    expect([...(await store.sessionsWithTags(tagIds))].sort()).toEqual(paths);
  });

  it("reads what it was asked for last again where marks have changed, here or elsewhere", async () => {
    tag(a, "t1");
    const before = await store.sessionsWithTags(["t1"]);
    expect(await store.sessionsWithTags(["t1"])).toBe(before);
    tag(b, "t1");
    expect(await store.sessionsWithTags(["t1"])).toEqual([a.path, b.path]);
    await store.forget([a.path]);
    expect(await store.sessionsWithTags(["t1"])).toEqual([b.path]);
  });
});

describe("sessionsUnderTag", () => {
  it.each([
    ["work", false, [a.path, b.path]],
    ["WÓRK", false, [a.path, b.path]],
    ["éTUDE", false, [b.path]],
    ["wor", false, []],
    ["wor", true, [a.path, b.path]],
    ["", true, [a.path, b.path, c.path]],
    ["other", false, [c.path]],
  ])("gives the sessions that %j (open: %j) or a tag below it leads to", async (value, prefix, paths) => {
    tag(a, "Work");
    tag(b, "Étude");
    tag(c, "other");
    const client = openDatabase(join(dataDir, "state.db"), { durability: "full" });
    client.prepare("UPDATE tags SET parent_id = 'Work' WHERE id = 'Étude'").run();
    client.close();
    expect([...(await store.sessionsUnderTag({ value, prefix }))].sort()).toEqual(paths);
  });
});

describe("names", () => {
  it("are set, changed and removed, with what was there only for them", async () => {
    expect(await store.names()).toEqual(new Map());
    await store.setName(a, "One");
    await store.setName(b, "Two");
    await store.setName(a, "Three");
    const names = await store.names();
    expect(names).toEqual(
      new Map([
        [a.path, "Three"],
        [b.path, "Two"],
      ]),
    );
    // What has not changed is the same map.
    await store.toggleFavorite(c);
    expect(await store.names()).toBe(names);
    await store.setName(a, "");
    expect(await store.names()).toEqual(new Map([[b.path, "Two"]]));
    expect(countRows("marked_sessions")).toBe(2);
    await store.toggleFavorite(b);
    await store.toggleFavorite(b);
    expect(await store.names()).toEqual(new Map([[b.path, "Two"]]));
    await store.forget([b.path]);
    expect(await store.names()).toEqual(new Map());
  });

  it("follow moved files, and the one of the new path wins", async () => {
    const moved = (session: SessionIdentity) => ({ path: `/moved${session.path}`, id: session.id });
    await store.setName(a, "One");
    await store.setName(b, "Two");
    await store.setName(moved(b), "Other");
    await store.follow([moved(a), moved(b)]);
    expect(await store.names()).toEqual(
      new Map([
        [moved(a).path, "One"],
        [moved(b).path, "Other"],
      ]),
    );
  });
});

describe("forget", () => {
  it("removes tags and favorite of one session", async () => {
    for (const session of [a, b]) {
      tag(session, "t");
      await store.toggleFavorite(session);
    }
    await store.forget([a.path]);
    await store.forget([a.path]);
    expect([...(await store.marks([a, b])).keys()]).toEqual([b.path]);
    expect(countRows("session_tags")).toBe(1);
    expect(countRows("favorites")).toBe(1);
  });
});

describe("follow", () => {
  const moved = { path: "/elsewhere/renamed.jsonl", id: a.id };

  it("carries marks along with a file that was moved while nobody watched, and keeps the order", async () => {
    tag(a, "t");
    await store.toggleFavorite(a);
    await store.toggleFavorite(b);
    await state.close();
    open();
    await store.follow([moved, b, c]);
    expect(await store.marks([a, moved])).toEqual(
      new Map([[moved.path, { tag_ids: ["t"], is_favorite: true, archived_at: null, note_count: 0 }]]),
    );
    expect(await store.favorites()).toEqual([b.path, moved.path]);
  });

  it("adds them to those that the new path has", async () => {
    tag(a, "t1", "t2");
    await store.toggleFavorite(a);
    tag(moved, "t2", "t3");
    await store.follow([moved]);
    expect(await store.marks([moved])).toEqual(
      new Map([[moved.path, { tag_ids: ["t1", "t2", "t3"], is_favorite: true, archived_at: null, note_count: 0 }]]),
    );
    expect(countRows("marked_sessions")).toBe(1);
  });

  it("keeps one favorite of two", async () => {
    for (const session of [a, b, moved]) await store.toggleFavorite(session);
    await store.follow([moved, b]);
    expect(await store.favorites()).toEqual([moved.path, b.path]);
  });

  it("keeps marks whose file is away for a while", async () => {
    await store.toggleFavorite(a);
    await store.follow([b]);
    await store.follow([a, b]);
    expect((await store.marks([a])).get(a.path)?.is_favorite).toBe(true);
  });

  it("learns an id that became readable later", async () => {
    await store.toggleFavorite({ path: a.path, id: "from the file name" });
    await store.follow([a]);
    await store.follow([moved]);
    expect(await store.favorites()).toEqual([moved.path]);
  });
});

describe("a file that is taken away under the running program", () => {
  it.each([
    ["removed", () => {}],
    ["replaced", () => openDatabase(join(dataDir, "state.db"), { durability: "full" }).close()],
  ])("and %s refuses changes instead of losing them", async (_, replace) => {
    await store.toggleFavorite(a);
    rmSync(join(dataDir, "state.db"));
    replace();
    await expect(store.toggleFavorite(b)).rejects.toMatchObject({ code: "UNAVAILABLE" });
  });
});

it.runIf(process.platform !== "win32")("keeps what it writes from other users", async () => {
  const dir = join(dataDir, "new", "data");
  const fresh = openUserState({ dataDir: dir, log: silent });
  await fresh.marks.toggleFavorite(a);
  const modeOf = (path: string) => (statSync(path).mode & 0o777).toString(8);
  expect(modeOf(dir)).toBe("700");
  for (const suffix of ["", "-wal", "-shm"]) expect(modeOf(join(dir, `state.db${suffix}`))).toBe("600");
  await fresh.close();
});
