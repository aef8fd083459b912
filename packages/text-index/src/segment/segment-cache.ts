import { LRUCache } from "lru-cache";
import { ListBuffer } from "../postings/posting-list-reader.ts";
import { ChunkCache, type ChunkSource } from "../storage/chunk-cache.ts";
import type { ComponentSizes } from "../storage/components.ts";
import type { Segment } from "./segment.ts";
import { type SharedReaders, StoredSegment } from "./stored-segment.ts";

/** Enough for a merge, which reads three components of some segments alternately, in chunks of 32 KB. */
const CACHE_BYTES = 2 * 1024 * 1024;
/**
 * Part of the cache for sets of documents. One of 365,000 documents, half of the text of 1 GB of sessions, takes 45 KB.
 */
const SETS_SHARE = 1 / 5;

/** A stored segment that is complete. */
export interface SegmentSize {
  documentCount: number;
  sizes: ComponentSizes;
}

/** Opens the segments of a source of chunks, with one cache for all of them. */
export class SegmentCache {
  readonly #readers: SharedReaders;

  /** @param cacheBytes room for chunks and sets that were read. */
  constructor(source: ChunkSource, cacheBytes = CACHE_BYTES) {
    const setBytes = Math.ceil(cacheBytes * SETS_SHARE);
    this.#readers = {
      chunks: new ChunkCache(source, cacheBytes - setBytes),
      sets: new LRUCache({ maxSize: Math.max(1, setBytes), sizeCalculation: ({ byteLength }) => byteLength }),
      listBuffer: new ListBuffer(),
    };
  }

  get cachedBytes(): number {
    return this.#readers.chunks.bytes + (this.#readers.sets.calculatedSize ?? 0);
  }

  /** @param id names it in the rows of its chunks; ids are never used again. */
  open(id: number, { documentCount, sizes }: SegmentSize): StoredSegment {
    return new StoredSegment(this.#readers, id, documentCount, sizes);
  }
}

/** Tells segments of this cache from others. */
export function isStored(segment: Segment): segment is StoredSegment {
  return segment instanceof StoredSegment;
}
