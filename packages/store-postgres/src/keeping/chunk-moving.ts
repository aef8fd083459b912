import { sql } from "drizzle-orm";
import type { PostgresDatabase } from "../database/database.ts";
import { type ChunkObjects, keyOf, nameObjects } from "../objects/chunk-objects.ts";
import { Users } from "../state/users.ts";

/** How far a move is. */
export interface MovedChunks {
  chunks: number;
  /** Packed. */
  bytes: number;
  /** Keys of objects that stay where they are, as their bytes are not there. */
  lost: string[];
  /** Keys of those that stay, as they are of another length than was written. */
  damaged: string[];
}

/** Of one transaction: at most some 8 MB, and seldom more than 3. */
const CHUNKS_AT_ONCE = 16;

export interface ChunkMovingOptions {
  database: PostgresDatabase;
  objects: ChunkObjects;
  /** Called after each step. */
  onMoved?: (moved: MovedChunks) => void;
  signal?: AbortSignal;
}

interface MovingChunk extends Record<string, unknown> {
  hash: Buffer;
  object: string | null;
  packed: Buffer | null;
  /** Of the object. */
  packed_bytes: number | null;
}

/**
 * Moves the bytes of all chunks into the object store, or back into the database, while servers run. Where it ends before
 * its end, it goes on with what is left. A chunk whose object is lost or damaged stays as it is: somebody may
 * have a copy of the object.
 */
export async function moveChunks(to: "objects" | "database", options: ChunkMovingOptions): Promise<MovedChunks> {
  const { database, onMoved, signal } = options;
  const sum: MovedChunks = { chunks: 0, bytes: 0, lost: [], damaged: [] };
  for (const { id } of await new Users(database).list()) {
    for (let after: Buffer = Buffer.alloc(0); ; ) {
      signal?.throwIfAborted();
      const chunks = await chunksAfter(database, id, after, to);
      const last = chunks.at(-1);
      if (last === undefined) break;
      const moved = to === "objects" ? await moveOut(id, chunks, options) : await moveBack(id, chunks, options);
      sum.chunks += moved.chunks;
      sum.bytes += moved.bytes;
      sum.lost.push(...moved.lost);
      sum.damaged.push(...moved.damaged);
      after = last.hash;
      onMoved?.(sum);
    }
  }
  return sum;
}

async function chunksAfter(database: PostgresDatabase, userId: string, after: Buffer, to: "objects" | "database") {
  const isElsewhere = to === "objects" ? sql`object IS NULL` : sql`object IS NOT NULL`;
  const { rows } = await database.read(userId, (db) =>
    db.execute<MovingChunk>(sql`
      SELECT hash, object, packed, packed_bytes FROM chunks
      WHERE user_id = own_user_id() AND hash > ${after} AND ${isElsewhere} ORDER BY hash LIMIT ${CHUNKS_AT_ONCE}`),
  );
  return rows;
}

async function moveOut(
  userId: string,
  chunks: readonly MovingChunk[],
  { database, objects }: ChunkMovingOptions,
): Promise<MovedChunks> {
  const packed = chunks.map(({ hash, packed: bytes }) => ({
    hash: hash.toString("hex"),
    bytes: bytes ?? Buffer.alloc(0),
  }));
  const names = await objects.put(userId, packed);
  return database.write(userId, async (db) => {
    const { rows } = await db.execute<{ object: string; packed_bytes: number }>(sql`
      UPDATE chunks SET object = moved.object, packed_bytes = octet_length(packed), packed = NULL
      FROM unnest(${sql.param(chunks.map(({ hash }) => hash))}::bytea[], ${sql.param(names)}::uuid[]) AS moved (hash, object)
      WHERE chunks.user_id = own_user_id() AND chunks.hash = moved.hash AND chunks.object IS NULL
      RETURNING chunks.object, chunks.packed_bytes`);
    // Of one that has gone meanwhile, the object is collected.
    const moved = rows.map(({ object }) => object);
    await nameObjects(db, moved);
    const bytes = rows.reduce((sum, row) => sum + row.packed_bytes, 0);
    return { chunks: moved.length, bytes, lost: [], damaged: [] };
  });
}

async function moveBack(
  userId: string,
  chunks: readonly MovingChunk[],
  { database, objects }: ChunkMovingOptions,
): Promise<MovedChunks> {
  const found = await Promise.all(
    chunks.map(async ({ hash, object, packed_bytes: length }) => {
      const name = { userId, hash: hash.toString("hex"), object: object ?? "" };
      const bytes = await objects.find(name);
      return { hash, object: name.object, key: keyOf(name), bytes, isWhole: bytes?.length === length };
    }),
  );
  return database.write(userId, async (db) => {
    const whole = found.filter(({ isWhole }) => isWhole);
    const { rows } = await db.execute<{ bytes: number }>(sql`
      UPDATE chunks SET packed = moved.bytes, object = NULL, packed_bytes = NULL
      FROM unnest(${sql.param(whole.map(({ hash }) => hash))}::bytea[], ${sql.param(whole.map(({ object }) => object))}::uuid[],
        ${sql.param(whole.map(({ bytes }) => bytes))}::bytea[]) AS moved (hash, object, bytes)
      WHERE chunks.user_id = own_user_id() AND chunks.hash = moved.hash AND chunks.object = moved.object
      RETURNING octet_length(chunks.packed) AS bytes`);
    // One that nobody names any more may have been collected meanwhile.
    const { rows: named } = await db.execute<{ object: string }>(sql`
      SELECT object FROM chunks WHERE user_id = own_user_id()
        AND hash = ANY (${sql.param(found.map(({ hash }) => hash))}::bytea[]) AND object IS NOT NULL`);
    const left = found.filter(({ object, isWhole }) => !isWhole && named.some((row) => row.object === object));
    return {
      chunks: rows.length,
      bytes: rows.reduce((sum, row) => sum + row.bytes, 0),
      lost: left.filter(({ bytes }) => bytes === null).map(({ key }) => key),
      damaged: left.filter(({ bytes }) => bytes !== null).map(({ key }) => key),
    };
  });
}
