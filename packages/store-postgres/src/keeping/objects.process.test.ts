import { createHash, randomUUID } from "node:crypto";
import { mkdtempSync, renameSync, rmSync } from "node:fs";
import { mkdir } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { sql } from "drizzle-orm";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { PostgresDatabase } from "../database/database.ts";
import { LineReader } from "../files/line-reader.ts";
import { SentFiles } from "../files/sent-files.ts";
import { ChunkCheck } from "../objects/chunk-check.ts";
import { ChunkObjects } from "../objects/chunk-objects.ts";
import { DirectoryStore } from "../objects/directory-store.ts";
import { needsPostgres, type PostgresServer, startPostgres } from "../postgres-server.fixture.ts";
import { Users } from "../state/users.ts";
import { moveChunks } from "./chunk-moving.ts";

const log = { info: () => {}, warn: () => {}, error: () => {} };

describe.runIf(needsPostgres())("chunks in objects", () => {
  let server: PostgresServer;
  let database: PostgresDatabase;
  let directory: string;
  let objects: ChunkObjects;
  let userId: string;

  beforeAll(async () => {
    server = await startPostgres();
  });

  beforeEach(async () => {
    directory = mkdtempSync(join(tmpdir(), "chunks-"));
    database = await PostgresDatabase.open({ url: await server.newDatabase(), log });
    objects = new ChunkObjects(database, new DirectoryStore(directory));
    userId = (await new Users(database).create("ada", "member")).id;
    return async () => {
      await database.close();
      rmSync(directory, { recursive: true, force: true });
    };
  });

  afterAll(() => server.close());

  // Cannot be packed, and is the same in every run.
  const content = Buffer.concat(
    Array.from({ length: 100_000 }, (_, at) => createHash("sha256").update(String(at)).digest()),
  );
  const ids = [randomUUID(), randomUUID(), randomUUID()];

  /** Sends a part of the content as a file of its own. */
  async function send(id: string, part: Buffer, into: ChunkObjects | null = objects): Promise<void> {
    const files = new SentFiles(database, userId, into);
    const machineId = ids[0] ?? "";
    await files.machine(machineId, "laptop");
    const file = {
      machineId,
      path: `/${id}`,
      ownerPath: null,
      format: "pi",
      sessionId: null,
      mode: 0o600,
      generation: id,
    };
    await files.append(file, { offset: 0, bytes: part, size: part.length });
  }

  const read = async (id: string) => new SentFiles(database, userId, objects).read(id, 0, content.length);
  const looseEnds = () => new ChunkCheck(database, objects).ofUser(userId);
  const count = async (what: string) => {
    const { rows } = await database.read(userId, (db) =>
      db.execute<{ count: number }>(sql.raw(`SELECT count(*)::int AS count FROM ${what}`)),
    );
    return rows[0]?.count ?? 0;
  };
  /** One of those that are there. */
  async function anObject(): Promise<{ key: string; bytes: Buffer }> {
    for await (const { key } of objects.store.list(userId)) {
      return { key, bytes: (await objects.store.get(key)) ?? Buffer.alloc(0) };
    }
    throw new Error("There are none.");
  }
  const inRows = "chunks WHERE packed IS NOT NULL";
  const inObjects = "chunks WHERE object IS NOT NULL";

  it("are moved there and back, beside those that stay, and read wherever they are", async () => {
    const [one = "", other = ""] = ids;
    await send(one, content, null);
    const before = await count(inRows);
    expect(before).toBeGreaterThan(1);
    await send(other, content.subarray(content.length / 2));
    expect(await count(inObjects)).toBeGreaterThan(0);
    const both = async () => {
      expect((await read(one)).equals(content)).toBe(true);
      expect((await read(other)).equals(content.subarray(content.length / 2))).toBe(true);
    };
    await both();
    const stopped = new AbortController();
    const first = moveChunks("objects", { database, objects, onMoved: () => stopped.abort(), signal: stopped.signal });
    await expect(first).rejects.toThrow();
    await moveChunks("objects", { database, objects });
    expect(await count(inRows)).toBe(0);
    await both();
    // What searches show of a line is read from its beginning.
    const { rows } = await database.read(userId, (db) =>
      db.execute<{ key: string }>(sql`SELECT key FROM generations WHERE id = ${one}`),
    );
    const range = { content: Number(rows[0]?.key), offset: 300_000, length: 200 };
    const [line] = await database.read(userId, (db) => new LineReader(objects).read(userId, db, [range]));
    expect(line && Buffer.from(line).equals(content.subarray(300_000, 300_200))).toBe(true);
    expect(await looseEnds()).toEqual({ lost: [], damaged: [], loose: [] });
    await moveChunks("database", { database, objects });
    expect(await count(inObjects)).toBe(0);
    await both();
    expect(await count("unnamed_objects WHERE was_named")).toBeGreaterThan(0);
  });

  it("are refused while the store is away, or is another one, and then taken", async () => {
    const [one = "", other = ""] = ids;
    await send(one, content.subarray(0, 1_600_000));
    renameSync(directory, `${directory}-away`);
    const isUnavailable = { code: "UNAVAILABLE", details: { retry_after_ms: expect.any(Number) } };
    await expect(send(other, content.subarray(1_600_000))).rejects.toMatchObject(isUnavailable);
    await expect(read(one)).rejects.toMatchObject({ code: "UNAVAILABLE" });
    // Where a disk is not mounted there is an empty folder.
    await mkdir(directory);
    const restarted = new ChunkObjects(database, new DirectoryStore(directory));
    await expect(send(other, content.subarray(1_600_000), restarted)).rejects.toMatchObject(isUnavailable);
    rmSync(directory, { recursive: true });
    renameSync(`${directory}-away`, directory);
    await send(other, content.subarray(1_600_000), restarted);
    expect((await read(other)).equals(content.subarray(1_600_000))).toBe(true);
    expect((await read(one)).equals(content.subarray(0, 1_600_000))).toBe(true);
  });

  it("go when nobody names them for long, also those of a user who is gone, and no other", async () => {
    const [one = "", other = ""] = ids;
    await send(one, content);
    // Of a transaction that did not come to its end.
    await objects.put(userId, [{ hash: "ab".repeat(32), bytes: Buffer.from("unfinished") }]);
    const second = await new Users(database).create("grace", "member");
    const first = userId;
    userId = second.id;
    await send(other, content);
    await database.asService((db) => db.execute(sql`DELETE FROM users WHERE id = ${second.id}`));
    userId = first;
    const left = async () =>
      (await database.asService((db) => db.execute(sql`SELECT 1 FROM unnamed_objects`))).rows.length;
    const before = await left();
    expect(before).toBeGreaterThan(2);
    expect(await objects.collect(30)).toBe(0);
    const later = (days: number) =>
      database.asService((db) =>
        db.execute(sql`UPDATE unnamed_objects SET since = since - make_interval(days => ${days}::integer)`),
      );
    await later(2);
    expect(await objects.collect(30)).toBe(1);
    await later(30);
    expect(await objects.collect(30)).toBe(before - 1);
    expect(await left()).toBe(0);
    const kept: string[] = [];
    for await (const { key } of objects.store.list(second.id)) kept.push(key);
    expect(kept).toEqual([]);
    expect(await looseEnds()).toEqual({ lost: [], damaged: [], loose: [] });
    expect((await read(one)).equals(content)).toBe(true);
  });

  it.each<[what: string, change: (bytes: Buffer) => Buffer | null, found: "lost" | "damaged"]>([
    ["is not there", () => null, "lost"],
    ["is empty", () => Buffer.alloc(0), "damaged"],
    ["was cut off", (bytes) => bytes.subarray(0, -1), "damaged"],
    ["has grown", (bytes) => Buffer.concat([bytes, bytes]), "damaged"],
  ])("whose object %s are found, and stay where they are while others are moved", async (_what, change, found) => {
    const [one = ""] = ids;
    await send(one, content);
    const all = await count(inObjects);
    const { key, bytes } = await anObject();
    const other = change(bytes);
    await (other === null ? objects.store.delete(key) : objects.store.put(key, other));
    expect(await looseEnds()).toEqual({ lost: [], damaged: [], loose: [], [found]: [key] });
    for (const chunks of [all - 1, 0]) {
      const moved = await moveChunks("database", { database, objects });
      expect(moved).toMatchObject({ chunks, lost: [], damaged: [], [found]: [key] });
      expect(await count(inObjects)).toBe(1);
    }
    await objects.store.put(key, bytes);
    expect(await looseEnds()).toEqual({ lost: [], damaged: [], loose: [] });
    const moved = await moveChunks("database", { database, objects });
    expect(moved).toEqual({ chunks: 1, bytes: bytes.length, lost: [], damaged: [] });
    expect((await read(one)).equals(content)).toBe(true);
  });

  it("that an older copy of the database does not know are found and collected", async () => {
    await send(ids[0] ?? "", content);
    const [lost] = (
      await database.read(userId, (db) =>
        db.execute<{ hash: Buffer }>(sql`SELECT hash FROM ${sql.raw(inObjects)} LIMIT 1`),
      )
    ).rows;
    // As if the row had never been there.
    await database.write(userId, (db) => db.execute(sql`DELETE FROM pieces WHERE hash = ${lost?.hash}`));
    await database.write(userId, (db) => db.execute(sql`DELETE FROM chunks WHERE hash = ${lost?.hash}`));
    await database.write(userId, (db) => db.execute(sql`DELETE FROM unnamed_objects`));
    const { loose } = await looseEnds();
    expect(loose).toHaveLength(1);
    await new ChunkCheck(database, objects).adopt(userId, loose);
    expect(await looseEnds()).toEqual({ lost: [], damaged: [], loose: [] });
    expect(await objects.collect(0)).toBe(1);
  });
});
