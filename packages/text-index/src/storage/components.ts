import { verify } from "./checksum.ts";
import type { ChunkCache, ChunkSource, ExpectedChunks } from "./chunk-cache.ts";
import { damaged } from "./damaged.ts";
import type { SqliteDatabase, SqliteStatement } from "./sqlite.ts";

/** Components of a segment. Their order is part of the index version. */
export const COMPONENTS = ["documents", "blocks", "dictionary", "postings", "positions"] as const;
export type Component = (typeof COMPONENTS)[number];

/** Bytes of each component of a segment. */
export type ComponentSizes = Record<Component, number>;

/**
 * Bytes of a page of a text database. The text of a line that was just written changes a few pages of small rows, so
 * that pages of 4,096 bytes cost twice the writes.
 */
export const PAGE_BYTES = 2048;
/** SQLite's minimum in a table page, see "Cell Payload Overflow Pages" in its file format description. */
const LEAST_IN_PAGE = Math.floor(((PAGE_BYTES - 12) * 32) / 255) - 23;

/**
 * A row of this size fills 16 overflow pages exactly and leaves the minimum in the table page. The row's header takes
 * six bytes, its checksum four. With larger rows short lists would cost more to read; smaller ones would mean more rows.
 */
export const CHUNK_BYTES = LEAST_IN_PAGE + 16 * (PAGE_BYTES - 4) - 10;

/** Maximum chunks of a component: more than half a terabyte. */
const MAX_CHUNKS = 2 ** 24;

/** Row ID of a component's first chunk; the others follow. */
function firstRow(segment: number, component: Component): number {
  return (segment * 8 + COMPONENTS.indexOf(component)) * MAX_CHUNKS;
}

/** Row ID range of all components of a segment. */
export function rowsOf(segment: number): { first: number; last: number } {
  return { first: segment * 8 * MAX_CHUNKS, last: (segment + 1) * 8 * MAX_CHUNKS - 1 };
}

/** A chunk of a component. */
export interface ChunkPlace {
  segment: number;
  component: Component;
  /** Its number in the component. */
  chunk: number;
}

/** The chunk that has a row ID. */
export function placeOfRow(row: number): ChunkPlace {
  const place = Math.floor(row / MAX_CHUNKS);
  // The row ID of a chunk names one of the components.
  const component = COMPONENTS[place % 8] as Component;
  return { segment: Math.floor(place / 8), component, chunk: row % MAX_CHUNKS };
}

/** Stores a chunk by its row ID; the bytes are valid only during the call. */
export type StoreChunk = (row: number, bytes: Uint8Array) => void;

/** Appends bytes to one component. */
export class ComponentWriter {
  readonly #store: StoreChunk;
  readonly #chunk = Buffer.alloc(CHUNK_BYTES);
  #row: number;
  #used = 0;
  #written = 0;

  constructor(store: StoreChunk, segment: number, component: Component) {
    this.#store = store;
    this.#row = firstRow(segment, component);
  }

  /** Bytes appended so far. */
  get length(): number {
    return this.#written + this.#used;
  }

  append(bytes: Uint8Array): void {
    let from = 0;
    while (from < bytes.length) {
      const count = Math.min(bytes.length - from, CHUNK_BYTES - this.#used);
      this.#chunk.set(from === 0 && count === bytes.length ? bytes : bytes.subarray(from, from + count), this.#used);
      this.#used += count;
      from += count;
      if (this.#used === CHUNK_BYTES) this.finish();
    }
  }

  /** Writes the last, shorter chunk. */
  finish(): void {
    if (this.#used === 0) return;
    this.#store(this.#row++, this.#chunk.subarray(0, this.#used));
    this.#written += this.#used;
    this.#used = 0;
  }
}

/** The chunks of a database with the tables of `SEGMENTS_SQL`. */
export class SqliteChunks implements ChunkSource {
  readonly chunkBytes = CHUNK_BYTES;
  readonly isDistant = false;
  readonly #select: SqliteStatement;

  constructor(database: SqliteDatabase) {
    this.#select = database.prepare("SELECT checksum, bytes FROM chunks WHERE id = ?");
  }

  read(rows: readonly number[]): readonly Uint8Array[] {
    return rows.map((row) => this.#readOne(row));
  }

  #readOne(row: number): Uint8Array {
    // The columns of the statement.
    const stored = this.#select.get(row) as { checksum: number; bytes: Uint8Array } | undefined;
    if (stored === undefined) throw damaged("A chunk is missing.");
    verify(stored.checksum, row, stored.bytes);
    return stored.bytes;
  }
}

/** A byte range of a component. */
export interface Extent {
  offset: number;
  length: number;
}

/** Reads byte ranges of one component. */
export class ComponentReader {
  readonly #chunks: ChunkCache;
  readonly #firstRow: number;
  readonly #length: number;
  /** The last chunk read: most reads are sequential. */
  #row = -1;
  #chunk: Uint8Array = new Uint8Array(0);

  constructor(chunks: ChunkCache, segment: number, component: Component, length: number) {
    this.#chunks = chunks;
    this.#firstRow = firstRow(segment, component);
    this.#length = length;
  }

  /**
   * Returns a view that must not be modified.
   *
   * @throws IndexError if the range is outside the component.
   */
  read(offset: number, length: number): Uint8Array {
    this.#check(offset, length);
    const { chunkBytes } = this.#chunks;
    const start = offset % chunkBytes;
    if (start + length <= chunkBytes) return this.#piece((offset - start) / chunkBytes, start, length, 0);
    return this.#fill(offset, new Uint8Array(length));
  }

  /**
   * Copies bytes into the buffer of `reader`, without temporary arrays.
   *
   * @returns that buffer.
   * @throws IndexError if the range is outside the component.
   */
  readInto(reader: { begin(length: number): Uint8Array }, offset: number, length: number): Uint8Array {
    this.#check(offset, length);
    return this.#fill(offset, reader.begin(length));
  }

  /** Notes down what is read next, unless it is at hand. */
  expect({ offset, length }: Extent, expected: ExpectedChunks): void {
    if (!this.#chunks.isDistant || length === 0) return;
    const { chunkBytes } = this.#chunks;
    const last = Math.floor((Math.min(offset + length, this.#length) - 1) / chunkBytes);
    for (let chunk = Math.floor(offset / chunkBytes); chunk <= last; chunk++) {
      expected.add(this.#chunks, this.#firstRow + chunk);
    }
  }

  #check(offset: number, length: number): void {
    if (offset + length > this.#length) throw damaged("A list lies behind the end of its segment.");
  }

  #fill(offset: number, bytes: Uint8Array): Uint8Array {
    const { chunkBytes } = this.#chunks;
    for (let done = 0; done < bytes.length; ) {
      const start = (offset + done) % chunkBytes;
      const count = Math.min(bytes.length - done, chunkBytes - start);
      const following = Math.ceil((bytes.length - done - count) / chunkBytes);
      bytes.set(this.#piece((offset + done - start) / chunkBytes, start, count, following), done);
      done += count;
    }
    return bytes;
  }

  #piece(number: number, start: number, length: number, following: number): Uint8Array {
    if (length === 0) return new Uint8Array(0);
    const row = this.#firstRow + number;
    if (row !== this.#row) {
      this.#chunk = this.#chunks.read(row, following);
      this.#row = row;
    }
    if (start + length > this.#chunk.length) throw damaged("A chunk is too short.");
    return this.#chunk.subarray(start, start + length);
  }
}
