import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import fc from "fast-check";
import { afterAll, beforeAll, beforeEach, expect, it } from "vitest";
import { noUsage } from "../../session/usage.ts";
import { work } from "../session-file/work.ts";
import { openDatabase, type SqliteDatabase } from "../storage/sqlite.ts";
import { Answers } from "./answers.ts";
import { type CatalogWrites, NO_SESSION, prepareWrites } from "./catalog-writes.ts";
import { CATALOG_SQL, USAGE_COLUMNS } from "./index-schema.ts";

interface Session {
  path: string;
  created: number;
  parent: string | null;
  answers: { id: string; request: string | null; isAside: boolean; output: number }[];
}

let directory: string;
let client: SqliteDatabase;
let writes: CatalogWrites;
let answers: Answers;

beforeAll(() => {
  directory = mkdtempSync(join(tmpdir(), "session-manager-answers-"));
});
afterAll(() => {
  client.close();
  rmSync(directory, { recursive: true });
});
beforeEach(start);

function start(): void {
  client?.close();
  client = openDatabase(join(directory, "answers.db"), { durability: "none" });
  const tables = client.prepare("SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE 'sqlite%'");
  for (const name of tables.pluck().all()) client.exec(`DROP TABLE ${name}`);
  client.exec(CATALOG_SQL);
  writes = prepareWrites(client);
  answers = new Answers(client);
}

const keyOf = (path: string) =>
  client.prepare<[string], number>("SELECT key FROM files WHERE path = ?").pluck().get(path) ?? null;

function put({ path, created, answers: said }: Session): void {
  const stamp = { size: 1, mtime: 1, ctime: 1, inode: 1 };
  const row = { ...NO_SESSION, ...stamp, path, status: "session", shard: 0, format: "claude-code" };
  const key = Number(writes.insert.run({ ...row, created_at: created }).lastInsertRowid);
  answers.put(
    key,
    said.map(({ id, request, isAside, output }, ordinal) => ({
      ordinal,
      identity: { id, request, isAside },
      model: 1,
      tier: 1,
      usage: { ...noUsage(), output_tokens: output, total_tokens: output },
    })),
  );
}

function remove(path: string): void {
  const key = keyOf(path) ?? 0;
  answers.changing(key);
  for (const statement of writes.drop) statement.run(key);
}

/** As `Relations` does it where a parent has come or gone. */
function relate(sessions: readonly Session[]): void {
  for (const { path, parent } of sessions) {
    const key = keyOf(path);
    const above = parent === null ? null : keyOf(parent);
    const { changes } = client
      .prepare("UPDATE files SET parent = ? WHERE key = ? AND parent IS NOT ?")
      .run(above, key, above);
    if (changes > 0 && key !== null) answers.changing(key);
  }
}

function change(changes: () => void): string[] {
  answers.begin();
  changes();
  answers.settle();
  return answers.take().sort();
}

function corrections() {
  return client
    .prepare(
      `SELECT path, ordinal, ${USAGE_COLUMNS.join(", ")} FROM corrections JOIN files USING (key) ORDER BY path, ordinal`,
    )
    .all();
}

const one = (path: string, created: number, output = 5): Session => ({
  ...{ path, created, parent: null },
  answers: [{ id: "msg_1", request: "req_1", isAside: false, output }],
});

it("writes nothing but the answers themselves while no two sessions have one", () => {
  const before = work.rowsWritten;
  expect(change(() => put(one("/a", 1)))).toEqual([]);
  expect(work.rowsWritten - before).toBe(1);
  expect(corrections()).toEqual([]);
});

it("follows copies that come and go", () => {
  change(() => put(one("/b", 2)));
  expect(change(() => put(one("/c", 3)))).toEqual(["/c"]);
  expect(change(() => put(one("/a", 1)))).toEqual(["/b"]);
  expect(corrections()).toMatchObject([
    { path: "/b", output: -5 },
    { path: "/c", output: -5 },
  ]);
  expect(change(() => remove("/a"))).toEqual(["/b"]);
  expect(change(() => remove("/c"))).toEqual([]);
  expect(corrections()).toEqual([]);
});

const PATHS = ["/a", "/b", "/c", "/d"];
const session = fc.record({
  path: fc.constantFrom(...PATHS),
  created: fc.nat(2),
  parent: fc.option(fc.constantFrom(...PATHS)),
  answers: fc.array(
    fc.record({
      id: fc.constantFrom("msg_1", "msg_2"),
      request: fc.constantFrom(null, "req_1", "req_2"),
      isAside: fc.boolean(),
      output: fc.nat(3),
    }),
    { maxLength: 4 },
  ),
});

it("says the same in whatever order files appear, change and go", () => {
  fc.assert(
    fc.property(
      fc.array(fc.array(session, { maxLength: 3 }), { maxLength: 6 }),
      fc.infiniteStream(fc.nat(7)),
      (batches, random) => {
        start();
        const present = new Map<string, Session>();
        for (const batch of batches) {
          change(() => {
            for (const next of batch) {
              if (present.has(next.path)) remove(next.path);
              present.delete(next.path);
              // One in eight is only removed.
              if (random.next().value === 0) continue;
              present.set(next.path, next);
              put(next);
            }
            relate([...present.values()]);
          });
        }
        const found = corrections();
        start();
        change(() => {
          for (const path of PATHS) {
            const kept = present.get(path);
            if (kept !== undefined) put(kept);
          }
          relate([...present.values()]);
        });
        expect(found).toEqual(corrections());
      },
    ),
    { numRuns: 200 },
  );
});
