import { type AddressInfo, connect, createServer } from "node:net";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { AppError } from "@sm/core";
import { sql } from "drizzle-orm";
import { getTableConfig } from "drizzle-orm/pg-core";
import pg from "pg";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import * as catalogTables from "../catalog/schema.ts";
import * as fileTables from "../files/schema.ts";
import { PostgresPreparedExports } from "../library/prepared-exports.ts";
import { needsPostgres, type PostgresServer, startPostgres } from "../postgres-server.fixture.ts";
import * as stateTables from "../state/schema.ts";
import { TokenDirectory } from "../state/token-directory.ts";
import { userStateOf } from "../state/user-state.ts";
import { Users } from "../state/users.ts";
import { PostgresDatabase, type Queries } from "./database.ts";
import { LOCKS } from "./locks.ts";
import { migrate } from "./migrate.ts";
import { MIGRATIONS } from "./migrations/all.ts";
import { whileUserLocked } from "./user-lock.ts";

const log = { info: () => {}, warn: () => {}, error: () => {} };
const session = { path: "/s/a.jsonl", id: "a" };
const AT = "2026-01-02T03:04:05.000Z";
const ARCHIVE = {
  ...{ paths: ["/machines/m/a\0\ud800.jsonl"], format: "html" as const, theme: "system" as const },
  ...{ include_thinking: true, include_tools: true, redact: false },
};

describe.runIf(needsPostgres())("a database of a hub", () => {
  let server: PostgresServer;
  let url: string;
  const opened: { close(): Promise<void> }[] = [];

  const open = async (given = url) => {
    const database = await PostgresDatabase.open({ url: given, log, connections: 4 });
    opened.push(database);
    return database;
  };

  const directoryOf = async (database: PostgresDatabase) => {
    const tokens = new TokenDirectory(database, { url, log });
    opened.push(tokens);
    await tokens.refresh();
    return tokens;
  };

  beforeAll(async () => {
    server = await startPostgres();
  });

  beforeEach(async () => {
    url = await server.newDatabase();
    return async () => {
      for (const one of opened.splice(0).reverse()) await one.close();
    };
  });

  afterAll(() => server.close());

  async function query<Row extends pg.QueryResultRow>(text: string): Promise<Row[]> {
    const client = new pg.Client({ connectionString: url });
    await client.connect();
    try {
      return (await client.query<Row>(text)).rows;
    } finally {
      await client.end();
    }
  }

  it("is made by one of several servers that start together, and found by the others", async () => {
    await Promise.all(Array.from({ length: 4 }, () => open()));
    await open();
    const steps = await query<{ version: number }>("SELECT version FROM schema_steps ORDER BY version");
    expect(steps.map(({ version }) => version)).toEqual(MIGRATIONS.map(({ version }) => version));
  });

  it.each(["read", "readVisible", "write"] as const)("plans once what %s is often asked by keys", async (way) => {
    const database = await PostgresDatabase.open({ url, log, connections: 1 });
    opened.push(database);
    const { id } = await new Users(database).create("ada", "member");
    const ask = (key: number) =>
      database[way](
        id,
        (db) => db.execute(sql`SELECT path FROM sessions WHERE key = ANY (${sql.param([key])}::bigint[])`),
        { byKeys: true },
      );
    for (let key = 0; key < 40; key++) await ask(key);
    const { rows } = await database.read(id, (db) =>
      db.execute(sql`
        SELECT generic_plans::int, custom_plans::int FROM pg_prepared_statements WHERE statement LIKE 'SELECT path%'`),
    );
    // The first ones were not often yet.
    expect(rows).toEqual([{ generic_plans: 21, custom_plans: 0 }]);
  });

  it("uses indexes by keys, also of tables that are still small", async () => {
    const database = await open();
    const { id } = await new Users(database).create("ada", "member");
    const { rows } = await database.write(
      id,
      (db) => db.execute<{ "QUERY PLAN": string }>(sql`EXPLAIN SELECT path FROM sessions WHERE key = 1`),
      { byKeys: true },
    );
    expect(rows.map((row) => row["QUERY PLAN"]).filter((line) => line.includes("Seq Scan on sessions"))).toEqual([]);
  });

  it.each(["sessions", "tails"])("looks up what others share only for whoever asks for it: %s", async (table) => {
    const database = await open();
    const { id } = await new Users(database).create("ada", "member");
    const { rows } = await database.read(id, (db) =>
      db.execute<{ "QUERY PLAN": string }>(sql`EXPLAIN (VERBOSE) SELECT * FROM ${sql.identifier(table)}`),
    );
    const plan = rows.map((row) => row["QUERY PLAN"]).join("\n");
    expect(plan).toMatch(/CASE WHEN .*sees_others.* THEN (public\.)?readable_(projects|owners)\(\)/);
    expect(plan).not.toMatch(/visible_(shared_projects|owners)\(\)/);
  });

  it("knows when everybody sees what a transaction has done", async () => {
    const database = await open();
    const { id } = await new Users(database).create("ada", "member");
    const touch = (db: Queries) =>
      db.execute<{ id: string }>(sql`SELECT pg_current_xact_id()::xid AS id`).then(({ rows }) => rows[0]?.id ?? "");
    let before = "";
    await database.read(id, async (db) => {
      // The first query of a transaction decides what it sees.
      await db.execute(sql`SELECT 1`);
      before = await database.write(id, touch);
      expect(await database.isSeenByAll(before)).toBe(false);
    });
    expect(await database.isSeenByAll(before)).toBe(true);
    await database.read(id, async (db) => {
      await db.execute(sql`SELECT 1`);
      expect(await database.isSeenByAll(before)).toBe(true);
    });
  });

  it("lets one server at a time do something for a user, and rows be freed meanwhile", async () => {
    const [one, other] = [await open(), await open()];
    const { id } = await new Users(one).create("ada", "member");
    const touch = (db: Queries) =>
      db.execute<{ id: string }>(sql`SELECT pg_current_xact_id()::xid AS id`).then(({ rows }) => rows[0]?.id ?? "");
    const done = await whileUserLocked(one, id, LOCKS.merging, async () => {
      expect(await whileUserLocked(other, id, LOCKS.merging, async () => "both")).toBeNull();
      return one.isSeenByAll(await one.write(id, touch));
    });
    expect(done).toBe(true);
    expect(await whileUserLocked(other, id, LOCKS.merging, async () => "then")).toBe("then");
  });

  it("has the columns that queries name", async () => {
    await open();
    const columns = await query<{ name: string }>(
      "SELECT table_name || '.' || column_name AS name FROM information_schema.columns WHERE table_schema = 'public'",
    );
    const present = new Set(columns.map(({ name }) => name));
    const named = Object.values({ ...stateTables, ...fileTables, ...catalogTables }).flatMap((table) => {
      const { name, columns } = getTableConfig(table);
      return columns.map((column) => `${name}.${column.name}`);
    });
    expect(named.filter((name) => !present.has(name))).toEqual([]);
  });

  it("takes its steps beside servers that work, which neither fail nor wait for long", async () => {
    await open();
    const pool = new pg.Pool({ connectionString: url });
    opened.push({ close: () => pool.end() });
    const working = await pool.connect();
    // It has one table, and wants the other, which the step has taken before it comes to the first.
    await working.query("BEGIN; LOCK TABLE notes IN ACCESS SHARE MODE");
    const sql = "ALTER TABLE tags ADD COLUMN more integer; ALTER TABLE notes ADD COLUMN more integer";
    const version = MIGRATIONS.length + 1;
    const taken = migrate(pool, [...MIGRATIONS, { version, worksWith: 1, sql }]);
    for (let request = 0; request < 20; request++) {
      await working.query("SAVEPOINT request; LOCK TABLE tags IN ACCESS SHARE MODE; ROLLBACK TO request");
      await delay(20);
    }
    await working.query("COMMIT");
    working.release();
    await taken;
    expect(await query("SELECT max(version) AS last FROM schema_steps")).toEqual([{ last: version }]);
  });

  it("lets no table with rows of users be seen past the policies", async () => {
    await open();
    const open_tables = await query<{ relname: string }>(
      `SELECT relname FROM pg_class WHERE relkind IN ('r', 'p') AND relnamespace = 'public'::regnamespace
         AND NOT (relrowsecurity AND relforcerowsecurity)`,
    );
    expect(open_tables.map(({ relname }) => relname)).toEqual(["schema_steps"]);
  });

  it("is not opened where it belongs to a newer program, nor by a role that sees everything", async () => {
    await open();
    await query("INSERT INTO schema_steps VALUES (999, 1, now())");
    await open();
    await query("UPDATE schema_steps SET works_with = 999 WHERE version = 999");
    await expect(open()).rejects.toThrow(/newer version of the program/);
    const admin = url.replace(/\/\/\w+@/, "//admin@");
    await expect(open(admin)).rejects.toMatchObject({
      code: "UNAVAILABLE",
      message: expect.stringMatching(/superuser/),
    });
  });

  it.each([
    ["an unknown database", (text: string) => text.replace(/\/hub_\d+\?/, "/nowhere?"), /refuses the connection/],
    ["an unknown role", (text: string) => text.replace(/\/\/\w+@/, "//nobody@"), /refuses the connection/],
    ["no server", (text: string) => text.replace(/host=[^&]+/, "host=%2Fnowhere"), /does not answer/],
  ])("says what is wrong with a URL of %s", async (_, change, message) => {
    await expect(open(change(url))).rejects.toMatchObject({
      code: "UNAVAILABLE",
      message: expect.stringMatching(message),
    });
  });

  it("shows a user nothing of others, and nothing to nobody, whatever is asked", async () => {
    const database = await open();
    const tokens = await directoryOf(database);
    const users = new Users(database);
    const [one, other] = [await users.create("one", "member"), await users.create("other", "owner")];
    const state = userStateOf(one.id, { database, tokens, log });
    const tag = await state.tags.create({ name: "work", color: "#112233" });
    await state.tags.assign([session], tag.id);
    await state.marks.toggleFavorite(session);
    await state.marks.setName(session, "name");
    await state.marks.setArchived([session], AT);
    await state.notes.set(session, null, "note", AT);
    await state.bookmarks.set(session, "e1", AT);
    await state.versions.add({ bundle: {}, origin: "test" });
    await state.configuration.change(
      { versionId: one.id, origin: "test", bundle: {}, tags: await state.tags.list(), values: { a: 1 } },
      () => undefined,
    );
    await state.tokens.create({ name: "n", scope: "full", expires_at: null });
    await new PostgresPreparedExports(database, one.id).keep("ticket", ARCHIVE, { validMs: 60_000, most: 1 });

    const tables = Object.keys(ROWS_OF_ONE);
    const counts = sql.raw(
      `SELECT ${tables.map((name) => `(SELECT count(*)::int FROM ${name}) AS ${name}`).join(", ")}`,
    );
    const seenBy = async (userId: string) => (await database.read(userId, (db) => db.execute(counts))).rows[0];
    const none = Object.fromEntries(tables.map((name) => [name, name === "users" ? 1 : 0]));
    expect(await seenBy(one.id)).toEqual(ROWS_OF_ONE);
    expect(await seenBy(other.id)).toEqual(none);
    // Somebody with the role of the service and no program.
    const [unknown] = await query(
      `SELECT ${tables.map((name) => `(SELECT count(*)::int FROM ${name}) AS ${name}`).join(", ")}`,
    );
    expect(unknown).toEqual({ ...none, users: 0 });

    const theirs = userStateOf(other.id, { database, tokens, log });
    await expect(theirs.tags.update(tag.id, { name: "mine" })).rejects.toMatchObject({ code: "NOT_FOUND" });
    await theirs.marks.forget([session.path]);
    await expect(
      database.write(other.id, (db) => db.execute(sql`UPDATE tags SET user_id = ${other.id}`)),
    ).resolves.toMatchObject({ rowCount: 0 });
    await expect(
      database.write(other.id, (db) =>
        db.execute(sql`INSERT INTO tags (user_id, id, name, color) VALUES (${one.id}, 'x', 'x', 'x')`),
      ),
    ).rejects.toThrow();
    expect(await seenBy(one.id)).toEqual(ROWS_OF_ONE);
  });

  it("ends nothing but the request where it ends a connection while that is handed out", async () => {
    const proxy = await endingProxy(url);
    opened.push(proxy);
    const database = await open(proxy.url);
    proxy.endNew();
    const refused = await database.asService(() =>
      database.asService(async () => "answered").catch((error: unknown) => error),
    );
    expect(refused).toBeInstanceOf(AppError);
    expect(refused).toMatchObject({ code: "UNAVAILABLE" });
  });

  it("keeps prepared exports for whoever comes first, the newest ones, for their time, for their user", async () => {
    const database = await open();
    const users = new Users(database);
    const [one, other] = [await users.create("one", "member"), await users.create("other", "owner")];
    const prepared = new PostgresPreparedExports(database, one.id);
    const theirs = new PostgresPreparedExports(database, other.id);
    const until = await prepared.keep("oldest", ARCHIVE, { validMs: 60_000, most: 2 });
    expect(Math.abs(until.getTime() - Date.now() - 60_000)).toBeLessThan(30_000);
    await prepared.keep("middle", ARCHIVE, { validMs: 60_000, most: 2 });
    await prepared.keep("newest", ARCHIVE, { validMs: 60_000, most: 2 });
    expect(await theirs.look("newest")).toBeNull();
    expect(await theirs.take("newest")).toBeNull();
    expect(await prepared.look("newest")).toEqual(ARCHIVE);
    const takers = Array.from({ length: 4 }, () => new PostgresPreparedExports(database, one.id).take("newest"));
    expect((await Promise.all(takers)).filter((options) => options !== null)).toEqual([ARCHIVE]);
    expect(await prepared.take("oldest")).toBeNull();

    await prepared.keep("short", ARCHIVE, { validMs: 0, most: 9 });
    expect(await prepared.look("short")).toBeNull();
    expect(await prepared.take("short")).toBeNull();
    // Whoever comes next removes it.
    await theirs.keep("another", ARCHIVE, { validMs: 60_000, most: 9 });
    const left = await database.read(one.id, (db) => db.execute(sql`SELECT count(*)::int AS n FROM prepared_exports`));
    expect(left.rows).toEqual([{ n: 1 }]);
  });

  it("answers again after it was killed, and has what was acknowledged", async () => {
    const database = await open();
    const tokens = await directoryOf(database);
    const user = await new Users(database).create("user", "member");
    const state = userStateOf(user.id, { database, tokens, log });
    await state.marks.toggleFavorite(session);
    await server.kill();
    const refused = await state.marks.favorites().catch((error: unknown) => error);
    expect(refused).toBeInstanceOf(AppError);
    expect(refused).toMatchObject({ code: "UNAVAILABLE", details: { retry_after_ms: 1_000 } });
    await server.start();
    expect(await state.marks.favorites()).toEqual([session.path]);
    expect(await state.marks.toggleFavorite(session)).toBe(false);
  });
});

/** Stands before a database, and ends what connects from now on in one piece with the answer that it is connected. */
async function endingProxy(url: string) {
  // The address of a socket names no host.
  const { searchParams, username, pathname } = new URL(url.replace("@/", "@localhost/"));
  const directory = searchParams.get("host") ?? "";
  let isEnding = false;
  const proxy = createServer((client) => {
    const database = connect(join(directory, ".s.PGSQL.5432"));
    for (const socket of [client, database]) socket.on("error", () => undefined);
    client.pipe(database);
    if (!isEnding) return void database.pipe(client);
    let answered = Buffer.alloc(0);
    database.on("data", (bytes) => {
      answered = Buffer.concat([answered, bytes]);
      if (answered.subarray(-READY.length).equals(READY)) client.end(Buffer.concat([answered, FATAL]));
    });
  });
  await new Promise<void>((resolve) => proxy.listen(0, "127.0.0.1", resolve));
  const { port } = proxy.address() as AddressInfo;
  return {
    url: `postgres://${username}@127.0.0.1:${port}${pathname}`,
    endNew() {
      isEnding = true;
    },
    close: async () => void proxy.close(),
  };
}

/** Messages of PostgreSQL's protocol: ready for a query, and an error that ends the connection. */
const READY = Buffer.from("Z\0\0\0\x05I");
const FATAL_FIELDS = "SFATAL\0VFATAL\0C57P01\0Mterminating connection due to administrator command\0\0";
const FATAL = Buffer.concat([Buffer.from([0x45, 0, 0, 0, FATAL_FIELDS.length + 4]), Buffer.from(FATAL_FIELDS)]);

const ROWS_OF_ONE = {
  users: 1,
  tags: 1,
  marked_sessions: 1,
  session_tags: 1,
  favorites: 1,
  session_names: 1,
  archived_sessions: 1,
  notes: 1,
  bookmarks: 1,
  config_versions: 2,
  config_values: 1,
  tokens: 1,
  prepared_exports: 1,
};
