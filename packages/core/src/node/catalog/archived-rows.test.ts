import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { LIST, SessionText, TestHome, untilIndexed } from "../library/library.fixture.ts";
import { openDatabase, type SqliteDatabase } from "../storage/sqlite.ts";
import { ArchivedRows } from "./archived-rows.ts";
import { NO_SESSION, prepareWrites } from "./catalog-writes.ts";
import { CATALOG_SQL } from "./index-schema.ts";
import { ListRows } from "./list-rows.ts";

const SESSIONS = 2_000;
const STAMP = { size: 1, mtime: 1, ctime: 1, inode: 1 };
const paths = Array.from({ length: SESSIONS }, (_, n) => `/home/${n}.jsonl`);

describe("rows of archived sessions", () => {
  let directory: string;
  let client: SqliteDatabase;
  let rowsRead: number;
  let turns: number;
  const pace = {
    turn: async () => {
      turns++;
    },
  };

  beforeEach(() => {
    directory = mkdtempSync(join(tmpdir(), "session-manager-archived-rows-"));
    client = openDatabase(join(directory, "list.db"), { durability: "none" });
    client.exec(CATALOG_SQL);
    const { insert } = prepareWrites(client);
    client.transaction(() => {
      for (const [n, path] of paths.entries()) {
        insert.run({ ...NO_SESSION, ...STAMP, path, status: "session", shard: 0, format: "pi", modified_at: n });
      }
    })();
    rowsRead = 0;
    turns = 0;
  });

  afterEach(() => {
    client.close();
    rmSync(directory, { recursive: true });
  });

  /** Counts the rows that are read. */
  function counted(): SqliteDatabase {
    return new Proxy(client, {
      get: (_, name) =>
        name !== "prepare"
          ? Reflect.get(client, name)
          : (sql: string) => {
              const statement = client.prepare(sql);
              const all = statement.all.bind(statement);
              return Object.assign(statement, {
                all: (...values: never[]) => {
                  const found = all(...values);
                  rowsRead += found.length;
                  return found;
                },
              });
            },
    });
  }

  it("are read once, and afterwards those that have changed", async () => {
    const rows = new ArchivedRows(counted());
    const archived = new Set(paths.slice(0, 1_500));
    rows.set(archived);
    await rows.refresh(pace);
    expect([rowsRead, rows.count({}), turns >= 7]).toEqual([1_500, 1_500, true]);
    rows.changed(paths.slice(1_495, 1_505));
    await rows.refresh(pace);
    expect(rowsRead).toBe(1_505);
    rows.set(new Set([...archived, ...paths.slice(1_900, 1_903)].slice(1)));
    await rows.refresh(pace);
    expect([rowsRead, rows.count({})]).toEqual([1_508, 1_502]);
    const { places, total } = rows.places({ ...LIST, limit: 2 }, null);
    expect([places.map(({ value }) => value), total]).toEqual([[1_902, 1_901, 1_900], 1_502]);
    expect(rowsRead).toBe(1_508);
  });

  it("are those of sessions that exist", async () => {
    const rows = new ArchivedRows(client);
    rows.set(new Set(["/home/0.jsonl", "/home/gone.jsonl"]));
    await rows.refresh(pace);
    expect([rows.paths, rows.keys.size, rows.has("/home/gone.jsonl")]).toEqual([["/home/0.jsonl"], 1, true]);
    client.exec("DELETE FROM files WHERE path = '/home/0.jsonl'");
    rows.changed(["/home/0.jsonl"]);
    await rows.refresh(pace);
    expect([rows.paths, rows.keys.size]).toEqual([[], 0]);
  });
});

it("the list that is asked for most reads no rows of all sessions, however many are archived", async () => {
  await using home = await TestHome.create();
  const written = await Promise.all(
    Array.from({ length: 60 }, (_, n) => home.write(`p/${n}.jsonl`, new SessionText({}, n * 60_000).user("x").lines)),
  );
  const library = await home.open({ watch: false });
  await untilIndexed(library);
  const places = vi.spyOn(ListRows.prototype, "places");
  // The newest forty: a page has to skip them.
  await library.setArchived(written.slice(20), true);
  for (const [options, expected] of [
    [{}, written.slice(0, 20).toReversed()],
    [{ archived: "only" }, written.slice(20).toReversed()],
    [{ archived: "include" }, written.toReversed()],
    [{ order: "asc" }, written.slice(0, 20)],
  ] as const) {
    const found: string[] = [];
    let cursor: string | null = null;
    do {
      const page = await library.list({ ...LIST, limit: 7, ...options, cursor });
      found.push(...page.sessions.map(({ path }) => path));
      expect(page.total).toBe(expected.length);
      cursor = page.next_cursor;
    } while (cursor !== null);
    expect(found).toEqual(expected);
  }
  expect(places).not.toHaveBeenCalled();
  await library.list({ archived: "only", sort: "size" });
  expect(places).toHaveBeenCalledOnce();
  places.mockRestore();
});
