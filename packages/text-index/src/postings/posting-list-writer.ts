import type { Extent } from "../storage/components.ts";
import { MOST_LISTS, NUMBERS_OF_LIST } from "../wasm/constants.ts";
import { instantiate, type Program } from "../wasm/lists.ts";

/** Data about a segment's documents needed for encoding. */
interface DocumentLengths {
  readonly count: number;
  /** Number of terms. */
  readonly lengths: Uint32Array;
}

/** Location of a term's postings and positions. */
export interface TermInfo {
  documentCount: number;
  /** `false` for fields. */
  hasPositions: boolean;
  postings: Extent;
  positions: Extent;
}

/** A written list, directly after the previous one: its length in both components. */
export interface WrittenList {
  documentCount: number;
  hasPositions: boolean;
  postingsLength: number;
  positionsLength: number;
}

/** Receives the bytes of posting lists; they are valid only during the call. */
export interface PostingsSink {
  appendPostings(bytes: Uint8Array): void;
  appendPositions(bytes: Uint8Array): void;
}

/** Number of terms by which the memory grows: four megabytes. */
const MORE_TERMS = 1 << 20;

/**
 * Encodes posting lists in sequence: documents and frequencies into one component, positions into another, so that
 * ranking reads only the first. Either the documents of each term are added one by one, or the terms of all documents
 * are appended as numbers and sorted by term at the end.
 *
 * Documents are grouped into blocks of 128. Differences are Rice-coded, each followed by its frequency. A block starts
 * with the number of missing documents between its own, which determines its last document and the Rice parameter, and
 * with its lengths in both components. It ends with skip data: the bit offsets of the positions of every sixteenth
 * document, relative to the block's positions. The last block of a list, for most terms the only one, has neither: it
 * ends with the list, and its documents may be any up to the last one of the segment.
 */
export class PostingListWriter {
  readonly #lists: Program;
  #memory: Uint32Array = new Uint32Array(0);
  /** Of `#memory`. */
  readonly #termsAt: number;
  #positionsAt = 0;
  #positionsRoom = 0;
  #termCount = 0;
  #sink: PostingsSink | null = null;

  constructor() {
    const bytes = (address: number, length: number) => new Uint8Array(this.#lists.memory.buffer, address, length);
    const lists = {
      takePostings: (address: number, length: number) => this.#sink?.appendPostings(bytes(address, length)),
      takePositions: (address: number, length: number) => this.#sink?.appendPositions(bytes(address, length)),
    };
    this.#lists = instantiate({ lists });
    this.#termsAt = this.#lists.addressOfTerms() / 4;
    this.#follow();
  }

  /** Terms appended since `clear`. */
  get termCount(): number {
    return this.#termCount;
  }

  /** Bytes of memory, which never shrinks. */
  get bytes(): number {
    return this.#memory.byteLength;
  }

  /** Removes the appended terms. */
  clear(): void {
    this.#termCount = 0;
  }

  /** Pushes terms by number. */
  append(terms: Uint32Array): void {
    const end = this.#termsAt + this.#termCount + terms.length;
    if (end > this.#memory.length) this.#reserve(this.#termCount + terms.length);
    this.#memory.set(terms, this.#termsAt + this.#termCount);
    this.#termCount += terms.length;
  }

  /** Pushes one term. */
  push(term: number): void {
    const at = this.#termsAt + this.#termCount;
    if (at >= this.#memory.length) this.#reserve(this.#termCount);
    this.#memory[at] = term;
    this.#termCount++;
  }

  /**
   * Writes the lists of all appended terms.
   *
   * @param starts start of each document among the terms: first those of its text, then its fields.
   * @param order term numbers in the order in which to write their lists.
   * @param end called for each of them, in the same order.
   */
  writeSorted(
    documents: DocumentLengths,
    starts: Uint32Array,
    order: Uint32Array,
    sink: PostingsSink,
    end: (term: number, list: WrittenList) => void,
  ): void {
    this.#begin(documents, order.length, sink);
    const lists = this.#lists;
    const startsAt = lists.addressOfStarts() / 4;
    this.#memory.set(starts, startsAt);
    this.#memory[startsAt + documents.count] = this.#termCount;
    this.#memory.set(order, lists.addressOfOrder() / 4);
    lists.sort(this.#termCount, order.length);
    for (let from = 0; from < order.length; from += MOST_LISTS) {
      const to = Math.min(order.length, from + MOST_LISTS);
      lists.encode(from, to);
      for (let at = from; at < to; at++) end(order[at] as number, this.#listAt(at - from));
    }
    this.finish();
  }

  /** Starts a segment whose documents are added list by list. */
  begin(documents: DocumentLengths, sink: PostingsSink): void {
    this.clear();
    this.#positionsRoom = 0;
    this.#begin(documents, 0, sink);
  }

  /** Adds a document to the list, with the first `count` positions. 0 for a field. */
  add(document: number, positions: Uint32Array, count: number): void {
    if (count > this.#positionsRoom) this.#makeRoom(count);
    for (let at = 0; at < count; at++) this.#memory[this.#positionsAt + at] = positions[at] as number;
    this.#lists.add(document, count);
  }

  /** Ends the list. */
  end(): WrittenList {
    this.#lists.endList(0);
    return this.#listAt(0);
  }

  /** Flushes the remaining bytes. */
  finish(): void {
    this.#lists.finish();
    this.#sink = null;
  }

  #begin(documents: DocumentLengths, differentTerms: number, sink: PostingsSink): void {
    this.#sink = sink;
    this.#lists.begin(documents.count, this.#termCount, differentTerms);
    this.#follow();
    this.#memory.set(documents.lengths, this.#lists.addressOfLengths() / 4);
  }

  #listAt(index: number): WrittenList {
    const at = this.#lists.addressOfLists() / 4 + NUMBERS_OF_LIST * index;
    const count = this.#memory[at] as number;
    return {
      documentCount: count >>> 1,
      hasPositions: count % 2 === 1,
      postingsLength: this.#memory[at + 1] as number,
      positionsLength: this.#memory[at + 2] as number,
    };
  }

  #makeRoom(positionCount: number): void {
    this.#positionsRoom = 2 * positionCount;
    this.#positionsAt = this.#lists.roomForPositions(this.#positionsRoom) / 4;
    this.#follow();
  }

  #reserve(termCount: number): void {
    this.#lists.reserve(termCount + MORE_TERMS);
    this.#follow();
  }

  /** Refreshes the views after the memory has grown. */
  #follow(): void {
    this.#memory = new Uint32Array(this.#lists.memory.buffer);
  }
}
