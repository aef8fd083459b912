import type { TermInfo } from "../postings/posting-list-writer.ts";
import type { ExpectedChunks } from "../storage/chunk-cache.ts";
import type { ComponentReader, Extent } from "../storage/components.ts";
import { damaged } from "../storage/damaged.ts";
import { ByteReader } from "../storage/varint.ts";
import { longForm, readText, skipParts } from "./term-text.ts";

/** A term and the location of its list. */
export interface TermEntry {
  term: string;
  list: TermInfo;
}

interface BlockPlace extends Extent {
  firstTerm: string;
}

/** Decodes the block list written by `TermDictionaryWriter`. @throws IndexError */
export function decodeBlocks(stored: Uint8Array): BlockPlace[] {
  const bytes = new ByteReader(stored);
  const blocks: BlockPlace[] = [];
  let offset = 0;
  while (bytes.rest > 0) {
    const firstTerm = readText(bytes);
    const length = bytes.readVarint();
    blocks.push({ firstTerm, offset, length });
    offset += length;
  }
  return blocks;
}

/** The terms of one segment. */
export class TermDictionary {
  readonly #blocks: readonly BlockPlace[];
  readonly #component: ComponentReader;
  /** The current block; results are copied out before the next one is decoded. */
  readonly #block: TermBlock;
  #loaded: BlockPlace | null = null;

  /** @param documentCount of the segment: the maximum length of a list. */
  constructor(blocks: readonly BlockPlace[], component: ComponentReader, documentCount: number) {
    this.#blocks = blocks;
    this.#component = component;
    this.#block = new TermBlock(documentCount);
  }

  /** Notes down where the term is, or a range begins that starts with it. */
  expect(term: string, expected: ExpectedChunks): void {
    const place = this.#blocks[Math.max(0, this.#blockOf(term))];
    if (place !== undefined && place !== this.#loaded) this.#component.expect(place, expected);
  }

  /** @throws IndexError */
  find(term: string): TermEntry | null {
    const place = this.#blocks[this.#blockOf(term)];
    return place === undefined ? null : this.#load(place).find(term);
  }

  /** Terms from `from` to before `below`. @throws IndexError */
  *range(from: string, below: string): Generator<TermEntry> {
    for (const place of this.#blocksOf(from, below)) {
      const { start, end } = this.#load(place).rangeOf(from, below);
      // One by one: all entries of a block would live until a merge reaches its end, too long for the young generation.
      // The caller may have loaded another block in between.
      for (let index = start; index < end; index++) yield this.#load(place).at(index);
    }
  }

  /** Terms of a range that contain `text`. @throws IndexError */
  *containing(text: string, from: string, below: string): Generator<TermEntry> {
    // In a block, the parts of an identifier are joined, so a single part is searched.
    const piece = text.split(" ").reduce((longest, other) => (other.length > longest.length ? other : longest));
    for (const place of this.#blocksOf(from, below)) {
      for (const entry of this.#load(place).containing(piece)) {
        if (entry.term.includes(text) && entry.term >= from && entry.term < below) yield entry;
      }
    }
  }

  *#blocksOf(from: string, below: string): Generator<BlockPlace> {
    for (let number = Math.max(0, this.#blockOf(from)); number < this.#blocks.length; number++) {
      const place = this.#blocks[number];
      if (place === undefined || place.firstTerm >= below) return;
      yield place;
    }
  }

  /** The block that may contain the term; -1 before the first. */
  #blockOf(term: string): number {
    return firstIndex(this.#blocks.length, (index) => (this.#blocks[index]?.firstTerm ?? "") > term) - 1;
  }

  #load(place: BlockPlace): TermBlock {
    if (place !== this.#loaded) {
      // After a read error, no block is loaded.
      this.#loaded = null;
      this.#block.load(this.#component.read(place.offset, place.length));
      this.#loaded = place;
    }
    return this.#block;
  }
}

/** A reusable, lazily decoded block of terms. */
class TermBlock {
  readonly #documentCount: number;
  readonly #entries: Entries;
  #text = "";
  #bytes: Uint8Array = new Uint8Array(0);
  #entriesStart = 0;
  #isDecoded = false;

  constructor(documentCount: number) {
    this.#documentCount = documentCount;
    this.#entries = new Entries();
  }

  load(bytes: Uint8Array): void {
    const reader = new ByteReader(bytes);
    this.#bytes = bytes;
    this.#text = readText(reader);
    this.#entriesStart = reader.at;
    this.#isDecoded = false;
  }

  find(term: string): TermEntry | null {
    if (!this.#mayHave(term)) return null;
    const { count } = this.#decoded();
    const index = this.#firstFrom(term, count);
    return index < count && this.#term(index) === term ? this.#entry(index) : null;
  }

  /** Indexes of the terms from `from` to before `below`. */
  rangeOf(from: string, below: string): { start: number; end: number } {
    if (!this.#mayHave(commonStart(from, below))) return { start: 0, end: 0 };
    const { count } = this.#decoded();
    return { start: this.#firstFrom(from, count), end: this.#firstFrom(below, count) };
  }

  at(index: number): TermEntry {
    this.#decoded();
    return this.#entry(index);
  }

  /** The terms whose text contains `piece`. */
  containing(piece: string): TermEntry[] {
    const found: TermEntry[] = [];
    let at = this.#text.indexOf(piece);
    if (at < 0) return found;
    const { ends, count } = this.#decoded();
    for (let index = 0; at >= 0 && index < count; index++) {
      const end = ends[index] as number;
      while (at >= 0 && at < end && at + piece.length > end) at = this.#text.indexOf(piece, at + 1);
      if (at < 0 || at >= end) continue;
      found.push(this.#entry(index));
      at = this.#text.indexOf(piece, end);
    }
    return found;
  }

  /** Whether a term may start like this: takes a tenth of the time of decoding the block. */
  #mayHave(start: string): boolean {
    const space = start.indexOf(" ");
    return this.#text.includes(space < 0 ? start : start.slice(0, space));
  }

  /** Index of the first term at or after `term`; the number of terms if there is none. */
  #firstFrom(term: string, count: number): number {
    return firstIndex(count, (index) => this.#term(index) >= term);
  }

  #term(index: number): string {
    const { ends, parts } = this.#entries;
    const text = this.#text.slice(index === 0 ? 0 : ends[index - 1], ends[index]);
    const place = parts[index] as number;
    return place === 0 ? text : longForm(text, new ByteReader(this.#bytes, place));
  }

  #entry(index: number): TermEntry {
    const { documents, postings, positions } = this.#entries;
    const head = documents[index] as number;
    return {
      term: this.#term(index),
      list: {
        documentCount: head >>> 1,
        hasPositions: head % 2 === 1,
        postings: extentAt(postings, index),
        positions: extentAt(positions, index),
      },
    };
  }

  #decoded(): Entries {
    if (!this.#isDecoded) {
      this.#entries.decode(this.#bytes, this.#entriesStart, this.#text.length, this.#documentCount);
      this.#isDecoded = true;
    }
    return this.#entries;
  }
}

/** Columns of a block's entries. */
class Entries {
  count = 0;
  /** End of each term in the text of the block. */
  ends = new Uint32Array(0);
  /** Offset of an identifier's parts in the block; 0 for other terms. */
  parts = new Uint32Array(0);
  /** Number of documents times two, plus one if there are positions. */
  documents = new Uint32Array(0);
  /** Start of each list; the last element is the end of the last list. */
  postings = new Float64Array(0);
  positions = new Float64Array(0);

  /**
   * @param at start of the entries.
   * @param units of the text of the block.
   * @throws IndexError
   */
  decode(stored: Uint8Array, at: number, units: number, documentCount: number): void {
    const bytes = new ByteReader(stored, at);
    const count = bytes.readVarint();
    if (count * 2 > bytes.rest) throw damaged("A block of the dictionary is too short.");
    if (count >= this.ends.length) this.#allocate(count * 2);
    const { ends, parts, documents, postings, positions } = this;
    let end = 0;
    let postingsAt = bytes.readVarint();
    let positionsAt = bytes.readVarint();
    for (let index = 0; index < count; index++) {
      const lengths = bytes.readVarint();
      end += Math.floor(lengths / 2);
      parts[index] = 0;
      if (lengths % 2 === 1) {
        parts[index] = bytes.at;
        skipParts(bytes);
      }
      const head = bytes.readVarint();
      if (end > units || head > documentCount * 2 + 1) throw damaged("A term is impossible.");
      ends[index] = end;
      documents[index] = head;
      postings[index] = postingsAt;
      positions[index] = positionsAt;
      if (head > 1) postingsAt += bytes.readVarint();
      if (head % 2 === 1) positionsAt += bytes.readVarint();
    }
    postings[count] = postingsAt;
    positions[count] = positionsAt;
    this.count = count;
  }

  /** @param size more than the number of entries. */
  #allocate(size: number): void {
    this.ends = new Uint32Array(size);
    this.parts = new Uint32Array(size);
    this.documents = new Uint32Array(size);
    this.postings = new Float64Array(size);
    this.positions = new Float64Array(size);
  }
}

/** Common prefix of all terms from `from` to before `below`. */
function commonStart(from: string, below: string): string {
  let length = 0;
  while (length < from.length && from[length] === below[length]) length++;
  return from.slice(0, length);
}

function extentAt(offsets: Float64Array, index: number): Extent {
  const offset = offsets[index] as number;
  return { offset, length: (offsets[index + 1] as number) - offset };
}

/** Binary search: the first index for which the monotonic `isIn` holds; `count` if there is none. */
function firstIndex(count: number, isIn: (index: number) => boolean): number {
  let low = 0;
  let high = count;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (isIn(middle)) high = middle;
    else low = middle + 1;
  }
  return low;
}
