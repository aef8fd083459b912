import { AppError } from "@sm/core";
import { sql } from "drizzle-orm";
import type { Queries } from "../database/database.ts";
import type { ObjectReader } from "../objects/chunk-objects.ts";
import { hashOf, unpack } from "./packing.ts";

interface Part {
  start: number;
  size: number;
  quality: number;
  /** `null` where an object has it. */
  packed: Buffer | null;
  object: string | null;
  userId: string;
  /** `null` for a row of the tail. */
  hash: Buffer | null;
}

/** Bytes of a generation, and where they are in it. */
export interface GenerationBytes {
  start: number;
  bytes: Buffer;
}

/** Asks the database in the name of somebody. */
export type Asking = <T>(query: (db: Queries) => Promise<T>) => Promise<T>;

/** A range of the bytes of a generation, by its key. */
export interface GenerationRange {
  generationKey: number;
  offset: number;
  /** Not beyond the end of the generation. */
  end: number;
}

/**
 * Reads the parts of a generation that contain a range of it: each is unpacked as a whole anyway. Objects are read after
 * the database was asked.
 *
 * Rejects with AppError `UNAVAILABLE` where they are damaged, or cannot be had now.
 */
export async function partsAround(
  ask: Asking,
  objects: ObjectReader,
  range: GenerationRange,
): Promise<GenerationBytes> {
  const { offset, end } = range;
  const parts = end <= offset ? [] : await ask((db) => partsOf(db, range));
  const packed = await Promise.all(parts.map((part) => packedOf(part, objects)));
  const start = parts[0]?.start ?? offset;
  const contents: Buffer[] = [];
  let at = start;
  for (const [place, part] of parts.entries()) {
    const bytes = packed[place] ?? Buffer.alloc(0);
    const content = await unpack({ quality: part.quality, packed: bytes }, part.size).catch(() => Buffer.alloc(0));
    const isRight = content.length === part.size && (part.hash === null || hashOf(content).equals(part.hash));
    if (!isRight || part.start !== at) break;
    contents.push(content);
    at += content.length;
  }
  if (start > offset || at < end) {
    throw new AppError("UNAVAILABLE", `The hub has lost bytes of this session at ${at}.`);
  }
  const [only] = contents;
  return { start, bytes: contents.length === 1 && only !== undefined ? only : Buffer.concat(contents) };
}

function packedOf({ packed, object, hash, userId }: Part, objects: ObjectReader): Promise<Buffer> {
  if (packed !== null || object === null || hash === null) return Promise.resolve(packed ?? Buffer.alloc(0));
  return objects.read({ userId, hash: hash.toString("hex"), object });
}

/** In order. */
async function partsOf(db: Queries, { generationKey, offset, end }: GenerationRange): Promise<Part[]> {
  const found = await db.execute<Omit<Part, "start"> & { start: string }>(sql`
    SELECT p.start, p.size, c.quality, c.packed, c.object, c.user_id AS "userId", p.hash
    FROM pieces p JOIN chunks c ON c.user_id = p.user_id AND c.hash = p.hash
    WHERE p.generation_key = ${generationKey} AND p.start < ${end} AND p.start + p.size > ${offset}
    UNION ALL
    SELECT start, size, quality, packed, NULL, user_id, NULL FROM tails
    WHERE generation_key = ${generationKey} AND start < ${end} AND start + size > ${offset}
    ORDER BY start`);
  return found.rows.map((row) => ({ ...row, start: Number(row.start) }));
}
