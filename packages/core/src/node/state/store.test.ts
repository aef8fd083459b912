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
