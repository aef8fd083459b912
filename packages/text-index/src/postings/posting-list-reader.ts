import type { Extent } from "../storage/components.ts";
import { damaged } from "../storage/damaged.ts";
import { ByteReader } from "../storage/varint.ts";
import { BLOCK_DOCUMENTS } from "../wasm/constants.ts";
import { BitReader, bitLength, riceParameter } from "./bit-reader.ts";
import { PositionReader } from "./position-reader.ts";
import type { TermInfo } from "./posting-list-writer.ts";
import type { PostingSource } from "./posting-source.ts";

const NO_POSITIONS = new Uint32Array(0);
const NO_LIST: TermInfo = {
  documentCount: 0,
  hasPositions: false,
  postings: { offset: 0, length: 0 },
  positions: { offset: 0, length: 0 },
};

/** Iterates over the blocks of a posting list, see `PostingListWriter`. All methods throw `IndexError`. */
export class BlockReader {
  /** Documents of the block, once decoded. */
  readonly documents = new Uint32Array(BLOCK_DOCUMENTS);
  /** Frequencies of the block, once decoded. */
  readonly frequencies = new Uint32Array(BLOCK_DOCUMENTS);
  /** Number of documents in the block. */
  count = 0;
  /** One more than the last possible document of the block. */
  end = 0;
  /** Offset of the block's positions. */
  positionsOffset = 0;
  positionsLength = 0;
  readonly #source: PostingSource;
  readonly #documentCount: number;
  readonly #bits = new BitReader();
  #list = NO_LIST;
  #isLast = true;
  #bytes = new ByteReader(new Uint8Array(0));
  /** Offset of the block's bits in the list, in bytes. */
  #bitsOffset = 0;
  #bitsLength = 0;
  #start = 0;
  #left = 0;
  /** Bit offset after the documents of the block, once decoded; -1 in the last block, which has no skip data. */
  #skipData = -1;

  constructor(source: PostingSource) {
    this.#source = source;
    this.#documentCount = source.documentCount;
  }

  /** Opens a list, before its first block. */
  start(list: TermInfo): void {
    // Loads all blocks together: one by one would take a fifth of the decoding time.
    const bytes = this.#source.postings.readInto(this.#bits, list.postings.offset, list.postings.length);
    this.#list = list;
    this.#bytes = new ByteReader(bytes);
    this.#left = list.documentCount;
    this.count = 0;
    this.end = 0;
    this.positionsOffset = list.positions.offset;
    this.positionsLength = 0;
  }

  /** Moves to the next block without decoding it. @returns whether there is one. */
  next(): boolean {
    if (this.#left === 0) return false;
    const { hasPositions, positions } = this.#list;
    const bytes = this.#bytes;
    this.positionsOffset += this.positionsLength;
    this.#start = this.end;
    this.#isLast = this.#left <= BLOCK_DOCUMENTS;
    if (!this.#isLast) {
      this.count = BLOCK_DOCUMENTS;
      this.end = this.#start + BLOCK_DOCUMENTS + bytes.readVarint();
      this.#bitsLength = bytes.readVarint();
      this.positionsLength = hasPositions ? bytes.readVarint() : 0;
    } else {
      this.count = this.#left;
      this.end = this.#documentCount;
      this.#bitsLength = bytes.rest;
      this.positionsLength = positions.offset + positions.length - this.positionsOffset;
    }
    this.#bitsOffset = bytes.at;
    bytes.skip(this.#bitsLength);
    if (this.end > this.#documentCount || this.positionsLength < 0) {
      throw damaged("A posting list goes beyond its segment.");
    }
    this.#left -= this.count;
    return true;
  }

  /** Decodes the block into `documents` and `frequencies`, or into other arrays at an offset. */
  decode(documents: Uint32Array = this.documents, frequencies: Uint32Array = this.frequencies, from = 0): void {
    const { count } = this;
    const bits = this.#bits;
    bits.moveTo(this.#bitsOffset, this.#bitsLength);
    const parameter = riceParameter(this.end - this.#start - count, count);
    const { hasPositions } = this.#list;
    const end = bits.readPostings(count, parameter, this.#start, hasPositions, documents, frequencies, from);
    bits.check();
    if (end > this.end) throw damaged("A posting list goes beyond its block.");
    this.#skipData = hasPositions && !this.#isLast ? bits.at : -1;
  }

  /** Start of the positions of a group, in bits relative to those of the block; `null` if unknown. */
  groupStart(group: number): number | null {
    if (this.#skipData < 0 || group === 0) return null;
    const width = bitLength(8 * this.positionsLength);
    const bits = this.#bits;
    bits.moveToBit(this.#skipData + (group - 1) * width);
    const start = bits.read(width);
    bits.check();
    return start;
  }
}

/** Iterates over the documents of posting lists, one list at a time. All methods throw `IndexError`. */
export class PostingListReader {
  /** The current document. */
  document = -1;
  readonly #blocks: BlockReader;
  readonly #positions: PositionReader;
  #hasPositions = false;
  /** Its index in the block. */
  #index = 0;
  /** One more than the last possible document of the decoded block; 0 if none is decoded. */
  #decodedEnd = 0;
  /** Whether positions of the block were read. */
  #isBegun = false;

  constructor(source: PostingSource) {
    this.#blocks = new BlockReader(source);
    this.#positions = new PositionReader(source);
  }

  /** Frequency of the term in the current document. */
  get frequency(): number {
    return this.#blocks.frequencies[this.#index] as number;
  }

  /** Opens a list, before its first document. */
  start(list: TermInfo): void {
    this.#blocks.start(list);
    this.#hasPositions = list.hasPositions;
    this.#index = 0;
    this.#decodedEnd = 0;
    this.document = -1;
  }

  /** Advances to the first document at or after `document`. @returns whether there is one. */
  seek(document: number): boolean {
    if (document <= this.document) return true;
    const blocks = this.#blocks;
    for (;;) {
      if (document < this.#decodedEnd) {
        const { documents, count } = blocks;
        let index = this.#index;
        while (index < count && (documents[index] as number) < document) index++;
        this.#index = index;
        if (index < count) {
          this.document = documents[index] as number;
          return true;
        }
      }
      do {
        if (!blocks.next()) return false;
      } while (blocks.end <= document);
      blocks.decode();
      this.#index = 0;
      this.#decodedEnd = blocks.end;
      this.#isBegun = false;
    }
  }

  /** Positions in the current document, valid until the next move; none for a field. */
  positions(): Uint32Array {
    if (!this.#hasPositions) return NO_POSITIONS;
    const { documents, frequencies, positionsOffset, positionsLength } = this.#blocks;
    if (!this.#isBegun) this.#positions.begin(positionsOffset, positionsLength, 0);
    this.#isBegun = true;
    return this.#positions.read(documents, frequencies, this.#index, this.#blocks);
  }

  /** Where the positions in these documents are, by the block: without decoding any. @param documents in ascending order. */
  *positionExtents(list: TermInfo, documents: Uint32Array): Generator<Extent> {
    const blocks = this.#blocks;
    this.start(list);
    for (let place = 0; place < documents.length && blocks.next(); ) {
      if ((documents[place] as number) >= blocks.end) continue;
      yield { offset: blocks.positionsOffset, length: blocks.positionsLength };
      while (place < documents.length && (documents[place] as number) < blocks.end) place++;
    }
  }

  /** Reads the documents and frequencies of a whole list. */
  readAll(list: TermInfo, into: ListBuffer): { documents: Uint32Array; frequencies: Uint32Array } {
    const { documentCount, postings } = list;
    // Each document takes at least one bit: do not allocate memory for impossible counts.
    if (documentCount > 8 * postings.length) throw damaged("A posting list is too short.");
    const { documents, frequencies } = into.take(documentCount);
    const blocks = this.#blocks;
    this.start(list);
    for (let done = 0; blocks.next(); done += blocks.count) blocks.decode(documents, frequencies, done);
    return { documents, frequencies };
  }
}

/** Reusable buffer for a list: lists of common words take megabytes. */
export class ListBuffer {
  #documents = new Uint32Array(1024);
  #frequencies = new Uint32Array(1024);

  /** Returns arrays of at least this size, valid until the next call. */
  take(count: number): { documents: Uint32Array; frequencies: Uint32Array } {
    if (count > this.#documents.length) {
      this.#documents = new Uint32Array(2 * count);
      this.#frequencies = new Uint32Array(2 * count);
    }
    return { documents: this.#documents.subarray(0, count), frequencies: this.#frequencies.subarray(0, count) };
  }
}
