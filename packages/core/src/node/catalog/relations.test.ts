import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import fc from "fast-check";
import { afterAll, beforeAll, beforeEach, expect, it } from "vitest";
import { openDatabase, type SqliteDatabase } from "../storage/sqlite.ts";
import { type CatalogWrites, NO_SESSION, prepareWrites } from "./catalog-writes.ts";
import { CATALOG_SQL } from "./index-schema.ts";
import { Relations } from "./relations.ts";

interface Session {
  path: string;
  id: string;
  relation: "fork" | "subagent" | null;
  reference: string | null;
  origin: string | null;
}

const NONE = { relation: null, reference: null, origin: null };

let directory: string;
let client: SqliteDatabase;
let writes: CatalogWrites;
let relations: Relations;

beforeAll(() => {
  directory = mkdtempSync(join(tmpdir(), "session-manager-relations-"));
});
afterAll(() => rmSync(directory, { recursive: true }));

beforeEach(() => {
  client?.close();
  client = openDatabase(join(directory, "relations.db"), { durability: "none" });
  start();
});

/** An empty catalog, in which the longer a session's name is, the later it went on. */
function start(): void {
  const tables = client.prepare("SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE 'sqlite%'");
  for (const name of tables.pluck().all()) client.exec(`DROP TABLE ${name}`);
  client.exec(CATALOG_SQL);
  writes = prepareWrites(client);
  const pathOf = client.prepare<[number], string>("SELECT path FROM files WHERE key = ?").pluck();
  relations = new Relations(client, (key) => {
    const path = pathOf.get(key) ?? "";
    const entry = { parent: -1, role: null, conversation: true, hasText: false, model: 0, length: 1 } as const;
    return [
      { ...entry, id: "first", offset: 0, timestamp: 0 },
      { ...entry, id: path, offset: 2, timestamp: path.length },
    ];
  });
}

function put({ path, id, relation, reference, origin }: Session): void {
  const stamp = { size: 1, mtime: 1, ctime: 1, inode: 1 };
  const row = { ...NO_SESSION, ...stamp, path, status: "session", shard: 0, format: "codex", session_id: id };
  const { lastInsertRowid } = writes.insert.run({ ...row, relation, parent_reference: reference, origin });
  relations.put({ key: Number(lastInsertRowid), path, id });
}

function remove(path: string): void {
  const key = client.prepare<[string], number>("SELECT key FROM files WHERE path = ?").pluck().get(path) ?? 0;
  relations.leaving(key);
  for (const statement of writes.drop) statement.run(key);
}

function change(changes: () => void): string[] {
  relations.begin();
  changes();
  relations.settle();
  return relations.take().sort();
}

interface Related {
  path: string;
  parent: string | null;
  folded: number;
}

function all(): Related[] {
  return client
    .prepare<[], Related>(
      `SELECT path, (SELECT p.path FROM files p WHERE p.key = files.parent) AS parent, folded FROM files ORDER BY path`,
    )
    .all();
}

it.each<[string, Session]>([
  ["by its ID", { path: "/s/child", id: "child", relation: "subagent", reference: "parent", origin: null }],
  ["by its path", { path: "/s/child", id: "child", relation: "subagent", reference: "/s/parent", origin: null }],
])("a parent is found %s whether it comes first or last, and lost when it goes", (_, child) => {
  const parent = { path: "/s/parent", id: "parent", ...NONE };
  const related = [
    { path: "/s/child", parent: "/s/parent", folded: 1 },
    { path: "/s/parent", parent: null, folded: 0 },
  ];
  change(() => put(child));
  expect(all()).toEqual([{ path: "/s/child", parent: null, folded: 0 }]);
  expect(change(() => put(parent))).toEqual(["/s/child", "/s/parent"]);
  expect(all()).toEqual(related);
  expect(change(() => remove("/s/parent"))).toEqual(["/s/child"]);
  expect(all()).toEqual([{ path: "/s/child", parent: null, folded: 0 }]);
  change(() => put(parent));
  change(() => remove("/s/child"));
  expect(change(() => put(child))).toEqual(["/s/child", "/s/parent"]);
  expect(all()).toEqual(related);
  // Written anew, under another key.
  expect(
    change(() => {
      remove("/s/parent");
      put(parent);
    }),
  ).toEqual(["/s/parent"]);
  expect(all()).toEqual(related);
});

it("tells of all that have started a subagent when it changes", () => {
  change(() => {
    put({ path: "/s/top", id: "top", ...NONE });
    put({ path: "/s/middle", id: "middle", relation: "subagent", reference: "top", origin: null });
    put({ path: "/s/below", id: "below", relation: "subagent", reference: "middle", origin: null });
  });
  const key = client.prepare<[], number>("SELECT key FROM files WHERE path = '/s/below'").pluck().get() ?? 0;
  expect(change(() => relations.put({ key, path: "/s/below", id: "below" }))).toEqual(["/s/middle", "/s/top"]);
  expect(change(() => remove("/s/below"))).toEqual(["/s/middle", "/s/top"]);
});

it("prefers a parent in the same folder, and none that is a subagent itself", () => {
  change(() => {
    put({ path: "/a/copy", id: "one", ...NONE });
    put({ path: "/b/one", id: "one", ...NONE });
    put({ path: "/b/agent", id: "one", relation: "subagent", reference: "nobody", origin: null });
    put({ path: "/b/child", id: "child", relation: "fork", reference: "one", origin: null });
  });
  expect(all()).toContainEqual({ path: "/b/child", parent: "/b/one", folded: 0 });
  change(() => remove("/b/one"));
  expect(all()).toContainEqual({ path: "/b/child", parent: "/a/copy", folded: 0 });
});

it("never hides sessions that name each other", () => {
  change(() => {
    put({ path: "/s/a", id: "a", relation: "subagent", reference: "b", origin: null });
    put({ path: "/s/b", id: "b", relation: "subagent", reference: "a", origin: null });
    put({ path: "/s/self", id: "self", relation: "subagent", reference: "self", origin: null });
  });
  const folded = all().filter((one) => one.folded === 1);
  expect(folded).toHaveLength(1);
  expect(all()).toContainEqual({ path: "/s/self", parent: null, folded: 0 });
});

it("finds copies in the same folder by their first entry", () => {
  change(() => {
    put({ path: "/s/aa", id: "aa", ...NONE, origin: "first" });
    put({ path: "/other/a", id: "a", ...NONE, origin: "first" });
  });
  expect(all().every(({ parent }) => parent === null)).toBe(true);
  expect(change(() => put({ path: "/s/a", id: "a", ...NONE, origin: "first" }))).toEqual(["/s/aa"]);
  expect(all()).toContainEqual({ path: "/s/aa", parent: "/s/a", folded: 0 });
  expect(change(() => remove("/s/a"))).toEqual(["/s/aa"]);
  expect(all()).toContainEqual({ path: "/s/aa", parent: null, folded: 0 });
});

it("has the same relations whatever the order in which files come and go, and tells of each that changes", () => {
  const name = fc.constantFrom("a", "bb", "ccc", "dddd", "eeeee");
  const folder = fc.constantFrom("/s", "/t");
  // A reference is always to a shorter name, so that there is no cycle, whose members depend on the order.
  const session = fc.record({
    name,
    folder,
    relation: fc.constantFrom("fork", "subagent"),
    to: name,
    isCopy: fc.boolean(),
  });
  const sessions = fc.uniqueArray(session, { selector: ({ name }) => name, maxLength: 5 });
  const made = sessions.map((some) =>
    some.map(({ name, folder, relation, to, isCopy }): Session => {
      const reference = to.length < name.length ? to : null;
      const told = isCopy || reference === null ? { relation: null, reference: null } : { relation, reference };
      return { path: `${folder}/${name}`, id: name, ...told, origin: isCopy ? "first" : null } as Session;
    }),
  );
  fc.assert(
    fc.property(made, fc.infiniteStream(fc.nat()), (some, numbers) => {
      const next = (below: number) => (numbers.next().value ?? 0) % below;
      start();
      const present = new Set<Session>();
      for (let step = 0; step < 12 && some.length > 0; step++) {
        const one = some[next(some.length)];
        if (one === undefined) continue;
        const before = new Map(all().map((row) => [row.path, row]));
        const isThere = present.delete(one);
        if (!isThere) present.add(one);
        const related = change(() => (isThere ? remove(one.path) : put(one)));
        for (const row of all()) {
          const was = before.get(row.path);
          if (was !== undefined && (was.parent !== row.parent || was.folded !== row.folded)) {
            expect(related).toContain(row.path);
          }
        }
      }
      const found = all();
      start();
      change(() => [...present].forEach(put));
      expect(found).toEqual(all());
      for (const { path, parent, folded } of found) {
        const { reference, relation } = [...present].find((session) => session.path === path) ?? NONE;
        if (reference === null) expect(parent === null || dirname(parent) === dirname(path)).toBe(true);
        else
          expect(parent?.split("/").at(-1) ?? null).toBe(
            [...present].some(({ id }) => id === reference) ? reference : null,
          );
        expect(folded).toBe(relation === "subagent" && parent !== null ? 1 : 0);
      }
    }),
  );
});
