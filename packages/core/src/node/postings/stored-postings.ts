import { type BlockReader, type PostingSource, PostingsReader } from "./postings-reader.ts";
import type { PostingList } from "./postings-writer.ts";
import type { PositionCursor, Postings } from "./segment.ts";

const NO_POSITIONS = new Uint32Array(0);

/** Where lists are decoded, one after the other: a `~substring` has thousands, and most of them are short. */
export interface ListScratch {
  blocks: BlockReader;
  documents: Uint32Array;
  frequencies: Uint32Array;
}

/** What the lists of a segment are read from. */
export interface ListSource extends PostingSource {
  /** For lists of up to `count` documents. */
  scratch(count: number): ListScratch;
}

/** The posting list of one term, read when it is asked for. */
export class StoredPostings implements Postings {
  readonly term: string;
  /** Where it is. */
  readonly place: PostingList;
  readonly #source: ListSource;

  constructor(term: string, place: PostingList, source: ListSource) {
    this.term = term;
    this.place = place;
    this.#source = source;
  }

  get documentCount(): number {
    return this.place.documentCount;
  }

  list(): { documents: Uint32Array; frequencies: Uint32Array } {
    const count = this.documentCount;
    const { blocks, documents, frequencies } = this.#source.scratch(count);
    blocks.start(this.place);
    for (let at = 0; blocks.next(); at += blocks.count) blocks.decodeInto(documents, frequencies, at);
    return { documents: documents.subarray(0, count), frequencies: frequencies.subarray(0, count) };
  }

  positions(): PositionCursor {
    if (!this.place.hasPositions) return { in: () => NO_POSITIONS };
    return new StoredPositions(this.place, this.#source);
  }
}

class StoredPositions implements PositionCursor {
  readonly #place: PostingList;
  readonly #source: PostingSource;
  /** Begun with the first document: of a phrase of common words, the last ones are seldom asked for. */
  #reader: PostingsReader | null = null;
  #isAtEnd = false;

  constructor(place: PostingList, source: PostingSource) {
    this.#place = place;
    this.#source = source;
  }

  in(document: number): Uint32Array {
    const reader = this.#started();
    this.#isAtEnd ||= !reader.seek(document);
    if (this.#isAtEnd || reader.document !== document) return NO_POSITIONS;
    return reader.positions().subarray(0, reader.frequency);
  }

  #started(): PostingsReader {
    if (this.#reader === null) {
      this.#reader = new PostingsReader(this.#source);
      this.#reader.start(this.#place);
    }
    return this.#reader;
  }
}
