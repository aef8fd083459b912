import { sql } from "drizzle-orm";
import type { PostgresDatabase } from "../database/database.ts";
import { type ChunkObjects, nameObjects } from "../objects/chunk-objects.ts";
import { Users } from "../state/users.ts";

/** How far a move is. */
export interface MovedChunks {
  chunks: number;
  /** Packed. */
  bytes: number;
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
}

/**
 * Moves the bytes of all chunks into the object store, or back into the database, while servers run. Where it ends before
 * its end, it goes on with what is left.
 */
export async function moveChunks(to: "objects" | "database", options: ChunkMovingOptions): Promise<MovedChunks> {
  const { database, onMoved, signal } = options;
  const sum = { chunks: 0, bytes: 0 };
  for (const { id } of await new Users(database).list()) {
    for (let after: Buffer = Buffer.alloc(0); ; ) {
      signal?.throwIfAborted();
      const chunks = await chunksAfter(database, id, after, to);
      const last = chunks.at(-1);
      if (last === undefined) break;
      const moved = to === "objects" ? await moveOut(id, chunks, options) : await moveBack(id, chunks, options);
      sum.chunks += moved.chunks;
      sum.bytes += moved.bytes;
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
      SELECT hash, object, packed FROM chunks
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
    return { chunks: moved.length, bytes: rows.reduce((sum, row) => sum + row.packed_bytes, 0) };
  });
}

async function moveBack(
  userId: string,
  chunks: readonly MovingChunk[],
  { database, objects }: ChunkMovingOptions,
): Promise<MovedChunks> {
  const bytes = await Promise.all(
    chunks.map(({ hash, object }) => objects.read({ userId, hash: hash.toString("hex"), object: object ?? "" })),
  );
  return database.write(userId, async (db) => {
    const { rows } = await db.execute<{ bytes: number }>(sql`
      UPDATE chunks SET packed = moved.bytes, object = NULL, packed_bytes = NULL
      FROM unnest(${sql.param(chunks.map(({ hash }) => hash))}::bytea[],
        ${sql.param(chunks.map(({ object }) => object))}::uuid[], ${sql.param(bytes)}::bytea[]) AS moved (hash, object, bytes)
      WHERE chunks.user_id = own_user_id() AND chunks.hash = moved.hash AND chunks.object = moved.object
      RETURNING octet_length(chunks.packed) AS bytes`);
    return { chunks: rows.length, bytes: rows.reduce((sum, row) => sum + row.bytes, 0) };
  });
}
