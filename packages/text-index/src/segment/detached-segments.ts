import { CHUNK_BYTES, type ChunkPlace, COMPONENTS, type ComponentSizes, placeOfRow } from "../storage/components.ts";
import type { FastFields } from "./fast-fields.ts";
import type { Segment, SegmentBuilder } from "./segment.ts";
import { isStored, SegmentCache, type SegmentSize } from "./segment-cache.ts";
import { mergeSegments } from "./segment-merger.ts";
import { SegmentWriter } from "./segment-writer.ts";

export { CHUNK_BYTES, COMPONENTS, type ComponentSizes, type SegmentSize };

/** A chunk of a segment, named by its component and its number there. */
export type SegmentChunk = Omit<ChunkPlace, "segment">;

/** Stores a chunk of the segment that is written; the bytes are valid only during the call. */
export type StoreSegmentChunk = (place: SegmentChunk, bytes: Uint8Array) => void;

/** Bytes of a segment, named by their component and where they begin in it. */
export interface SegmentBytes extends Omit<ChunkPlace, "chunk"> {
  offset: number;
  length: number;
}

/**
 * Reads bytes of segments, of each what there is of them.
 *
 * @throws IndexError
 */
export type ReadSegmentBytes = (wanted: readonly SegmentBytes[]) => readonly Uint8Array[];

export interface DetachedSegmentsOptions {
  /** So many are read at once and kept, wherever the chunks end that were stored. */
  chunkBytes: number;
  /** Room for what was read. */
  cacheBytes: number;
}

/** Segments whose chunks are stored by somebody else, such as a database that is not in this process. */
export class DetachedSegments {
  readonly #cache: SegmentCache;

  constructor(read: ReadSegmentBytes, { chunkBytes, cacheBytes }: DetachedSegmentsOptions) {
    const readChunks = (rows: readonly number[]): readonly Uint8Array[] =>
      read(
        rows.map((row) => {
          const { chunk, ...place } = placeOfRow(row);
          return { ...place, offset: chunk * chunkBytes, length: chunkBytes };
        }),
      );
    this.#cache = new SegmentCache({ chunkBytes, isDistant: true, read: readChunks }, cacheBytes);
  }

  get cachedBytes(): number {
    return this.#cache.cachedBytes;
  }

  /** @param id for `read`, below 2^26; must not name another segment later. */
  open(id: number, size: SegmentSize): Segment {
    return this.#cache.open(id, size);
  }
}

/** Stores the built segment, and clears the builder. @returns `null` if it had no documents. */
export function storeSegment(builder: SegmentBuilder, store: StoreSegmentChunk): SegmentSize | null {
  if (builder.documentCount === 0) return null;
  const writer = beginSegment(builder.documents(), store);
  builder.emitTerms(writer);
  builder.clear();
  return sizeOf(writer);
}

/**
 * Stores one segment with the live documents of several, in steps of about 20 ms.
 *
 * @param isAlive called for each document, in the first steps.
 * @returns `null` if no document is alive.
 */
export function* mergeDetached(
  segments: readonly Segment[],
  isAlive: (segment: Segment, document: number) => boolean,
  store: StoreSegmentChunk,
): Generator<void, SegmentSize | null, void> {
  const sources = segments.map((segment) => {
    if (!isStored(segment)) throw new TypeError("Only stored segments can be merged.");
    return segment;
  });
  const writer = yield* mergeSegments(sources, isAlive, (documents) => beginSegment(documents, store));
  return writer.documentCount === 0 ? null : sizeOf(writer);
}

function beginSegment(documents: FastFields, store: StoreSegmentChunk): SegmentWriter {
  return new SegmentWriter(
    (row, bytes) => {
      const { component, chunk } = placeOfRow(row);
      store({ component, chunk }, bytes);
    },
    0,
    documents,
  );
}

function sizeOf(writer: SegmentWriter): SegmentSize {
  const sizes = writer.finish();
  return { documentCount: writer.documentCount, sizes };
}
