import type { SearchOptions } from "@sm/core";
import { sql } from "drizzle-orm";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { log, TestHub } from "../catalog/hub.fixture.ts";
import { PostgresDatabase } from "../database/database.ts";
import { Hub } from "../hub.ts";
import { needsPostgres, type PostgresServer, startPostgres } from "../postgres-server.fixture.ts";
import { Users } from "../state/users.ts";

const SEARCH: Omit<SearchOptions, "query"> = { role: "all", sort: "newest", limit: 20, per_session: 3 };
const LIST = { sort: "modified", order: "desc", limit: 50 } as const;
const USERS = 12;
const SESSIONS = 1_000;

/** Rows of somebody with many sessions, as far as plans depend on them. */
const MANY = `
INSERT INTO machines (id, name) VALUES (gen_random_uuid(), 'm');
INSERT INTO session_files (machine_id, path, mode)
  SELECT id, '/s/' || n, 384 FROM machines, generate_series(1, ${SESSIONS}) AS n WHERE user_id = own_user_id();
INSERT INTO generations (file_key, id, state, bytes) SELECT key, gen_random_uuid(), 1, 10 FROM session_files
  WHERE user_id = own_user_id();
INSERT INTO sessions (file_key, generation_key, machine_id, path, session_id, format, project, modified_at, created_at, size,
  file_modified_at, message_count, title, summary, read_bytes, ends_in_lf, fingerprint, entry_count, indexed_count)
  SELECT f.key, g.key, machine_id, '/machines/' || machine_id || path, gen_random_uuid(), 'pi', '/p', f.key, f.key, 10, 1, 1,
    't', '{}', 10, true, '', 1, 1
  FROM session_files f JOIN generations g ON g.user_id = f.user_id AND g.file_key = f.key WHERE f.user_id = own_user_id();
INSERT INTO outline_chunks (session_key, place, entries) SELECT key, 0, 'x' FROM sessions WHERE user_id = own_user_id();
INSERT INTO activity_chunks (session_key, place, entries, rollup, details) SELECT key, 0, 1, 'x', 'x' FROM sessions
  WHERE user_id = own_user_id();
INSERT INTO chunks (hash, size, quality, packed)
  SELECT sha256(key::text::bytea), 1, 0, 'x' FROM sessions WHERE user_id = own_user_id();
INSERT INTO pieces (generation_key, start, size, hash)
  SELECT generation_key, 0, 1, sha256(key::text::bytea) FROM sessions WHERE user_id = own_user_id();
INSERT INTO tails (generation_key, start, size, quality, packed) SELECT generation_key, 1, 1, 0, 'x' FROM sessions
  WHERE user_id = own_user_id();
INSERT INTO answers (session_key, ordinal, answer, is_aside, model, tier, input, output, cache_read, cache_write, cache_write_1h)
  SELECT key, 0, key, 0, 0, 0, 1, 1, 1, 1, 1 FROM sessions WHERE user_id = own_user_id();
INSERT INTO corrections (session_key, ordinal, answer, model, tier, input, output, cache_read, cache_write, cache_write_1h)
  SELECT key, 0, key, 0, 0, 1, 1, 1, 1, 1 FROM sessions WHERE user_id = own_user_id();
INSERT INTO marked_sessions (path, session_id) SELECT path, session_id FROM sessions WHERE user_id = own_user_id();
INSERT INTO session_names (session_key, name) SELECT key, 'n' FROM marked_sessions WHERE user_id = own_user_id();
INSERT INTO text_segments (documents, sizes, superseded) SELECT 0, '{}', '{}' FROM generate_series(1, ${SESSIONS});
INSERT INTO text_chunks (segment_id, component, chunk, bytes)
  SELECT id, 0, n, 'x' FROM text_segments, generate_series(1, 2) AS n WHERE user_id = own_user_id();
`;

describe.runIf(needsPostgres())("a hub with many sessions of others", () => {
  let postgres: PostgresServer;
  let url: string;

  beforeAll(async () => {
    postgres = await startPostgres();
    url = await postgres.newDatabase();
    await inDatabase(async (database) => {
      const users = new Users(database);
      for (let number = 0; number < USERS; number++) {
        const { id } = await users.create(`user ${number}`, "member");
        await database.write(id, (db) => db.execute(sql.raw(MANY)));
      }
      await database.asService((db) => db.execute(sql`ANALYZE`));
    });
  }, 120_000);

  afterAll(() => postgres.close());

  async function inDatabase<T>(use: (database: PostgresDatabase) => Promise<T>): Promise<T> {
    const database = await PostgresDatabase.open({ url, log });
    try {
      return await use(database);
    } finally {
      await database.close();
    }
  }

  /** How many rows were read of each table, without the small ones. Connections tell so at their end at last. */
  async function readRows(): Promise<Map<string, number>> {
    const { rows } = await inDatabase((database) =>
      database.asService((db) =>
        db.execute<{ name: string; rows: string }>(sql`
          SELECT c.relname AS name, seq_tup_read + coalesce(idx_tup_fetch, 0) AS rows FROM pg_stat_user_tables s JOIN pg_class c ON c.oid = s.relid
          WHERE reltuples >= ${SESSIONS}`),
      ),
    );
    return new Map(rows.map(({ name, rows: count }) => [name, Number(count)]));
  }

  it("is sent to, indexed, shared, listed, read, searched and counted without reading what others have", async () => {
    const before = await readRows();
    expect(before.size).toBeGreaterThan(14);
    const hub = await Hub.open({ url, log, mostWaiting: 100 });
    const owner = await TestHub.open(url);
    const reader = await TestHub.open(url);
    const send = (of: TestHub, cwd: string) => of.send(`/home/x/.pi/agent/sessions${cwd}.jsonl`, sessionOf(cwd));
    try {
      for (const cwd of ["/shared", "/private"]) await send(owner, cwd);
      await send(reader, "/own");
      await owner.indexed();
      await reader.indexed();
      await hub.spaceOf(owner.userId).sharedProjects.share({ project: "/shared", users: [reader.userId] });
      await owner.indexed();
      const { library, sharedProjects } = hub.spaceOf(reader.userId);
      const path = owner.pathOf("/home/x/.pi/agent/sessions/shared.jsonl");
      const page = await library.list(LIST);
      expect(page.sessions.map(({ title }) => title).sort()).toEqual(["of /own", "of /shared"]);
      await library.list({ ...LIST, sort: "title", query: "shared" });
      await library.transcriptJson({ path, limit: 10 });
      expect((await library.search({ ...SEARCH, query: "of" })).hits).toHaveLength(2);
      await library.statistics({});
      await library.noteSharedChanges();
      await library.eventsAfter(0);
      expect(await sharedProjects.list()).toHaveLength(1);
      await library.toggleFavorite(path);
      await send(owner, "/shared/more");
      await owner.indexed();
      await hub.spaceOf(owner.userId).library.list(LIST);
    } finally {
      await owner.close();
      await reader.close();
      await hub.close();
    }
    const after = await readRows();
    expect(
      [...after].flatMap(([name, rows]) => {
        const read = rows - (before.get(name) ?? 0);
        return read >= SESSIONS ? [`${read} of ${name}`] : [];
      }),
    ).toEqual([]);
  }, 60_000);
});

function sessionOf(cwd: string): Buffer {
  const header = { type: "session", version: 3, id: cwd, timestamp: "2026-03-01T10:00:00.000Z", cwd };
  const entry = {
    ...{ type: "message", id: "e1", parentId: null, timestamp: "2026-03-01T10:00:01.000Z" },
    message: { role: "user", content: [{ type: "text", text: `of ${cwd}` }] },
  };
  return Buffer.from(`${JSON.stringify(header)}\n${JSON.stringify(entry)}\n`);
}
