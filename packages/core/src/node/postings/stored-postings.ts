import { type BlockReader, type PostingSource, PostingsReader } from "./postings-reader.ts";
import type { PostingList } from "./postings-writer.ts";
import type { PositionCursor, Postings } from "./segment.ts";

const NO_POSITIONS = new Uint32Array(0);
const MOST_VIEWS = 64;

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
  /** Of `#viewed`, by length: to make one takes as long as to decode some positions. */
  #views: Uint32Array[] = [];
  #viewed: Uint32Array = NO_POSITIONS;

  constructor(place: PostingList, source: PostingSource) {
    this.#place = place;
    this.#source = source;
  }

  in(document: number): Uint32Array {
    const reader = this.#started();
    this.#isAtEnd ||= !reader.seek(document);
    if (this.#isAtEnd || reader.document !== document) return NO_POSITIONS;
    return this.#view(reader.positions(), reader.frequency);
  }

  #view(positions: Uint32Array, length: number): Uint32Array {
    if (length >= MOST_VIEWS) return positions.subarray(0, length);
    if (this.#viewed !== positions) {
      this.#viewed = positions;
      this.#views = [];
    }
    const view = this.#views[length] ?? positions.subarray(0, length);
    this.#views[length] = view;
    return view;
  }

  #started(): PostingsReader {
    if (this.#reader === null) {
      this.#reader = new PostingsReader(this.#source);
      this.#reader.start(this.#place);
    }
    return this.#reader;
  }
}
