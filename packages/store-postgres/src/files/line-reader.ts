import { AppError } from "@sm/core";
import { sql } from "drizzle-orm";
import { LRUCache } from "lru-cache";
import type { Queries } from "../database/database.ts";
import { NO_OBJECTS, type ObjectReader } from "../objects/chunk-objects.ts";
import { unpackStart } from "./packing.ts";

/** Bytes of the file of a generation, by its key. */
export interface FileRange {
  content: number;
  offset: number;
  length: number;
}

/** No chunk is longer, see `chunkEnd`; it begins less than this before what is in it. */
const LONGEST_CHUNK = 1024 * 1024 + 1;
/** Of unpacked bytes: of the sessions that are found, others are often found next. */
const KEPT_BYTES = 32 * 1024 * 1024;
/** Of what is kept, beside its bytes. */
const ENTRY_BYTES = 200;
/**
 * Of a part only the first bytes are read, about as many packed ones as those up to the end of a line: the rest takes as
 * long again, and is seldom needed.
 */
const PACKED_RESERVE = 1.1;
const PACKED_RESERVE_BYTES = 4 * 1024;

/** A chunk of a file, or a row of its tail, with its first bytes. */
interface Part {
  start: number;
  size: number;
  bytes: Buffer;
}

/** The parts of a file that were read, by their start: where there are some, their bytes stay the same. */
type FileParts = Map<number, Part>;

/** Reads many short ranges of files at once. They are not compared with their hashes: what is searched is found or not. */
export class LineReader {
  /** By user and file: a user has seen the rows of these parts. */
  readonly #kept = new LRUCache<string, FileParts>({ maxSize: KEPT_BYTES, sizeCalculation: bytesOf });
  readonly #objects: ObjectReader;

  constructor(objects: ObjectReader = NO_OBJECTS) {
    this.#objects = objects;
  }

  /**
   * Each range, or what there is of it. Rejects with AppError `UNAVAILABLE` where bytes are damaged.
   *
   * @param db in the name of the user.
   */
  async read(userId: string, db: Queries, ranges: readonly FileRange[]): Promise<Uint8Array[]> {
    const found = ranges.map((range) => partsIn(range, this.#kept.get(`${userId} ${range.content}`)));
    // More packed bytes than usual may be needed.
    for (const isWhole of [false, true]) {
      const missing = [...ranges.keys()].filter((place) => found[place] === null);
      if (missing.length === 0) break;
      const parts = await this.#find(db, ranges, missing, isWhole);
      for (const place of missing) {
        const range = ranges[place] as FileRange;
        const ofRange = parts.get(place) ?? [];
        this.#keep(`${userId} ${range.content}`, ofRange);
        found[place] = ofRange.every((part) => hasEnough(part, range)) ? ofRange : null;
      }
    }
    return ranges.map((range, place) => {
      const parts = found[place] ?? null;
      if (parts === null) throw lostBytes();
      return cut(range, parts);
    });
  }

  /** What ranges are made of. @param places numbers of the ranges. */
  async #find(
    db: Queries,
    ranges: readonly FileRange[],
    places: readonly number[],
    isWhole: boolean,
  ): Promise<Map<number, Part[]>> {
    const rows = await partsOf(db, ranges, places, isWhole ? Number.POSITIVE_INFINITY : PACKED_RESERVE);
    const nameOf = ({ place, start }: FoundPart) => `${ranges[place]?.content} ${start}`;
    const fetched = rows.filter(({ is_most: isMost }) => isMost);
    const bytes = await Promise.all(fetched.map(async (row) => [nameOf(row), await this.#unpacked(row)] as const));
    const byName = new Map(bytes);
    const parts = new Map<number, Part[]>();
    for (const row of rows) {
      const part = { start: row.start, size: row.size, bytes: byName.get(nameOf(row)) ?? Buffer.alloc(0) };
      parts.set(row.place, [...(parts.get(row.place) ?? []), part]);
    }
    return parts;
  }

  async #unpacked(row: FoundPart): Promise<Buffer> {
    const packed = row.packed ?? (await this.#fetchObject(row));
    return unpackStart({ quality: row.quality, packed }, row.needed).catch((error: unknown) => {
      throw lostBytes(error);
    });
  }

  #fetchObject({ object, packed_bytes: size, hash, quality, share, user_id: userId }: FoundPart): Promise<Buffer> {
    if (object === null || size === null || hash === null) throw lostBytes();
    const first = quality === 0 ? size : Math.min(size, Math.ceil(size * share) + PACKED_RESERVE_BYTES);
    return this.#objects.read({ userId, hash, object }, first < size ? first : undefined);
  }

  #keep(file: string, parts: readonly Part[]): void {
    const kept: FileParts = new Map(this.#kept.get(file));
    for (const part of parts) {
      if ((kept.get(part.start)?.bytes.length ?? -1) < part.bytes.length) kept.set(part.start, part);
    }
    this.#kept.set(file, kept);
  }
}

function bytesOf(parts: FileParts): number {
  let bytes = ENTRY_BYTES;
  for (const part of parts.values()) bytes += ENTRY_BYTES + part.bytes.length;
  return bytes;
}

/** The parts that have all of the range; `null`: it is to be looked for. */
function partsIn(range: FileRange, known: FileParts | undefined): Part[] | null {
  const end = range.offset + range.length;
  const parts: Part[] = [];
  let reached = range.offset;
  for (const part of [...(known?.values() ?? [])].sort((one, other) => one.start - other.start)) {
    // What was appended in short rows is in one chunk later.
    if (part.start + part.size <= reached || part.start >= end) continue;
    if (part.start > reached || !hasEnough(part, range)) return null;
    parts.push(part);
    reached = part.start + part.size;
  }
  return reached < end || range.length === 0 ? null : parts;
}

/** Whether all that a range has of a part is there. */
function hasEnough({ start, size, bytes }: Part, { offset, length }: FileRange): boolean {
  return bytes.length >= Math.min(size, offset + length - start);
}

/** @param parts in order. */
function cut({ offset, length }: FileRange, parts: readonly Part[]): Uint8Array {
  const pieces: Buffer[] = [];
  let reached = offset;
  for (const { start, size, bytes } of parts) {
    pieces.push(bytes.subarray(Math.max(0, reached - start), Math.max(0, Math.min(size, offset + length - start))));
    reached = Math.max(reached, start + size);
  }
  // Copied: what is sent to a thread is sent with all of the memory that it is in.
  return Uint8Array.from(Buffer.concat(pieces));
}

/** A part of what a range has, as it is found. */
interface FoundPart extends Record<string, unknown> {
  /** Number of the range. */
  place: number;
  start: number;
  size: number;
  /** Of a chunk, as hexadecimal digits; `null` for a row of the tail. */
  hash: string | null;
  /** How many of its first bytes the range needs. */
  needed: number;
  /** As many of the packed ones are fetched. */
  share: number;
  /** Whether this range needs most of the part: the others have no bytes. */
  is_most: boolean;
  quality: number;
  /** `null`: the object has it. */
  packed: Buffer | null;
  object: string | null;
  packed_bytes: number | null;
  user_id: string;
}

/**
 * What some of the ranges are made of, each in order.
 *
 * @param places numbers of these ranges.
 * @param reserve times the share of its bytes that is needed, so much of a part is fetched.
 */
async function partsOf(
  db: Queries,
  ranges: readonly FileRange[],
  places: readonly number[],
  reserve: number,
): Promise<FoundPart[]> {
  const column = (numberOf: (range: FileRange) => number) =>
    sql.param(places.map((place) => numberOf(ranges[place] as FileRange)));
  const share = sql`least(1, ${reserve}::double precision * needed / size) AS share,
    row_number() OVER (PARTITION BY content, start ORDER BY needed DESC, place) = 1 AS is_most`;
  const packed = sql`CASE WHEN NOT is_most THEN NULL WHEN quality = 0 OR share >= 1 THEN packed ELSE
    substring(packed FROM 1 FOR ceil(octet_length(packed) * share)::integer + ${PACKED_RESERVE_BYTES}::integer)
    END AS packed`;
  const { rows } = await db.execute<FoundPart & { start: string }>(sql`
    WITH w AS (
      SELECT * FROM unnest(${sql.param([...places])}::integer[], ${column(({ content }) => content)}::bigint[],
        ${column(({ offset }) => offset)}::bigint[],
        ${column(({ offset, length }) => offset + length)}::bigint[]) AS w (place, content, first, next)
    ), chunked AS (
      SELECT place, content, start, size, hash, least(size, next - start)::integer AS needed
      FROM w JOIN pieces ON generation_key = content AND start < next
        AND start > first - ${LONGEST_CHUNK}::bigint AND start + size > first
    ), appended AS (
      SELECT place, content, start, size, least(size, next - start)::integer AS needed, quality, packed, user_id
      FROM w JOIN tails ON generation_key = content AND start < next AND start + size > first
    )
    SELECT place, start, p.size, encode(p.hash, 'hex') AS hash, needed, share, is_most, quality, ${packed}, object,
      packed_bytes, user_id
    FROM (SELECT *, ${share} FROM chunked) AS p
      JOIN LATERAL (SELECT * FROM chunks WHERE chunks.hash = p.hash LIMIT 1) AS c ON true
    UNION ALL
    SELECT place, start, size, NULL, needed, share, is_most, quality, ${packed}, NULL, NULL, user_id
    FROM (SELECT *, ${share} FROM appended) AS t
    ORDER BY place, start`);
  return rows.map((row) => ({ ...row, start: Number(row.start) }));
}

function lostBytes(cause?: unknown): AppError {
  return new AppError("UNAVAILABLE", "The hub has lost bytes of a session.", { cause });
}
