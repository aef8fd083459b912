import { MOST_LISTS, NUMBERS_OF_LIST } from "../wasm/constants.ts";
import { instantiate, type Program } from "../wasm/lists.ts";

/** What encoding needs to know of the documents of a segment. */
interface DocumentLengths {
  readonly count: number;
  /** In terms. */
  readonly lengths: Uint32Array;
}

/** Where the documents and positions of one term are. */
export interface TermInfo {
  documentCount: number;
  /** Fields have none. */
  hasPositions: boolean;
  postings: Extent;
  positions: Extent;
}

/** A list that was written, behind the one before: how many bytes it has in both components. */
export interface WrittenList {
  documentCount: number;
  hasPositions: boolean;
  postingsLength: number;
  positionsLength: number;
}

/** A piece of an component. */
export interface Extent {
  offset: number;
  length: number;
}

/** Takes the bytes of posting lists; they are valid during the call only. */
export interface PostingsSink {
  appendPostings(bytes: Uint8Array): void;
  appendPositions(bytes: Uint8Array): void;
}

/** Room for terms that is made at a time: four megabytes. */
const MORE_TERMS = 1 << 20;

/**
 * Writes one posting list after the other: documents and frequencies into one component, positions into another one, so
 * that ranking reads the first only. Either each document of each term is added, or the terms of all documents are
 * pushed as numbers, and sorted by term in the end.
 *
 * Documents stand in blocks of 128, as differences in Rice's code, each followed by its frequency. A block begins with
 * how many other documents lie between its own, from which its last one and the parameter of the code follow, and with
 * its lengths in both components, and ends with where the positions of every sixteenth document begin, in bits from those of
 * the block, so that who compares few documents leaps over others. The last block of a list, for most terms the only one, needs none of that: it ends where
 * the list ends, and its documents lie anywhere up to the last one of the segment.
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

  /** Terms pushed since `clear`. */
  get termCount(): number {
    return this.#termCount;
  }

  /** Of memory, which never shrinks. */
  get bytes(): number {
    return this.#memory.byteLength;
  }

  /** Forgets the terms that were pushed. */
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
   * Writes the lists of all terms that were pushed.
   *
   * @param starts where each document begins among the terms: first those of its text, then its fields.
   * @param order the numbers of the terms, in the order in which their lists are to be written.
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

  /** Begins a segment with lists of which each document is added. */
  begin(documents: DocumentLengths, sink: PostingsSink): void {
    this.clear();
    this.#positionsRoom = 0;
    this.#begin(documents, 0, sink);
  }

  /** Adds a document to the list, with the first `count` positions. None: a field. */
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

  /** Hands over the bytes that are left. */
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

  /** Looks where the memory of the program is now. */
  #follow(): void {
    this.#memory = new Uint32Array(this.#lists.memory.buffer);
  }
}
