import { PositionReader } from "./position-reader.ts";
import { BlockReader, type PostingSource } from "./postings-reader.ts";
import { BLOCK_DOCUMENTS, type PostingList } from "./postings-writer.ts";
import type { WholePostings } from "./segment.ts";

const NO_POSITIONS = new Uint32Array(0);
const LEAST_ROOM = 1024;

/** Room for one list after the other, see `Postings.whole`. All methods throw `IndexError`. */
export class WholeList implements WholePostings {
  documents = NO_POSITIONS;
  readonly #blocks: BlockReader;
  readonly #positions: PositionReader;
  #room = NO_POSITIONS;
  #frequencies = NO_POSITIONS;
  /** Where the positions of each block begin; those of the last one end with the last of these. */
  #borders = new Float64Array(0);
  /** The place of the document that was asked for last. */
  #place = 0;
  /** The block whose positions are being read. */
  #block = -1;

  constructor(source: PostingSource) {
    this.#blocks = new BlockReader(source);
    this.#positions = new PositionReader(source);
  }

  decode(list: PostingList): void {
    const count = list.documentCount;
    this.#reserve(count);
    const blocks = this.#blocks;
    blocks.start(list);
    let block = 0;
    for (let at = 0; blocks.next(); at += blocks.count) {
      blocks.decodeInto(this.#room, this.#frequencies, at);
      this.#borders[block++] = blocks.positionsOffset;
    }
    this.#borders[block] = blocks.positionsOffset + blocks.positionsLength;
    this.documents = this.#room.subarray(0, count);
    this.#place = 0;
    this.#block = -1;
  }

  in(document: number): Uint32Array {
    const documents = this.documents;
    const { length } = documents;
    let place = this.#place;
    // Casts: all blocks have borders, and all places a document.
    while (place < length && (documents[place] as number) < document) place++;
    this.#place = place;
    if (documents[place] !== document) return NO_POSITIONS;
    const block = Math.floor(place / BLOCK_DOCUMENTS);
    if (block !== this.#block) {
      const offset = this.#borders[block] as number;
      this.#positions.begin(offset, (this.#borders[block + 1] as number) - offset, block * BLOCK_DOCUMENTS);
      this.#block = block;
    }
    return this.#positions.read(documents, this.#frequencies, place);
  }

  #reserve(count: number): void {
    if (count <= this.#room.length) return;
    const room = Math.max(LEAST_ROOM, count, Math.ceil(1.5 * this.#room.length));
    this.#room = new Uint32Array(room);
    this.#frequencies = new Uint32Array(room);
    this.#borders = new Float64Array(Math.ceil(room / BLOCK_DOCUMENTS) + 1);
  }
}
