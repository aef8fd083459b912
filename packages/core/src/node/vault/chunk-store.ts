import { CHUNK_WINDOW_BYTES, chunkEnd } from "./chunking.ts";
import { hashOf, type Packed, pack } from "./compression.ts";
import { removeUnusedChunk } from "./removal.ts";
import { tailIds } from "./schema.ts";
import type { VaultDatabase } from "./vault-database.ts";

export interface Chunk {
  hash: Buffer;
  size: number;
  /** `null`: the vault has it. */
  packed: Packed | null;
}

/** Another process has kept or removed the same meanwhile. */
export class Overtaken extends Error {}

/** The chunks that all generations share. */
export class ChunkStore {
  readonly #database: VaultDatabase;

  constructor(database: VaultDatabase) {
    this.#database = database;
  }

  /**
   * Splits bytes into chunks, and packs those that the vault does not have.
   *
   * @returns where the last one begins that would be longer if more bytes followed; the length if there is none.
   */
  split(content: Uint8Array, isEnd: boolean, quality: number): { list: Chunk[]; cut: number } {
    const list: Chunk[] = [];
    for (let cut = 0; ; ) {
      const end = chunkEnd(content.subarray(cut, cut + CHUNK_WINDOW_BYTES));
      if (end !== null) {
        list.push(this.chunkOf(content.subarray(cut, cut + end), quality));
        cut += end;
        continue;
      }
      if (isEnd && cut < content.length) list.push(this.chunkOf(content.subarray(cut), quality));
      return { list, cut };
    }
  }

  chunkOf(bytes: Uint8Array, quality: number): Chunk {
    const hash = hashOf(bytes);
    const isKept = this.#database.guarded(() => this.idOf(hash)) !== null;
    return { hash, size: bytes.length, packed: isKept ? null : pack(bytes, quality) };
  }

  idOf(hash: Uint8Array): number | null {
    return this.#database.row<{ id: number }>("SELECT id FROM chunks WHERE hash = ?", hash)?.id ?? null;
  }

  /** A generation consists of these chunks from an offset on. Within a write transaction. @throws Overtaken */
  putPieces(generation: number, from: number, chunks: readonly Chunk[]): void {
    const database = this.#database;
    const where = "WHERE generation = ? AND offset >= ?";
    const replaced = database.rows<{ chunk: number }>(`SELECT chunk FROM pieces ${where}`, generation, from);
    if (replaced.length > 0) database.run(`DELETE FROM pieces ${where}`, generation, from);
    let offset = from;
    for (const chunk of chunks) {
      const sql = "INSERT INTO pieces (generation, offset, chunk) VALUES (?, ?, ?)";
      database.run(sql, generation, offset, this.#put(chunk));
      offset += chunk.size;
    }
    for (const { chunk } of replaced) removeUnusedChunk(database, chunk);
  }

  removeTail(generation: number): void {
    const { first, end } = tailIds(generation);
    this.#database.run("DELETE FROM tails WHERE id >= ? AND id < ?", first, end);
  }

  #put({ hash, size, packed }: Chunk): number {
    const known = this.idOf(hash);
    if (known !== null) return known;
    // The last session that had it was removed meanwhile.
    if (packed === null) throw new Overtaken();
    const sql = "INSERT INTO chunks (hash, size, quality, packed) VALUES (?, ?, ?, ?)";
    return this.#database.insert(sql, hash, size, packed.quality, packed.bytes);
  }
}

/** Another process may have kept more of the generation, or removed it. @throws Overtaken */
export function checkInPlace(
  database: VaultDatabase,
  generation: { id: number; state: number; bytes: number; chunked: number; tailRows: number },
): void {
  const { id, state, bytes, chunked, tailRows } = generation;
  const isInPlace = database.row(
    "SELECT 1 FROM generations WHERE id = ? AND state = ? AND bytes = ? AND chunked = ? AND tail_rows = ? AND replaced_at IS NULL",
    id,
    state,
    bytes,
    chunked,
    tailRows,
  );
  if (isInPlace === undefined) throw new Overtaken();
}
