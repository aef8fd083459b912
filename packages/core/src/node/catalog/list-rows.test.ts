import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { ListOptions, SessionSort } from "../../library.ts";
import { LIST } from "../library/library.fixture.ts";
import { openDatabase, type SqliteDatabase } from "../storage/sqlite.ts";
import { ListRows } from "./list-rows.ts";
import type { Place } from "./page-cursor.ts";

interface Session {
  path: string;
  id: string;
  project: string | null;
  modified: string;
  size: number;
  title: string;
}

const SORTS: SessionSort[] = ["modified", "created", "size", "messages", "cost", "title"];

let directory: string;
let client: SqliteDatabase;
beforeAll(() => {
  directory = mkdtempSync(join(tmpdir(), "session-manager-list-rows-"));
  client = openDatabase(join(directory, "list.db"), { durability: "none" });
  client.exec(`
    CREATE TABLE files (key INTEGER PRIMARY KEY AUTOINCREMENT, status TEXT, path TEXT UNIQUE, session_id TEXT, project TEXT, format TEXT,
      modified_at TEXT, created_at TEXT, size INTEGER, message_count INTEGER, cost REAL, title TEXT);
    CREATE TABLE filter_texts (key INTEGER PRIMARY KEY, text TEXT);
  `);
});
afterAll(() => {
  client.close();
  rmSync(directory, { recursive: true });
});

/** Replaces what there is, as the indexing threads do. */
function write(sessions: readonly Session[]): void {
  client.exec("DELETE FROM files; DELETE FROM filter_texts");
  const file = client.prepare(
    "INSERT INTO files VALUES (NULL, 'session', @path, @id, @project, 'pi', @modified, @modified, @size, @size % 3, @size / 4.0, @title)",
  );
  const text = client.prepare("INSERT INTO filter_texts VALUES (?, ?)");
  for (const session of sessions) {
    const { lastInsertRowid } = file.run(session);
    text.run(lastInsertRowid, [session.title, session.project, session.path, session.id].join("\n").toLowerCase());
  }
  // Neither is a session.
  file.run({ path: "/skipped", id: "", project: null, modified: "", size: 1, title: "capercaillie" });
  client.exec("UPDATE files SET status = 'skipped' WHERE path = '/skipped'");
}

function sessionsNamed(count: number): Session[] {
  return Array.from({ length: count }, (_, number) => ({
    path: `/home/${number}.jsonl`,
    id: `${number}`,
    project: null,
    modified: "2026-01-01T00:00:00.000Z",
    size: number,
    title: "before",
  }));
}

/** What SQLite gives, of which the catalog's own indexes are made. */
function expected(options: ListOptions, paths: readonly string[] | null): Place[] {
  const columns = { modified: "modified_at", created: "created_at", messages: "message_count" } as Record<
    string,
    string
  >;
  const value = columns[options.sort] ?? options.sort;
  const conditions = ["status = 'session'"];
  const values: unknown[] = [];
  for (const word of (options.query ?? "").toLowerCase().split(/\s+/).filter(Boolean)) {
    conditions.push("instr(text, ?) > 0");
    values.push(word);
  }
  if (options.project !== undefined) conditions.push("project = ?") && values.push(options.project);
  if (options.since !== undefined) conditions.push("modified_at >= ?") && values.push(options.since);
  if (options.until !== undefined) conditions.push("modified_at < ?") && values.push(options.until);
  if (paths !== null) conditions.push("path IN (SELECT value FROM json_each(?))") && values.push(JSON.stringify(paths));
  return client
    .prepare(
      `SELECT ${value} AS value, files.key FROM files JOIN filter_texts USING (key) WHERE ${conditions.join(" AND ")}
        ORDER BY value ${options.order}, files.key`,
    )
    .all(...values) as Place[];
}

/** Turns the pages. */
async function listed(rows: ListRows, options: ListOptions, paths: readonly string[] | null): Promise<Place[]> {
  const found: Place[] = [];
  for (let start: Place | null = null; ; start = found.at(-1) ?? null) {
    const { places, total } = await rows.places(options, paths, start);
    expect(places.length).toBe(Math.min(total - found.length, options.limit + 1));
    found.push(...places.slice(0, options.limit));
    if (places.length <= options.limit) return found;
  }
}

const number = fc.integer({ min: 0, max: 40 });
const path = number.map((n) => `/Home/d${n % 3}/${n}.jsonl`);
const word = fc.constantFrom("Otter", "böse", "🦦", "ﬀ", "a", "zz", "x y");
const query = fc.oneof(
  word,
  fc.constantFrom("d1", "home/d2/", "d1/1", "/3", "/a", "/a\n", "id-", "3.JSONL", "d0/3 a", "/"),
);
const time = fc.integer({ min: 0, max: 9 }).map((day) => `2026-01-0${day}T00:00:00.000Z`);
const sessions = fc.uniqueArray(
  fc.record({
    path,
    id: number.map((n) => (n % 2 === 0 ? `${n}` : `ID-${n}`)),
    project: fc.constantFrom(null, "/a", "/b"),
    modified: time,
    size: fc.integer({ min: 0, max: 5 }),
    title: fc.array(word, { maxLength: 3 }).map((words) => words.join(" ")),
  }),
  { selector: ({ path }) => path, maxLength: 30 },
);
const options = fc
  .record(
    {
      sort: fc.constantFrom(...SORTS),
      order: fc.constantFrom("asc" as const, "desc" as const),
      limit: fc.integer({ min: 1, max: 7 }),
      query,
      project: fc.constantFrom("/a", "/c"),
      since: time,
      until: time,
    },
    { requiredKeys: ["sort", "order", "limit"] },
  )
  .map((some): ListOptions => ({ ...LIST, ...some }));
const given = fc.option(fc.array(path));

describe("filtered lists", () => {
  it("have what SQLite finds, in its order, page by page, whatever changes between", async () => {
    await fc.assert(
      fc.asyncProperty(sessions, sessions, options, given, async (before, after, wanted, paths) => {
        write(before);
        const rows = new ListRows(client);
        expect(await listed(rows, wanted, paths)).toEqual(expected(wanted, paths));
        write(after);
        rows.changed([...before, ...after].map(({ path }) => path));
        expect(await listed(rows, wanted, paths)).toEqual(expected(wanted, paths));
        rows.close();
      }),
    );
  });

  it("have what changes while the rows are read, and let others have their turn", async () => {
    client.transaction(() => write(sessionsNamed(20_000)))();
    const rows = new ListRows(client);
    const find = (text: string) => rows.places({ ...LIST, sort: "size", query: text }, null, null);
    const first = find("before");
    let turns = 0;
    const turn = setInterval(() => turns++, 0);
    await new Promise((resolve) => setImmediate(resolve));
    client.exec("UPDATE filter_texts SET text = 'after' WHERE key = (SELECT key FROM files WHERE size = 0)");
    rows.changed(["/home/0.jsonl"]);
    const [one, other] = await Promise.all([first, find("after")]);
    clearInterval(turn);
    expect([one.total, other.total]).toEqual([19_999, 1]);
    expect(turns).toBeGreaterThan(1);
    rows.close();
  });

  it("are unavailable when the index is closed meanwhile, and afterwards", async () => {
    client.transaction(() => write(sessionsNamed(5_000)))();
    const rows = new ListRows(client);
    const find = () => rows.places({ ...LIST, sort: "size", query: "before" }, null, null);
    expect((await find()).total).toBe(5_000);
    const underWay = [find(), find()];
    rows.close();
    for (const one of [...underWay, find()]) await expect(one).rejects.toMatchObject({ code: "UNAVAILABLE" });
  });
});
