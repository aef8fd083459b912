import { AppError } from "@sm/core";
import { sql } from "drizzle-orm";
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
const KEPT_BYTES = 64 * 1024 * 1024;
/**
 * Of a chunk only the first bytes are read, about as many packed ones as those up to the end of a line: the rest takes as
 * long again, and is seldom needed.
 */
const PACKED_RESERVE = 1.1;
const PACKED_RESERVE_BYTES = 4 * 1024;

/** A packed part of a file. */
interface Part {
  /** Number of the range. */
  place: number;
  start: number;
  size: number;
  /** Of a chunk, as hexadecimal digits; `null` for a row of the tail. */
  hash: string | null;
}

/** What of a part is needed. */
interface WantedStart extends Part {
  name: string;
  content: number;
  /** How many of its first bytes. */
  length: number;
}

interface FetchedStart extends Record<string, unknown> {
  place: number;
  quality: number;
  /** `null`: the object has it. */
  packed: Buffer | null;
  object: string | null;
  packed_bytes: number | null;
  user_id: string;
}

/** Reads many short ranges of files at once. They are not compared with their hashes: what is searched is found or not. */
export class LineReader {
  /**
   * First bytes of parts. Chunks by their hash: who knows it has seen a row that names it, which the user may see. Rows of tails
   * by their place: while there are some, their bytes are the same.
   */
  readonly #kept = new Map<string, Buffer>();
  #keptBytes = 0;
  readonly #objects: ObjectReader;

  constructor(objects: ObjectReader = NO_OBJECTS) {
    this.#objects = objects;
  }

  /** Each range, or what there is of it. Rejects with AppError `UNAVAILABLE` where bytes are damaged. */
  async read(db: Queries, ranges: readonly FileRange[]): Promise<Uint8Array[]> {
    if (ranges.length === 0) return [];
    const parts = await partsOf(db, ranges);
    const starts = await this.#starts(db, startsIn(parts, ranges));
    const found = ranges.map((): Uint8Array[] => []);
    for (const part of parts) {
      const { content, offset, length } = ranges[part.place] as FileRange;
      const start = offset - part.start;
      const bytes = starts.get(nameOf(part, content)) ?? Buffer.alloc(0);
      found[part.place]?.push(bytes.subarray(Math.max(0, start), Math.max(0, start + length)));
    }
    // Copies: what is sent to a thread is sent with all of the memory that it is in.
    return found.map((pieces) => Uint8Array.from(pieces.length === 1 ? (pieces[0] ?? []) : Buffer.concat(pieces)));
  }

  async #starts(db: Queries, wanted: readonly WantedStart[]): Promise<Map<string, Buffer>> {
    const starts = new Map<string, Buffer>();
    const missing: WantedStart[] = [];
    for (const start of wanted) {
      const kept = this.#take(start);
      if (kept === null) missing.push(start);
      else starts.set(start.name, kept);
    }
    for (const isWhole of [false, true]) {
      const left = missing.filter(({ name, length }) => (starts.get(name)?.length ?? -1) < length);
      if (left.length === 0) break;
      for (const [name, bytes] of await this.#fetch(db, left, isWhole)) starts.set(name, bytes);
    }
    if (wanted.some(({ name, length }) => (starts.get(name)?.length ?? -1) < length)) throw lostBytes();
    return starts;
  }

  async #fetch(db: Queries, wanted: readonly WantedStart[], isWhole: boolean): Promise<[string, Buffer][]> {
    const share = ({ length, size }: WantedStart) => (isWhole ? 1 : Math.min(1, (PACKED_RESERVE * length) / size));
    const packed = sql`quality, CASE WHEN quality = 0 OR share >= 1 THEN packed ELSE
      substring(packed FROM 1 FOR ceil(octet_length(packed) * share)::integer + ${PACKED_RESERVE_BYTES}::integer)
      END AS packed`;
    const { rows } = await db.execute<FetchedStart>(sql`
      WITH w AS (
        SELECT * FROM unnest(${sql.param(wanted.map((_, place) => place))}::integer[],
          ${sql.param(wanted.map(({ hash }) => hash && Buffer.from(hash, "hex")))}::bytea[],
          ${sql.param(wanted.map(({ content }) => content))}::bigint[],
          ${sql.param(wanted.map(({ start }) => start))}::bigint[],
          ${sql.param(wanted.map(share))}::double precision[]) AS w (place, hash, content, first, share)
      )
      SELECT place, ${packed}, object, packed_bytes, user_id FROM w JOIN LATERAL (SELECT * FROM chunks WHERE chunks.hash = w.hash LIMIT 1) c ON true
      UNION ALL
      SELECT place, ${packed}, NULL, NULL, user_id FROM w JOIN tails t ON w.hash IS NULL AND t.generation_key = content AND t.start = first`);
    return Promise.all(
      rows.map(async (row): Promise<[string, Buffer]> => {
        const start = wanted[row.place] as WantedStart;
        const { name, length } = start;
        const packed = row.packed ?? (await this.#fetchObject(row, start, share(start)));
        const bytes = await unpacking({ quality: row.quality, packed }, length);
        this.#keep(name, bytes);
        return [name, bytes];
      }),
    );
  }

  #fetchObject(row: FetchedStart, { hash }: WantedStart, share: number): Promise<Buffer> {
    const { object, packed_bytes: size, quality, user_id: userId } = row;
    if (object === null || size === null || hash === null) throw lostBytes();
    const first = quality === 0 || share >= 1 ? size : Math.min(size, Math.ceil(size * share) + PACKED_RESERVE_BYTES);
    return this.#objects.read({ userId, hash, object }, first < size ? first : undefined);
  }

  #take({ name, length }: WantedStart): Buffer | null {
    const kept = this.#kept.get(name);
    if (kept === undefined || kept.length < length) return null;
    // The one that was used last comes last.
    this.#kept.delete(name);
    this.#kept.set(name, kept);
    return kept;
  }

  #keep(name: string, bytes: Buffer): void {
    this.#keptBytes += bytes.length - (this.#kept.get(name)?.length ?? 0);
    this.#kept.delete(name);
    this.#kept.set(name, bytes);
    for (const [oldest, { length }] of this.#kept) {
      if (this.#keptBytes <= KEPT_BYTES) break;
      this.#kept.delete(oldest);
      this.#keptBytes -= length;
    }
  }
}

/** What of each part is needed. */
function startsIn(parts: readonly Part[], ranges: readonly FileRange[]): WantedStart[] {
  const wanted = new Map<string, WantedStart>();
  for (const part of parts) {
    const { content, offset, length } = ranges[part.place] as FileRange;
    const name = nameOf(part, content);
    const needed = Math.min(part.size, offset + length - part.start);
    wanted.set(name, { ...part, name, content, length: Math.max(needed, wanted.get(name)?.length ?? 0) });
  }
  return [...wanted.values()];
}

function nameOf({ hash, start, size }: Part, content: number): string {
  return hash ?? `${content} ${start} ${size}`;
}

/** What the ranges are made of, each in order. */
async function partsOf(db: Queries, ranges: readonly FileRange[]): Promise<Part[]> {
  const column = (values: number[]) => sql.param(values);
  const wanted = sql`unnest(
    ${column(ranges.map((_, place) => place))}::integer[], ${column(ranges.map(({ content }) => content))}::bigint[],
    ${column(ranges.map(({ offset }) => offset))}::bigint[],
    ${column(ranges.map(({ offset, length }) => offset + length))}::bigint[]) AS w (place, content, first, next)`;
  const { rows } = await db.execute<Omit<Part, "start"> & { start: string }>(sql`
    SELECT w.place, p.start, p.size, encode(p.hash, 'hex') AS hash
    FROM ${wanted} JOIN pieces p ON p.generation_key = w.content AND p.start < w.next
      AND p.start > w.first - ${LONGEST_CHUNK}::bigint AND p.start + p.size > w.first
    UNION ALL
    SELECT w.place, t.start, t.size, NULL
    FROM ${wanted} JOIN tails t ON t.generation_key = w.content AND t.start < w.next AND t.start + t.size > w.first
    ORDER BY place, start`);
  return rows.map(({ start, ...part }) => ({ ...part, start: Number(start) }));
}

function unpacking(packed: { quality: number; packed: Buffer }, length: number): Promise<Buffer> {
  return unpackStart(packed, length).catch((error: unknown) => {
    throw lostBytes(error);
  });
}

function lostBytes(cause?: unknown): AppError {
  return new AppError("UNAVAILABLE", "The hub has lost bytes of a session.", { cause });
}
