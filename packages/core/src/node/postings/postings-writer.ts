import type { DocumentColumns } from "./document-columns.ts";
import { CODE } from "./lists-code.ts";

/** Documents that are coded together, and can be leapt over together. */
export const BLOCK_DOCUMENTS = 128;

/** Where the documents and positions of one term are. */
export interface PostingList {
  documentCount: number;
  /** Fields have none. */
  hasPositions: boolean;
  postings: Extent;
  positions: Extent;
}

/** A list that was written, behind the one before: how many bytes it has in both areas. */
export interface WrittenList {
  documentCount: number;
  hasPositions: boolean;
  postingsLength: number;
  positionsLength: number;
}

/** A piece of an area. */
export interface Extent {
  offset: number;
  length: number;
}

/** Takes the bytes of posting lists; they are valid during the call only. */
export interface PostingsSink {
  appendPostings(bytes: Uint8Array): void;
  appendPositions(bytes: Uint8Array): void;
}

/** What `assembly/lists.ts` exports. Addresses are bytes of its memory. */
interface Lists {
  memory: WebAssembly.Memory;
  addressOfTerms(): number;
  addressOfLengths(): number;
  addressOfStarts(): number;
  addressOfOrder(): number;
  addressOfLists(): number;
  reserve(termCount: number): void;
  roomForPositions(count: number): number;
  begin(documentTotal: number, termCount: number, differentTerms: number): void;
  sort(termCount: number, differentTerms: number): void;
  encode(from: number, to: number): void;
  add(document: number, times: number): void;
  endList(index: number): void;
  finish(): void;
}

/** As the program has them. */
const MOST_LISTS = 1 << 10;
const NUMBERS_OF_LIST = 3;

/** Stands for no term: keeps the texts of a document apart, so that no phrase goes over their border. */
export const BORDER = 0xffffffff;
/** Room for terms that is made at a time: four megabytes. */
const MORE_TERMS = 1 << 20;

let compiled: WebAssembly.Module | null = null;

function program(): WebAssembly.Module {
  compiled ??= new WebAssembly.Module(Buffer.from(CODE, "base64"));
  return compiled;
}

/**
 * Writes one posting list after the other: documents and frequencies into one area, positions into another one, so
 * that ranking reads the first only. Either each document of each term is added, or the terms of all documents are
 * pushed as numbers, and sorted by term in the end.
 *
 * Documents stand in blocks of 128, as differences in Rice's code, each followed by its frequency. A block begins with
 * how many other documents lie between its own, from which its last one and the parameter of the code follow, and with
 * its lengths in both areas, and ends with where the positions of every sixteenth document begin, in bits from those of
 * the block, so that who compares few documents leaps over others. The last block of a list, for most terms the only one, needs none of that: it ends where
 * the list ends, and its documents lie anywhere up to the last one of the segment.
 */
export class PostingsWriter {
  readonly #lists: Lists;
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
    // The program exports this.
    this.#lists = new WebAssembly.Instance(program(), { lists }).exports as unknown as Lists;
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
    documents: DocumentColumns,
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
  begin(documents: DocumentColumns, sink: PostingsSink): void {
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

  #begin(documents: DocumentColumns, differentTerms: number, sink: PostingsSink): void {
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
