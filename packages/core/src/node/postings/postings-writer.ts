import type { AreaWriter } from "./areas.ts";
import { BitWriter, riceParameter } from "./bits.ts";
import { writePositions } from "./position-code.ts";
import type { DocumentColumns } from "./segment.ts";
import { ByteWriter } from "./varint.ts";

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

/** A piece of an area. */
export interface Extent {
  offset: number;
  length: number;
}

/**
 * Writes one posting list after the other: documents and frequencies into one area, positions into another one, so
 * that ranking reads the first only.
 *
 * Documents stand in blocks of 128, as differences in Rice's code, each followed by its frequency. A block begins with
 * how many other documents lie between its own, from which its last one and the parameter of the code follow, and with
 * its lengths in both areas. The last block of a list, for most terms the only one, needs none of that: it ends where
 * the list ends, and its documents lie anywhere up to the last one of the segment.
 */
export class PostingsWriter {
  readonly #documents: DocumentColumns;
  readonly #postings: AreaWriter;
  readonly #positions: AreaWriter;
  readonly #block = new Uint32Array(BLOCK_DOCUMENTS);
  readonly #frequencies = new Uint32Array(BLOCK_DOCUMENTS);
  readonly #header = new ByteWriter();
  readonly #bits = new BitWriter();
  readonly #positionBits = new BitWriter();
  #inBlock = 0;
  /** The document after the last one of the block before. */
  #blockStart = 0;
  #documentCount = 0;
  #hasPositions = false;
  #postingsStart: number;
  #positionsStart: number;

  constructor(documents: DocumentColumns, postings: AreaWriter, positions: AreaWriter) {
    this.#documents = documents;
    this.#postings = postings;
    this.#positions = positions;
    this.#postingsStart = postings.length;
    this.#positionsStart = positions.length;
  }

  /** Adds a document to the list, see `TermSink`. */
  add(document: number, positions: Uint32Array, from: number, to: number): void {
    if (this.#inBlock === BLOCK_DOCUMENTS) this.#endBlock();
    this.#block[this.#inBlock] = document;
    if (to > from) {
      this.#hasPositions = true;
      this.#frequencies[this.#inBlock] = to - from;
      writePositions(this.#positionBits, positions, from, to, this.#documents.lengths[document] as number);
    }
    this.#inBlock++;
    this.#documentCount++;
  }

  /** Ends the list. */
  end(): PostingList {
    this.#writeBits(
      riceParameter(this.#documents.count - this.#blockStart - this.#inBlock, Math.max(1, this.#inBlock)),
    );
    this.#postings.append(this.#bits.take());
    this.#positions.append(this.#positionBits.take());
    const list = {
      documentCount: this.#documentCount,
      hasPositions: this.#hasPositions,
      postings: { offset: this.#postingsStart, length: this.#postings.length - this.#postingsStart },
      positions: { offset: this.#positionsStart, length: this.#positions.length - this.#positionsStart },
    };
    this.#postingsStart = this.#postings.length;
    this.#positionsStart = this.#positions.length;
    this.#inBlock = 0;
    this.#blockStart = 0;
    this.#documentCount = 0;
    this.#hasPositions = false;
    return list;
  }

  #endBlock(): void {
    const end = (this.#block[BLOCK_DOCUMENTS - 1] as number) + 1;
    const spare = end - this.#blockStart - BLOCK_DOCUMENTS;
    this.#writeBits(riceParameter(spare, BLOCK_DOCUMENTS));
    const postings = this.#bits.take();
    const positions = this.#positionBits.take();
    this.#header.clear();
    this.#header.writeVarint(spare);
    this.#header.writeVarint(postings.length);
    if (this.#hasPositions) this.#header.writeVarint(positions.length);
    this.#postings.append(this.#header.bytes);
    this.#postings.append(postings);
    this.#positions.append(positions);
    this.#inBlock = 0;
    this.#blockStart = end;
  }

  #writeBits(parameter: number): void {
    let next = this.#blockStart;
    for (let index = 0; index < this.#inBlock; index++) {
      const document = this.#block[index] as number;
      this.#bits.writeRice(document - next, parameter);
      next = document + 1;
      if (this.#hasPositions) this.#bits.writeGamma(this.#frequencies[index] as number);
    }
  }
}
