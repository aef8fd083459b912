import { randomUUID } from "node:crypto";
import { AppError } from "@sm/core";
import { sql } from "drizzle-orm";
import type { PostgresDatabase, Queries } from "../database/database.ts";
import { type ObjectStore, unavailableStore } from "./object-store.ts";

/** A chunk whose bytes are in an object. */
export interface ChunkObject {
  userId: string;
  /** Of the unpacked bytes, as hexadecimal digits. */
  hash: string;
  object: string;
}

/** Reads the bytes of objects. */
export interface ObjectReader {
  /** The packed bytes, or the first ones. Rejects with AppError `UNAVAILABLE` where they are lost or cannot be had now. */
  read(chunk: ChunkObject, length?: number): Promise<Buffer>;
}

/** Holds the ID of the hub whose store it is. */
const MARK = "hub";
/** Requests of one append at a time. */
const PUTS_AT_ONCE = 4;
/** Objects that are deleted in one transaction. */
const COLLECTED_AT_ONCE = 100;
/** Of a transaction that will name an object: much longer than one can take. */
const UNFINISHED_FOR = "1 day";

/** A server reads and writes no objects that has none configured. */
export const NO_OBJECTS: ObjectReader = {
  read: async () => {
    throw new AppError("UNAVAILABLE", 'Bytes of this session are in an object store; configure it as "chunk_store".');
  },
};

/** Objects of a hub, and the rows that say which of them nobody names. */
export class ChunkObjects implements ObjectReader {
  readonly #database: PostgresDatabase;
  readonly store: ObjectStore;
  #isOurs: Promise<void> | null = null;

  constructor(database: PostgresDatabase, store: ObjectStore) {
    this.#database = database;
    this.store = store;
  }

  async read(chunk: ChunkObject, length?: number): Promise<Buffer> {
    const bytes = await this.find(chunk, length);
    if (bytes === null) throw new AppError("UNAVAILABLE", "The hub's object store has lost bytes of this session.");
    return bytes;
  }

  /** `null` for an object that is lost. Rejects with AppError `UNAVAILABLE` where it cannot be had now. */
  async find(chunk: ChunkObject, length?: number): Promise<Buffer | null> {
    const bytes = await this.store.get(keyOf(chunk), length);
    // Where a disk is not mounted nothing is lost.
    if (bytes === null) await this.check();
    return bytes;
  }

  /**
   * Writes objects that nobody names yet, for a transaction that will call `name`. Others are collected later.
   *
   * @returns their names, in order.
   */
  async put(userId: string, packed: readonly { hash: string; bytes: Buffer }[]): Promise<string[]> {
    await this.#checked();
    const chunks = packed.map(({ hash, bytes }) => ({ userId, hash, bytes, object: randomUUID() }));
    await this.#database.write(userId, (db) =>
      db.execute(sql`
        INSERT INTO unnamed_objects (object, hash)
        SELECT * FROM unnest(${sql.param(chunks.map(({ object }) => object))}::uuid[],
          ${sql.param(chunks.map(({ hash }) => Buffer.from(hash, "hex")))}::bytea[])`),
    );
    const left = [...chunks];
    const work = async () => {
      for (let chunk = left.shift(); chunk !== undefined; chunk = left.shift()) {
        await this.store.put(keyOf(chunk), chunk.bytes);
      }
    };
    await Promise.all(Array.from({ length: PUTS_AT_ONCE }, work));
    return chunks.map(({ object }) => object);
  }

  /** Deletes some objects that nobody has named for long. @returns how many. */
  async collect(keptDays: number): Promise<number> {
    return this.#database.asService(async (db) => {
      const { rows } = await db.execute<{ object: string; user_id: string; hash: string }>(sql`
        SELECT object, user_id, encode(hash, 'hex') AS hash FROM unnamed_objects
        WHERE since < now() - CASE WHEN was_named THEN make_interval(days => ${keptDays}::integer)
          ELSE ${UNFINISHED_FOR}::interval END
        ORDER BY since LIMIT ${COLLECTED_AT_ONCE} FOR UPDATE SKIP LOCKED`);
      if (rows.length === 0) return 0;
      await this.#checked();
      for (const { user_id: userId, ...row } of rows) await this.store.delete(keyOf({ userId, ...row }));
      const objects = sql.param(rows.map(({ object }) => object));
      await db.execute(sql`DELETE FROM unnamed_objects WHERE object = ANY (${objects}::uuid[])`);
      return rows.length;
    });
  }

  /** Once it was the store of this hub, it stays so while this process runs. */
  #checked(): Promise<void> {
    this.#isOurs ??= this.check().catch((error: unknown) => {
      this.#isOurs = null;
      throw error;
    });
    return this.#isOurs;
  }

  /** Rejects with AppError `UNAVAILABLE` where it does not answer, or is not the store that the hub has used before. */
  async check(): Promise<void> {
    const { rows } = await this.#database.asService((db) =>
      db.execute<{ id: string; uses_objects: boolean }>(sql`SELECT id, uses_objects FROM hub`),
    );
    const { id = "", uses_objects: isUsed = false } = rows[0] ?? {};
    const mark = (await this.store.get(MARK))?.toString() ?? null;
    // Such as an empty folder where a disk is not mounted.
    if (mark === null ? isUsed : mark !== id) {
      throw unavailableStore(new Error(`${this.store.name} is not the store of this hub: its "${MARK}" is not ${id}.`));
    }
    if (mark === null) await this.store.put(MARK, Buffer.from(id));
    if (!isUsed) await this.#database.asService((db) => db.execute(sql`UPDATE hub SET uses_objects = true`));
  }
}

/** Takes note, in the transaction that does so, that objects are named from now on. */
export async function nameObjects(db: Queries, objects: readonly string[]): Promise<void> {
  if (objects.length === 0) return;
  const { rows } = await db.execute(sql`
    DELETE FROM unnamed_objects WHERE object = ANY (${sql.param([...objects])}::uuid[]) RETURNING object`);
  if (rows.length < new Set(objects).size)
    throw unavailableStore(new Error("Objects were collected before they were named."));
}

export function keyOf({ userId, hash, object }: ChunkObject): string {
  return `${userId}/${hash.slice(0, 2)}/${hash}-${object}`;
}
