import { damaged } from "../storage/damaged.ts";
import { BLOCK_DOCUMENTS } from "../wasm/constants.ts";
import { instantiate, type Program } from "../wasm/decoding.ts";
import type { TermInfo } from "./posting-list-writer.ts";
import type { PostingSource } from "./posting-source.ts";

/** Two terms of a segment, and the documents that have both. */
export interface PostingsPair {
  /** Leaves the documents of a set, see `PostingList.set`. @returns how many are left. */
  narrow(set: Uint32Array): number;
  /** Those that are left, ascending. */
  documents(): Uint32Array;
  /**
   * Where in the documents that are left a phrase may begin that has the terms at these offsets.
   *
   * @param most steps: each document takes `stepsOfDocument` and one for each position; the others are left out.
   * @returns one after the other a document, the number of places, and the places. The steps are more than `most` where
   *   some were left out.
   */
  sideBySide(
    offsets: readonly [number, number],
    most: number,
    stepsOfDocument: number,
  ): { found: Uint32Array; steps: number };
}

/** A segment. */
interface SegmentSource extends PostingSource {
  readonly id: number;
}

/** Of the lists that the program knows, two are compared, and this one stands beside them. */
const SINGLE = 2;

/** Longer lists are not compared as a whole: with their positions, they would take more than three megabytes each. */
const MOST_DOCUMENTS = 1 << 18;
const MOST_BYTES = 1 << 24;

/** Larger numbers are none of the program's. */
const MOST_STEPS = 2 ** 30;

/** Decodes lists as a whole, for the segments of one text database. All methods throw `IndexError`. */
export class ListDecoder {
  /** Made with the first list. */
  #instance: Program | null = null;
  /** By segment, where the lengths of its documents are. */
  readonly #lengths = new Map<number, number>();

  /** Forgets the segments, of which some are gone. */
  clear(): void {
    this.#lengths.clear();
    this.#instance?.forget();
  }

  /** The documents of a list and how often each has the term, both valid until the next call. */
  list(source: PostingSource, list: TermInfo): { documents: Uint32Array; frequencies: Uint32Array } {
    this.#decode(SINGLE, source, list);
    const program = this.#program;
    const { buffer } = program.memory;
    return {
      documents: new Uint32Array(buffer, program.addressOfDocuments(SINGLE), list.documentCount),
      frequencies: new Uint32Array(buffer, program.addressOfFrequencies(SINGLE), list.documentCount),
    };
  }

  /** `null` where a list is too long or has no positions. Valid until the next pair. */
  pair(source: SegmentSource, first: TermInfo, second: TermInfo): PostingsPair | null {
    const lists = [first, second];
    if (!lists.every((list) => list.hasPositions && isShort(list))) return null;
    const program = this.#program;
    const lengths = this.#lengthsOf(source);
    for (const [number, list] of lists.entries()) this.#decode(number, source, list);
    return new StoredPair(program, source, lists, lengths);
  }

  /** The documents of a list as a set. */
  set(source: PostingSource, list: TermInfo): Uint32Array {
    const program = this.#program;
    this.#load(SINGLE, source, list, Math.min(list.documentCount, BLOCK_DOCUMENTS));
    const at = program.decodeSet(list.documentCount, source.documentCount, list.hasPositions);
    if (at === 0) throw notSound();
    return new Uint32Array(program.memory.buffer, at, (source.documentCount + 31) >>> 5).slice();
  }

  get #program(): Program {
    this.#instance ??= instantiate();
    return this.#instance;
  }

  #decode(number: number, source: PostingSource, list: TermInfo): void {
    this.#load(number, source, list, list.documentCount);
    if (this.#program.decode(number, source.documentCount, list.hasPositions) === 0) throw notSound();
  }

  /** Brings the bytes of a list into the program, with room for so many of its documents. */
  #load(number: number, { postings }: PostingSource, list: TermInfo, documentCount: number): void {
    const program = this.#program;
    const { offset, length } = list.postings;
    // Each document takes a bit at least: no room is made for what cannot be there.
    if (list.documentCount > 8 * length) throw notSound();
    const begin = (): Uint8Array => {
      program.place(number, documentCount, length, list.positions.length);
      return new Uint8Array(program.memory.buffer, program.addressOfPostings(number), length);
    };
    postings.readInto({ begin }, offset, length);
  }

  #lengthsOf(source: SegmentSource): number {
    const known = this.#lengths.get(source.id);
    if (known !== undefined) return known;
    const at = this.#program.keepLengths(source.documentCount);
    new Uint32Array(this.#program.memory.buffer, at, source.documentCount).set(source.lengths);
    this.#lengths.set(source.id, at);
    return at;
  }
}

function isShort({ documentCount, postings, positions }: TermInfo): boolean {
  return documentCount <= MOST_DOCUMENTS && postings.length + positions.length <= MOST_BYTES;
}

function notSound(): Error {
  return damaged("A posting list is not sound.");
}

/** What the program tells of a document that both lists have: its number, and its places in both. */
const NUMBERS_OF_COMMON = 3;

/** Two lists of a segment that were decoded. */
class StoredPair implements PostingsPair {
  readonly #program: Program;
  readonly #source: PostingSource;
  readonly #lists: readonly TermInfo[];
  readonly #lengths: number;
  #count: number;

  constructor(program: Program, source: PostingSource, lists: readonly TermInfo[], lengths: number) {
    this.#program = program;
    this.#source = source;
    this.#lists = lists;
    this.#lengths = lengths;
    this.#count = program.join();
  }

  narrow(candidates: Uint32Array): number {
    const at = this.#program.placeSet(this.#source.documentCount);
    new Uint32Array(this.#program.memory.buffer, at, candidates.length).set(candidates);
    this.#count = this.#program.narrow(this.#count);
    return this.#count;
  }

  documents(): Uint32Array {
    const { memory } = this.#program;
    const numbers = new Uint32Array(memory.buffer, this.#program.addressOfCommon(), NUMBERS_OF_COMMON * this.#count);
    return Uint32Array.from({ length: this.#count }, (_, at) => numbers[NUMBERS_OF_COMMON * at] as number);
  }

  sideBySide(
    [firstOffset, secondOffset]: readonly [number, number],
    most: number,
    stepsOfDocument: number,
  ): { found: Uint32Array; steps: number } {
    const program = this.#program;
    for (const [number, { positions }] of this.#lists.entries()) {
      const { offset, length } = positions;
      const begin = () => new Uint8Array(program.memory.buffer, program.addressOfPositions(number), length);
      this.#source.positions.readInto({ begin }, offset, length);
    }
    const isSound = program.compare(
      this.#count,
      this.#lengths,
      firstOffset,
      secondOffset,
      Math.min(most, MOST_STEPS),
      stepsOfDocument,
    );
    if (isSound === 0) throw notSound();
    const start = program.addressOfFound();
    const found = new Uint32Array(program.memory.buffer, start, (program.endOfFound() - start) / 4).slice();
    return { found, steps: program.stepsTaken() };
  }
}
