import { AppError } from "@sm/core";
import { sql } from "drizzle-orm";
import type { Queries } from "../database/database.ts";
import { hashOf, unpack } from "./packing.ts";

interface Part {
  start: number;
  size: number;
  quality: number;
  packed: Buffer;
  /** `null` for a row of the tail. */
  hash: Buffer | null;
}

/** Bytes of a generation, and where they are in it. */
export interface GenerationBytes {
  start: number;
  bytes: Buffer;
}

/**
 * Reads the parts of a generation that contain a range of it: each is unpacked as a whole anyway.
 *
 * @param end not beyond the end of the generation.
 * Rejects with AppError `UNAVAILABLE` where they are damaged.
 */
export async function partsAround(
  db: Queries,
  generationKey: number,
  offset: number,
  end: number,
): Promise<GenerationBytes> {
  const parts = end <= offset ? [] : await partsOf(db, generationKey, offset, end);
  const start = parts[0]?.start ?? offset;
  const contents: Buffer[] = [];
  let at = start;
  for (const part of parts) {
    const content = await unpack(part, part.size);
    const isRight = content.length === part.size && (part.hash === null || hashOf(content).equals(part.hash));
    if (!isRight || part.start !== at) break;
    contents.push(content);
    at += content.length;
  }
  if (start > offset || at < end) {
    throw new AppError("UNAVAILABLE", `The database has lost bytes of this session at ${at}.`);
  }
  const [only] = contents;
  return { start, bytes: contents.length === 1 && only !== undefined ? only : Buffer.concat(contents) };
}

/** In order. */
async function partsOf(db: Queries, generationKey: number, start: number, end: number): Promise<Part[]> {
  const found = await db.execute<Omit<Part, "start"> & { start: string }>(sql`
    SELECT p.start, p.size, c.quality, c.packed, p.hash FROM pieces p JOIN chunks c ON c.hash = p.hash
    WHERE p.generation_key = ${generationKey} AND p.start < ${end} AND p.start + p.size > ${start}
    UNION ALL
    SELECT start, size, quality, packed, NULL FROM tails
    WHERE generation_key = ${generationKey} AND start < ${end} AND start + size > ${start}
    ORDER BY start`);
  return found.rows.map((row) => ({ ...row, start: Number(row.start) }));
}
