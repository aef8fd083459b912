import { damaged } from "./damaged.ts";
import { CODE } from "./decoding-code.ts";
import type { PostingSource } from "./posting-source.ts";
import { BLOCK_DOCUMENTS, type PostingList } from "./postings-writer.ts";
import type { PostingsPair } from "./segment.ts";

/** What `assembly/decoding.ts` exports. Addresses are bytes of its memory. */
interface Program {
  memory: WebAssembly.Memory;
  addressOfPostings(list: number): number;
  addressOfPositions(list: number): number;
  addressOfDocuments(list: number): number;
  addressOfFrequencies(list: number): number;
  addressOfCommon(): number;
  addressOfFound(): number;
  endOfFound(): number;
  stepsTaken(): number;
  keepLengths(documentTotal: number): number;
  forget(): void;
  place(list: number, documentCount: number, postingsLength: number, positionsLength: number): void;
  decode(list: number, documentTotal: number, hasPositions: boolean): number;
  decodeSet(documentCount: number, documentTotal: number, hasPositions: boolean): number;
  join(): number;
  placeSet(documentTotal: number): number;
  narrow(count: number): number;
  compare(
    count: number,
    lengths: number,
    firstOffset: number,
    secondOffset: number,
    most: number,
    stepsOfDocument: number,
  ): number;
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

let compiled: WebAssembly.Module | null = null;

function instantiate(): Program {
  compiled ??= new WebAssembly.Module(Buffer.from(CODE, "base64"));
  // The program exports this.
  return new WebAssembly.Instance(compiled).exports as unknown as Program;
}

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
  list(source: PostingSource, list: PostingList): { documents: Uint32Array; frequencies: Uint32Array } {
    this.#decode(SINGLE, source, list);
    const program = this.#program;
    const { buffer } = program.memory;
    return {
      documents: new Uint32Array(buffer, program.addressOfDocuments(SINGLE), list.documentCount),
      frequencies: new Uint32Array(buffer, program.addressOfFrequencies(SINGLE), list.documentCount),
    };
  }

  /** `null` where a list is too long or has no positions. Valid until the next pair. */
  pair(source: SegmentSource, first: PostingList, second: PostingList): PostingsPair | null {
    const lists = [first, second];
    if (!lists.every((list) => list.hasPositions && isShort(list))) return null;
    const program = this.#program;
    const lengths = this.#lengthsOf(source);
    for (const [number, list] of lists.entries()) this.#decode(number, source, list);
    return new StoredPair(program, source, lists, lengths);
  }

  /** The documents of a list as a set. */
  set(source: PostingSource, list: PostingList): Uint32Array {
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

  #decode(number: number, source: PostingSource, list: PostingList): void {
    this.#load(number, source, list, list.documentCount);
    if (this.#program.decode(number, source.documentCount, list.hasPositions) === 0) throw notSound();
  }

  /** Brings the bytes of a list into the program, with room for so many of its documents. */
  #load(number: number, { postings }: PostingSource, list: PostingList, documentCount: number): void {
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

function isShort({ documentCount, postings, positions }: PostingList): boolean {
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
  readonly #lists: readonly PostingList[];
  readonly #lengths: number;
  #count: number;

  constructor(program: Program, source: PostingSource, lists: readonly PostingList[], lengths: number) {
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
