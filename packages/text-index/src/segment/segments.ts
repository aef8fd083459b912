import { COMPONENTS, type ComponentSizes, rowsOf, SqliteChunks } from "../storage/components.ts";
import { SEGMENT_COLUMNS } from "../storage/schema.ts";
import type { SqliteDatabase, SqliteStatement } from "../storage/sqlite.ts";
import type { FastFields } from "./fast-fields.ts";
import type { Segment, SegmentBuilder, Segments } from "./segment.ts";
import { SegmentCache } from "./segment-cache.ts";
import { mergeSegments } from "./segment-merger.ts";
import { SegmentWriter } from "./segment-writer.ts";
import type { StoredSegment } from "./stored-segment.ts";

/** Incomplete and replaced segments are invisible to readers, and deleted step by step. */
const REMOVED = 0;
const COMPLETE = 1;

/** Chunks deleted per merge step: 4 MB. */
const STEP_CHUNKS = 128;

const COLUMNS = COMPONENTS.map((component) => `${component}_bytes`);

type StoredRow = { id: number; state: number; documents: number } & Record<`${keyof ComponentSizes}_bytes`, number>;

/**
 * Opens the segments of a text database with the tables of `SEGMENTS_SQL`.
 *
 * @param cacheBytes room for chunks and sets that were read.
 */
export function openSegments(database: SqliteDatabase, cacheBytes?: number): Segments {
  return new StoredSegments(database, cacheBytes);
}

class StoredSegments implements Segments {
  readonly #list: SqliteStatement;
  readonly #cache: SegmentCache;
  readonly #insertChunk: SqliteStatement;
  readonly #begin: SqliteStatement;
  readonly #complete: SqliteStatement;
  readonly #hide: SqliteStatement;
  readonly #removed: SqliteStatement;
  readonly #remains: SqliteStatement;
  readonly #removeChunks: SqliteStatement;
  readonly #remove: SqliteStatement;
  #known: readonly StoredSegment[] = [];

  constructor(database: SqliteDatabase, cacheBytes: number | undefined) {
    this.#list = database.prepare(
      `SELECT ${SEGMENT_COLUMNS} FROM segments WHERE verified(checksum, ${SEGMENT_COLUMNS}) ORDER BY id`,
    );
    this.#cache = new SegmentCache(new SqliteChunks(database), cacheBytes);
    this.#insertChunk = database.prepare("INSERT INTO chunks (id, bytes) VALUES (?, ?)");
    this.#begin = database.prepare(
      `INSERT INTO segments (state, documents, ${COLUMNS.join(", ")}) VALUES (${REMOVED}, 0${", 0".repeat(COMPONENTS.length)})`,
    );
    this.#complete = database.prepare(
      `UPDATE segments SET state = ${COMPLETE}, documents = ?, ${COLUMNS.map((column) => `${column} = ?`).join(", ")} WHERE id = ?`,
    );
    this.#hide = database.prepare(`UPDATE segments SET state = ${REMOVED} WHERE id = ?`);
    this.#removed = database.prepare(`SELECT id FROM segments WHERE state = ${REMOVED}`);
    this.#remains = database.prepare(
      `SELECT 1 FROM segments WHERE state = ${REMOVED} AND (
        id < (SELECT max(id) FROM segments) OR EXISTS (SELECT 1 FROM chunks WHERE chunks.id >= ${rowsOf(1).first} * segments.id)
      )`,
    );
    this.#removeChunks = database.prepare(
      "DELETE FROM chunks WHERE id IN (SELECT id FROM chunks WHERE id BETWEEN ? AND ? LIMIT ?)",
    );
    // The highest stays, empty: ids are not used again, since readers cache chunks by them. AUTOINCREMENT would write a
    // page more with each segment.
    this.#remove = database.prepare("DELETE FROM segments WHERE id = ? AND id < (SELECT max(id) FROM segments)");
  }

  refresh(): readonly Segment[] {
    // The statement selects what `StoredRow` has.
    const all = this.#list.all() as StoredRow[];
    const rows = all.filter(({ state }) => state === COMPLETE);
    // Cached segments stay valid: they never change, and their IDs are not reused.
    const known = new Map(this.#known.map((segment) => [segment.id, segment]));
    this.#known = rows.map((row) => known.get(row.id) ?? this.#open(row));
    return this.#known;
  }

  get cachedBytes(): number {
    return this.#cache.cachedBytes;
  }

  get hasRemains(): boolean {
    return this.#remains.get() !== undefined;
  }

  write(builder: SegmentBuilder): void {
    if (builder.documentCount > 0) {
      const writer = this.#beginSegment(builder.documents());
      builder.emitTerms(writer);
      this.#finish(writer);
    }
    builder.clear();
  }

  *merge(
    segments: readonly Segment[],
    isAlive: (segment: Segment, document: number) => boolean,
  ): Generator<void, void, void> {
    const sources = segments.map((segment) => this.#own(segment));
    yield* this.#removeSegments();
    if (sources.length === 0) return;
    const writer = yield* mergeSegments(sources, isAlive, (documents) => this.#beginSegment(documents));
    if (writer.documentCount > 0) this.#finish(writer);
    for (const { id } of sources) this.#hide.run(id);
    yield;
    yield* this.#removeSegments();
  }

  #own(segment: Segment): StoredSegment {
    const own = this.#known.find((known) => known === segment);
    if (own === undefined) throw new Error(`There is no segment ${segment.id} any more.`);
    return own;
  }

  #open({ id, documents, ...row }: StoredRow): StoredSegment {
    return this.#cache.open(id, {
      documentCount: documents,
      sizes: {
        documents: row.documents_bytes,
        blocks: row.blocks_bytes,
        dictionary: row.dictionary_bytes,
        postings: row.postings_bytes,
        positions: row.positions_bytes,
      },
    });
  }

  #beginSegment(documents: FastFields): SegmentWriter {
    const id = Number(this.#begin.run().lastInsertRowid);
    return new SegmentWriter((row, bytes) => this.#insertChunk.run(row, bytes), id, documents);
  }

  #finish(writer: SegmentWriter): void {
    const sizes = writer.finish();
    this.#complete.run(writer.documentCount, ...COMPONENTS.map((component) => sizes[component]), writer.id);
  }

  /** Deletes invisible segments, one piece per step. */
  *#removeSegments(): Generator<void, void, void> {
    for (const { id } of this.#removed.all() as { id: number }[]) {
      const { first, last } = rowsOf(id);
      while (this.#removeChunks.run(first, last, STEP_CHUNKS).changes === STEP_CHUNKS) yield;
      this.#remove.run(id);
    }
  }
}
