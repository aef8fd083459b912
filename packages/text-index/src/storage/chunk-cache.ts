import { LRUCache } from "lru-cache";
import { damaged } from "./damaged.ts";

/** Where the chunks of segments are. */
export interface ChunkSource {
  /** Of each chunk but the last one of a component. */
  readonly chunkBytes: number;
  /** Whether reading several chunks at once takes about as long as reading one. */
  readonly isDistant: boolean;
  /** @throws IndexError for missing or damaged chunks. */
  read(rows: readonly number[]): readonly Uint8Array[];
}

/** Caches the chunks of a source. */
export class ChunkCache {
  readonly chunkBytes: number;
  /** See {@link ChunkSource}. */
  readonly isDistant: boolean;
  readonly #source: ChunkSource;
  readonly #most: number;
  readonly #kept: LRUCache<number, Uint8Array>;

  /** @param mostBytes limit of what is cached; there is always room for one chunk. */
  constructor(source: ChunkSource, mostBytes: number) {
    this.chunkBytes = source.chunkBytes;
    this.isDistant = source.isDistant;
    this.#source = source;
    this.#most = Math.max(1, Math.floor(mostBytes / this.chunkBytes));
    this.#kept = new LRUCache({ max: this.#most });
  }

  /** An estimate: the last chunk of a component is shorter. */
  get bytes(): number {
    return this.#kept.size * this.chunkBytes;
  }

  /**
   * @param following how many of the chunks behind it are read next.
   * @throws IndexError
   */
  read(row: number, following: number): Uint8Array {
    const kept = this.#kept.get(row);
    if (kept !== undefined) return kept;
    const together = this.isDistant ? Math.min(following, this.#most - 1) : 0;
    const [chunk] = this.#keep(Array.from({ length: 1 + together }, (_, place) => row + place));
    if (chunk === undefined) throw damaged("A chunk is missing.");
    return chunk;
  }

  /** Reads those of the chunks that are not here yet. @throws IndexError */
  readAhead(rows: readonly number[]): void {
    const missing = rows.filter((row) => !this.#kept.has(row)).slice(0, this.#most);
    if (missing.length > 0) this.#keep(missing);
  }

  #keep(rows: readonly number[]): readonly Uint8Array[] {
    const chunks = this.#source.read(rows);
    for (const [place, chunk] of chunks.entries()) this.#kept.set(rows[place] ?? 0, chunk);
    return chunks;
  }
}

/** Chunks that are read next: together, as each reading may be a question to another process. */
export class ExpectedChunks {
  readonly #rows = new Map<ChunkCache, Set<number>>();

  add(chunks: ChunkCache, row: number): void {
    const rows = this.#rows.get(chunks);
    if (rows === undefined) this.#rows.set(chunks, new Set([row]));
    else rows.add(row);
  }

  /** Reads what was noted down. @throws IndexError */
  read(): void {
    for (const [chunks, rows] of this.#rows) chunks.readAhead([...rows].sort((a, b) => a - b));
    this.#rows.clear();
  }
}
