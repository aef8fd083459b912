import { LRUCache } from "lru-cache";
import { hashOf, unpack } from "./compression.ts";
import { tailIds } from "./schema.ts";
import { VaultDamage, type VaultDatabase } from "./vault-database.ts";

/** Unpacked chunks: pages of a session are read one after the other. */
const CACHE_BYTES = 8 * 1024 * 1024;

/** A part of a generation: a chunk or a row of its tail. */
interface Part {
  offset: number;
  size: number;
  /** Of the chunk; `null`: a row of the tail. */
  chunk: number | null;
  id: number;
}

/** A row of chunks or of tails. */
export interface PackedRow {
  hash: Buffer;
  size: number;
  quality: number;
  packed: Buffer;
}

/** The last chunk that begins at or before an offset, and those that follow up to another. */
const CHUNKS = `SELECT p.offset, c.size, c.id, c.id AS chunk FROM pieces p JOIN chunks c ON c.id = p.chunk
  WHERE p.generation = @generation AND p.offset < @end AND p.offset >=
    (SELECT coalesce(max(offset), 0) FROM pieces WHERE generation = @generation AND offset <= @start)
  ORDER BY p.offset`;
const TAILS = `SELECT offset, size, id, NULL AS chunk FROM tails
  WHERE id >= @first AND id < @last AND offset < @end AND offset + size > @start ORDER BY offset`;

/** Unpacks what is kept, with the chunks that were read last in memory. */
export class VaultReader {
  readonly #database: VaultDatabase;
  readonly #cache = new LRUCache<string, Uint8Array>({
    maxSize: CACHE_BYTES,
    sizeCalculation: (bytes) => Math.max(1, bytes.length),
  });

  constructor(database: VaultDatabase) {
    this.#database = database;
  }

  /**
   * Reads bytes of a generation, as many as the buffer takes and as there are.
   *
   * @throws VaultDamage if they are not what was kept.
   */
  read(generation: { id: number; bytes: number }, buffer: Uint8Array, offset: number): number {
    const end = Math.min(generation.bytes, offset + buffer.length);
    if (end <= offset) return 0;
    return this.#database.read(() => {
      let at = offset;
      for (const part of this.#parts(generation.id, offset, end)) {
        if (part.offset > at) break;
        const bytes = this.#bytesOf(part);
        const wanted = bytes.subarray(at - part.offset, end - part.offset);
        buffer.set(wanted, at - offset);
        at += wanted.length;
      }
      if (at < end) throw new VaultDamage("UNAVAILABLE", `The vault has lost bytes of this session at ${at}.`);
      return at - offset;
    });
  }

  #parts(generation: number, start: number, end: number): Part[] {
    const chunks = this.#database.rows<Part>(CHUNKS, { generation, start, end });
    const last = chunks.at(-1);
    const rest = last === undefined ? start : Math.max(start, last.offset + last.size);
    if (rest >= end) return chunks;
    const { first, end: lastId } = tailIds(generation);
    return [...chunks, ...this.#database.rows<Part>(TAILS, { first, last: lastId, start: rest, end })];
  }

  #bytesOf({ id, chunk, offset, size }: Part): Uint8Array {
    const key = chunk === null ? `${id} ${offset} ${size}` : `${chunk}`;
    const cached = this.#cache.get(key);
    if (cached !== undefined) return cached;
    const table = chunk === null ? "tails" : "chunks";
    const row = this.#database.row<PackedRow>(`SELECT hash, size, quality, packed FROM ${table} WHERE id = ?`, id);
    const bytes = row === undefined ? null : verified(row);
    if (bytes === null) throw new VaultDamage("UNAVAILABLE", "The vault is damaged where this session is kept.");
    this.#cache.set(key, bytes);
    return bytes;
  }
}

/** What a row holds; `null` if that is not what was kept. */
export function verified({ hash, size, quality, packed }: PackedRow): Uint8Array | null {
  let bytes: Uint8Array;
  try {
    bytes = unpack({ quality, bytes: packed }, size);
  } catch {
    return null;
  }
  return bytes.length === size && hashOf(bytes).equals(hash) ? bytes : null;
}
