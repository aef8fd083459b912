import type { LRUCache } from "lru-cache";
import { type ListBuffer, PostingListReader } from "../postings/posting-list-reader.ts";
import type { TermInfo } from "../postings/posting-list-writer.ts";
import type { PostingSource } from "../postings/posting-source.ts";
import type { ExpectedChunks } from "../storage/chunk-cache.ts";
import type { PositionCursor, PostingList } from "./segment.ts";

const NO_POSITIONS = new Uint32Array(0);
/** Shorter lists are decoded in about 10 µs. */
const MIN_IN_SET = 1024;
/** A set of a sparser list takes more than seven times its bytes. */
const MOST_BITS = 64;

/** Each unused reader keeps a buffer: about 40 KB for 1 GB of sessions... */
const MAX_SPARE_READERS = 4;
/** ...and a megabyte for the most common words of years of sessions, which is released. */
const MAX_SPARE_BYTES = 64 * 1024;

/** Source of a segment's lists. */
export interface ListSource extends PostingSource {
  readonly id: number;
  /** Cached sets of common terms, by segment and term. */
  readonly sets: LRUCache<string, Uint32Array>;
  readonly listBuffer: ListBuffer;
  /** Unused readers. */
  readonly spareReaders: PostingListReader[];
}

function takeReader(source: ListSource): PostingListReader {
  return source.spareReaders.pop() ?? new PostingListReader(source);
}

function giveBack(reader: PostingListReader, { spareReaders }: ListSource, { postings }: TermInfo): void {
  if (postings.length <= MAX_SPARE_BYTES && spareReaders.length < MAX_SPARE_READERS) spareReaders.push(reader);
}

/** The posting list of one term, read on demand. */
export class StoredPostingList implements PostingList {
  readonly term: string;
  /** Its location. */
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
    const reader = takeReader(this.#source);
    const list = reader.readAll(this.place, this.#source.listBuffer);
    giveBack(reader, this.#source, this.place);
    return list;
  }

  set(decode: boolean): Uint32Array | null {
    const { sets, documentCount, id } = this.#source;
    if (this.documentCount < Math.max(MIN_IN_SET, documentCount / MOST_BITS)) return null;
    const name = `${id} ${this.term}`;
    const known = sets.get(name) ?? null;
    if (known !== null || !decode) return known;
    const set = new Uint32Array((documentCount + 31) >>> 5);
    const { documents } = this.list();
    for (let place = 0; place < documents.length; place++) {
      // Casts: all documents have a bit.
      const document = documents[place] as number;
      set[document >>> 5] = (set[document >>> 5] as number) | (1 << (document & 31));
    }
    sets.set(name, set);
    return set;
  }

  expect(expected: ExpectedChunks): void {
    const { sets, id, postings } = this.#source;
    // Ranking reads the frequencies of the others as well.
    if (!sets.has(`${id} ${this.term}`)) postings.expect(this.place.postings, expected);
  }

  expectPositions(documents: Uint32Array, expected: ExpectedChunks): void {
    if (!this.place.hasPositions) return;
    const reader = takeReader(this.#source);
    for (const extent of reader.positionExtents(this.place, documents)) this.#source.positions.expect(extent, expected);
    giveBack(reader, this.#source, this.place);
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
  /** Opened with the first document: the last words of a phrase are rarely needed. */
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
    if (this.#reader !== null) giveBack(this.#reader, this.#source, this.#place);
    this.#reader = null;
  }

  #started(): PostingListReader {
    if (this.#reader === null) {
      this.#reader = takeReader(this.#source);
      this.#reader.start(this.#place);
    }
    return this.#reader;
  }
}
