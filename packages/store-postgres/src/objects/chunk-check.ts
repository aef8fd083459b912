import { sql } from "drizzle-orm";
import type { PostgresDatabase } from "../database/database.ts";
import { type ChunkObjects, keyOf } from "./chunk-objects.ts";

/** Differences between the database and its object store, as keys of objects. */
export interface LooseEnds {
  /** Named by chunks, and not there: bytes of sessions are lost. */
  lost: string[];
  /** Named by chunks, and of another length than was written: bytes of sessions are lost, too. */
  damaged: string[];
  /** There, and in no row: as after an older copy of the database was brought back. */
  loose: string[];
}

/** Compares the object store with what the database says of it. */
export class ChunkCheck {
  readonly #database: PostgresDatabase;
  readonly #objects: ChunkObjects;

  constructor(database: PostgresDatabase, objects: ChunkObjects) {
    this.#database = database;
    this.#objects = objects;
  }

  async ofUser(userId: string): Promise<LooseEnds> {
    // A row is there before its object is written, and until it was deleted: so one is lost or damaged that was named
    // before the list was read and still is, and loose that is in no row after it.
    const before = await this.#keys(userId);
    const there = new Map<string, number>();
    for await (const { key, bytes } of this.#objects.store.list(userId)) there.set(key, bytes);
    const after = await this.#keys(userId);
    const named = [...before.named.keys()].filter((key) => after.named.has(key));
    return {
      lost: named.filter((key) => !there.has(key)),
      damaged: named.filter((key) => there.has(key) && there.get(key) !== before.named.get(key)),
      loose: [...there.keys()].filter((key) => !after.named.has(key) && !after.unnamed.has(key)),
    };
  }

  /** Has loose objects collected like those that are no more named. */
  async adopt(userId: string, loose: readonly string[]): Promise<void> {
    const found = loose.flatMap((key) => {
      const [, hash = "", object = ""] = /\/([0-9a-f]{64})-([0-9a-f-]{36})$/.exec(key) ?? [];
      return hash === "" ? [] : [{ hash: Buffer.from(hash, "hex"), object }];
    });
    await this.#database.write(userId, (db) =>
      db.execute(sql`
        INSERT INTO unnamed_objects (object, hash, was_named)
        SELECT object, hash, true FROM unnest(${sql.param(found.map(({ object }) => object))}::uuid[],
          ${sql.param(found.map(({ hash }) => hash))}::bytea[]) AS loose (object, hash)
        ON CONFLICT DO NOTHING`),
    );
  }

  /** Keys that chunks name, with how many bytes were written, and others that the database knows. */
  #keys(userId: string): Promise<{ named: Map<string, number>; unnamed: Set<string> }> {
    return this.#database.read(userId, async (db) => {
      const { rows } = await db.execute<{ object: string; hash: string; bytes: number | null }>(sql`
        SELECT object, encode(hash, 'hex') AS hash, packed_bytes AS bytes FROM chunks
        WHERE object IS NOT NULL AND user_id = own_user_id()
        UNION ALL SELECT object, encode(hash, 'hex'), NULL FROM unnamed_objects WHERE user_id = own_user_id()`);
      const named = new Map<string, number>();
      const unnamed = new Set<string>();
      for (const { bytes, ...row } of rows) {
        const key = keyOf({ userId, ...row });
        if (bytes === null) unnamed.add(key);
        else named.set(key, bytes);
      }
      return { named, unnamed };
    });
  }
}
