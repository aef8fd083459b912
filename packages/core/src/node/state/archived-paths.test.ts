import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { openDatabase } from "../storage/sqlite.ts";
import type { StateStore, UserState } from "./ports.ts";
import { openUserState } from "./user-state.ts";

const a = { path: "/s/a.jsonl", id: "a" };
const b = { path: "/s/b.jsonl", id: "b" };
const moved = { path: "/elsewhere/renamed.jsonl", id: a.id };
const EARLY = "2026-01-02T03:04:05.000Z";
const LATE = "2026-02-03T04:05:06.000Z";

let dataDir: string;
let state: UserState;
let store: StateStore;

beforeEach(() => {
  dataDir = mkdtempSync(join(tmpdir(), "archived-"));
  state = openUserState({ dataDir, log: { info: () => {}, warn: () => {}, error: () => {} } });
  store = state.marks;
});

afterEach(async () => {
  await state.close();
  rmSync(dataDir, { recursive: true, force: true });
});

const archivedAt = async (path: string) => (await store.marks([{ path }])).get(path)?.archived_at;

function inOtherProcess(sql: string): unknown {
  const client = openDatabase(join(dataDir, "state.db"), { durability: "full" });
  const statement = client.prepare(sql);
  const value = statement.reader ? statement.pluck().get() : statement.run();
  client.close();
  return value;
}

describe("archived sessions", () => {
  it("leave nothing behind when they are taken back, and keep their other marks", async () => {
    await store.setArchived([a, b], EARLY);
    await store.toggleFavorite(b);
    await store.setArchived([a, b], null);
    expect(inOtherProcess("SELECT group_concat(path) FROM marked_sessions")).toBe(b.path);
    await store.setArchived([b], LATE);
    await store.toggleFavorite(b);
    expect(await archivedAt(b.path)).toBe(LATE);
  });

  it("are the same set until one has changed, whoever has changed it", async () => {
    await store.setArchived([a], EARLY);
    const before = await store.archived();
    await store.toggleFavorite(b);
    await store.setArchived([a], LATE);
    inOtherProcess("INSERT INTO favorites (session_key) SELECT key FROM marked_sessions WHERE session_id = 'a'");
    expect(await store.archived()).toBe(before);
    await store.setArchived([b], LATE);
    expect(await store.archived()).toEqual(new Set([a.path, b.path]));
    expect(before).toEqual(new Set([a.path]));
    inOtherProcess("DELETE FROM archived_sessions");
    expect(await store.archived()).toEqual(new Set());
  });

  it("keep the time of the file that was there first", async () => {
    await store.setArchived([a], EARLY);
    await store.setArchived([moved], LATE);
    await store.follow([moved]);
    expect(await archivedAt(moved.path)).toBe(LATE);
    expect(inOtherProcess("SELECT count(*) FROM marked_sessions")).toBe(1);
  });

  it("of many are changed at once", async () => {
    const many = Array.from({ length: 20_000 }, (_, n) => ({ path: `/s/${n}.jsonl`, id: `${n}` }));
    expect(await store.setArchived(many, EARLY)).toHaveLength(20_000);
    let turns = 0;
    const counting = setInterval(() => turns++, 0);
    inOtherProcess("DELETE FROM archived_sessions WHERE session_key = 1");
    const reading = store.archived();
    // Changed while it is read.
    expect(await store.setArchived([a], EARLY)).toEqual([a.path]);
    expect((await reading).has(a.path)).toBe(true);
    clearInterval(counting);
    expect(turns).toBeGreaterThan(1);
    expect((await store.archived()).size).toBe(20_000);
    expect(await store.setArchived([a], null)).toEqual([a.path]);
    expect(await store.setArchived(many, null)).toHaveLength(19_999);
    // That of which the other process took only the mark.
    expect(inOtherProcess("SELECT count(*) FROM marked_sessions")).toBe(1);
  });
});
