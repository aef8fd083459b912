import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { ListOptions, SessionSort } from "../../library.ts";
import { SessionFold } from "../../session/session-fold.ts";
import { LIST } from "../library/library.fixture.ts";
import { openDatabase, type SqliteDatabase } from "../storage/sqlite.ts";
import { type CatalogWrites, NO_SESSION, prepareWrites } from "./catalog-writes.ts";
import { CATALOG_SQL } from "./index-schema.ts";
import { type ChosenSessions, ListRows } from "./list-rows.ts";
import type { Place } from "./page-cursor.ts";
import { checksumOf, encodeSummary } from "./stored-session.ts";

interface Session {
  path: string;
  id: string;
  project: string | null;
  modified: string;
  size: number;
  title: string;
}

const SORTS: SessionSort[] = ["modified", "created", "size", "messages", "cost", "title"];

const STAMP = { size: 1, mtime: 1, ctime: 1, inode: 1 };

let directory: string;
let client: SqliteDatabase;
let writes: CatalogWrites;
beforeAll(() => {
  directory = mkdtempSync(join(tmpdir(), "session-manager-list-rows-"));
  client = openDatabase(join(directory, "list.db"), { durability: "none" });
  client.exec(CATALOG_SQL);
  writes = prepareWrites(client);
  client.exec(
    "CREATE TABLE expected (key INTEGER PRIMARY KEY, path, project, modified, created, size, messages, cost, title, text)",
  );
});
afterAll(() => {
  client.close();
  rmSync(directory, { recursive: true });
});

/** Replaces what there is, as the indexing threads do. */
function write(sessions: readonly Session[]): void {
  client.exec("DELETE FROM files; DELETE FROM summaries; DELETE FROM expected");
  for (const session of sessions) put(session);
  // Not a session.
  writes.insert.run({ ...NO_SESSION, ...STAMP, path: "/skipped", status: "skipped", shard: 0, size: 1 });
}

function put({ path, id, project, modified, size, title }: Session): void {
  const time = Date.parse(modified);
  const fold = new SessionFold();
  fold.add({ type: "session", version: 3, id, timestamp: modified, cwd: project ?? undefined }, 0, 1);
  const { state, ...more } = fold.summary();
  const usage = { ...state.usage, cost_usd: size / 4 };
  const summary = encodeSummary({ state: { ...state, name: title, message_count: size % 3, usage }, ...more });
  const { lastInsertRowid } = writes.insert.run({
    ...NO_SESSION,
    ...STAMP,
    ...{ path, size, project, status: "session", session_id: id, format: "pi", shard: 0, message_count: size % 3 },
    ...{ modified_at: time, created_at: time },
  });
  const key = Number(lastInsertRowid);
  const row = { key, path, size, mtime: STAMP.mtime, sessionId: id, format: "pi" as const, project, summary };
  writes.putSummary.run(key, summary, checksumOf(row));
  const shown = title || basename(path, ".jsonl");
  const text = [shown, project, path, id].join("\n").toLowerCase();
  client
    .prepare("INSERT INTO expected VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)")
    .run(key, path, project, time, time, size, size % 3, size / 4, shown, text);
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

/** What SQLite gives. */
function expected(options: ListOptions, paths: readonly string[] | null): Place[] {
  const conditions = ["TRUE"];
  const values: unknown[] = [];
  for (const word of (options.query ?? "").toLowerCase().split(/\s+/).filter(Boolean)) {
    conditions.push("instr(text, ?) > 0");
    values.push(word);
  }
  if (options.project !== undefined) conditions.push("project = ?") && values.push(options.project);
  if (options.since !== undefined) conditions.push("modified >= ?") && values.push(Date.parse(options.since));
  if (options.until !== undefined) conditions.push("modified < ?") && values.push(Date.parse(options.until));
  if (paths !== null) conditions.push("path IN (SELECT value FROM json_each(?))") && values.push(JSON.stringify(paths));
  return client
    .prepare(
      `SELECT ${options.sort} AS value, key FROM expected WHERE ${conditions.join(" AND ")}
        ORDER BY value ${options.order}, key`,
    )
    .all(...values) as Place[];
}

function chosen(paths: readonly string[] | null): ChosenSessions {
  return { paths, without: [], isChosen: () => true };
}

/** Turns the pages. */
async function listed(rows: ListRows, options: ListOptions, paths: readonly string[] | null): Promise<Place[]> {
  const found: Place[] = [];
  for (let start: Place | null = null; ; start = found.at(-1) ?? null) {
    const { places, total } = await rows.places(options, chosen(paths), start);
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
const time = fc.integer({ min: 1, max: 9 }).map((day) => `2026-01-0${day}T00:00:00.000Z`);
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
    const find = (text: string) => rows.places({ ...LIST, sort: "size", query: text }, chosen(null), null);
    const first = find("before");
    let turns = 0;
    const turn = setInterval(() => turns++, 0);
    await new Promise((resolve) => setImmediate(resolve));
    client.exec("DELETE FROM files WHERE path = '/home/0.jsonl'");
    for (const session of sessionsNamed(1)) put({ ...session, title: "after" });
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
    const find = () => rows.places({ ...LIST, sort: "size", query: "before" }, chosen(null), null);
    expect((await find()).total).toBe(5_000);
    const underWay = [find(), find()];
    rows.close();
    for (const one of [...underWay, find()]) await expect(one).rejects.toMatchObject({ code: "UNAVAILABLE" });
  });
});
