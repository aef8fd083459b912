import {
  CHUNK_BYTES,
  COMPONENTS,
  type ComponentSizes,
  type SegmentBuilder,
  type SegmentChunk,
  type SegmentSize,
  type StoreSegmentChunk,
  storeSegment,
} from "@sm/text-index";

/** A chunk that is to be stored. */
export interface NewChunk extends SegmentChunk {
  bytes: Uint8Array;
}

/** A segment that is to be stored, see `RemoteSegment`. */
export interface NewSegment {
  documentCount: number;
  sizes: ComponentSizes;
  /** `null`: it is in chunks. */
  content: Uint8Array | null;
  /** All, or those that were not handed over before. */
  chunks: NewChunk[];
}

/** Chunks are handed over when there are so many bytes. */
const FLUSH_BYTES = 2 * 1024 * 1024;

/** Collects the chunks of a segment that is written. */
export class NewChunks {
  readonly #flush: ((chunks: NewChunk[]) => void) | null;
  #chunks: NewChunk[] = [];
  #bytes = 0;
  #isFlushed = false;

  /** @param flush takes chunks while there are more; without it, all are kept. */
  constructor(flush: ((chunks: NewChunk[]) => void) | null = null) {
    this.#flush = flush;
  }

  readonly store: StoreSegmentChunk = (place, bytes) => {
    this.#chunks.push({ ...place, bytes: Uint8Array.from(bytes) });
    this.#bytes += bytes.length;
    if (this.#flush === null || this.#bytes < FLUSH_BYTES) return;
    this.#flush(this.#chunks);
    this.#isFlushed = true;
    this.#chunks = [];
    this.#bytes = 0;
  };

  /** The segment, of which these are the last chunks. */
  segment({ documentCount, sizes }: SegmentSize): NewSegment {
    const isSmall = !this.#isFlushed && this.#bytes <= CHUNK_BYTES;
    return { documentCount, sizes, content: isSmall ? this.#inOne() : null, chunks: isSmall ? [] : this.#chunks };
  }

  #inOne(): Uint8Array {
    const inOrder = COMPONENTS.flatMap((wanted) => this.#chunks.filter(({ component }) => component === wanted));
    return Buffer.concat(inOrder.map(({ bytes }) => bytes));
  }
}

/** The built segment, and clears the builder; `null` if it has no documents. */
export function newSegment(builder: SegmentBuilder): NewSegment | null {
  const chunks = new NewChunks();
  const size = storeSegment(builder, chunks.store);
  return size === null ? null : chunks.segment(size);
}
