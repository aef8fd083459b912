import type { ListDecoder, PostingsPair } from "../postings/list-decoder.ts";
import { PostingListReader } from "../postings/posting-list-reader.ts";
import type { TermInfo } from "../postings/posting-list-writer.ts";
import type { PostingSource } from "../postings/posting-source.ts";
import type { DocumentSets } from "./document-sets.ts";
import type { PositionCursor, PostingList } from "./segment.ts";

const NO_POSITIONS = new Uint32Array(0);
/** Shorter lists are decoded in some 10 µs. */
const LEAST_IN_SET = 1024;
/** Of a list with fewer than one document in so many, a set takes more than seven times the bytes. */
const MOST_BITS = 64;

/** Of those that nobody reads with, each keeps room for a list: some 40 KB in 1 GB of sessions... */
const MOST_SPARE_READERS = 4;
/** ...and a megabyte for the most common words of years of work, which is given back. */
const MOST_SPARE_BYTES = 64 * 1024;

/** What the lists of a segment are read from. */
export interface ListSource extends PostingSource {
  readonly id: number;
  readonly sets: DocumentSets;
  readonly decoder: ListDecoder;
  /** Nobody reads with these. */
  readonly spareReaders: PostingListReader[];
}

/** The posting list of one term, read when it is asked for. */
export class StoredPostingList implements PostingList {
  readonly term: string;
  /** Where it is. */
  readonly place: TermInfo;
  readonly #source: ListSource;

  constructor(term: string, place: TermInfo, source: ListSource) {
    this.term = term;
    this.place = place;
    this.#source = source;
  }

  get documentCount(): number {
    return this.place.documentCount;
  }

  list(): { documents: Uint32Array; frequencies: Uint32Array } {
    return this.#source.decoder.list(this.#source, this.place);
  }

  pairWith(other: PostingList): PostingsPair | null {
    if (!(other instanceof StoredPostingList)) return null;
    return this.#source.decoder.pair(this.#source, this.place, other.place);
  }

  set(decode: boolean): Uint32Array | null {
    const { sets, documentCount, id, decoder } = this.#source;
    if (this.documentCount < Math.max(LEAST_IN_SET, documentCount / MOST_BITS)) return null;
    const name = `${id} ${this.term}`;
    const known = sets.find(name);
    if (known !== null || !decode) return known;
    const set = decoder.set(this.#source, this.place);
    sets.keep(name, set);
    return set;
  }

  positions(): PositionCursor {
    if (!this.place.hasPositions) return NOWHERE;
    return new StoredPositions(this.place, this.#source);
  }
}

const NOWHERE: PositionCursor = { in: () => NO_POSITIONS, close: () => undefined };

class StoredPositions implements PositionCursor {
  readonly #place: TermInfo;
  readonly #source: ListSource;
  /** Begun with the first document: of a phrase of common words, the last ones are seldom asked for. */
  #reader: PostingListReader | null = null;
  #isAtEnd = false;

  constructor(place: TermInfo, source: ListSource) {
    this.#place = place;
    this.#source = source;
  }

  in(document: number): Uint32Array {
    const reader = this.#started();
    this.#isAtEnd ||= !reader.seek(document);
    return this.#isAtEnd || reader.document !== document ? NO_POSITIONS : reader.positions();
  }

  close(): void {
    const { spareReaders } = this.#source;
    const isSmall = this.#place.postings.length <= MOST_SPARE_BYTES;
    if (this.#reader !== null && isSmall && spareReaders.length < MOST_SPARE_READERS) spareReaders.push(this.#reader);
    this.#reader = null;
  }

  #started(): PostingListReader {
    if (this.#reader === null) {
      this.#reader = this.#source.spareReaders.pop() ?? new PostingListReader(this.#source);
      this.#reader.start(this.#place);
    }
    return this.#reader;
  }
}
