import { damaged } from "../storage/damaged.ts";
import { GROUP_DOCUMENTS } from "../wasm/constants.ts";
import { BitReader } from "./bit-reader.ts";
import { readPositions } from "./position-code.ts";
import type { PostingSource } from "./posting-source.ts";

const MAX_VIEWS = 64;

/** Start of the positions of each group of documents. */
interface SkipData {
  /** In bits, relative to the positions of the block; `null` if unknown. */
  groupStart(group: number): number | null;
}

/** Reads the positions of successive blocks. All methods throw `IndexError`. */
export class PositionReader {
  readonly #source: PostingSource;
  readonly #lengths: Uint32Array;
  readonly #bits = new BitReader();
  #numbers = new Uint32Array(16);
  /** Views of `#numbers` by length: creating one takes as long as decoding some positions. */
  #views: Uint32Array[] = [];
  /** Result of the last read. */
  #positions: Uint32Array = this.#numbers;
  /** Bytes of the block. */
  #length = 0;
  /** Index of the document whose positions come next. */
  #next = 0;

  constructor(source: PostingSource) {
    this.#source = source;
    this.#lengths = source.lengths;
  }

  /** Starts a block whose first document has the index `place`. */
  begin(offset: number, length: number, place: number): void {
    this.#source.positions.readInto(this.#bits, offset, length);
    this.#length = length;
    this.#next = place;
  }

  /**
   * Positions of the document with index `place`, valid until the next call. Must be in the block, and not before the
   * last one read.
   *
   * @param skipData of the block.
   */
  read(documents: Uint32Array, frequencies: Uint32Array, place: number, skipData: SkipData): Uint32Array {
    if (place < this.#next) return this.#positions;
    const bits = this.#bits;
    const group = Math.floor(place / GROUP_DOCUMENTS);
    const start = group * GROUP_DOCUMENTS > this.#next ? skipData.groupStart(group) : null;
    if (start !== null) {
      bits.moveToBit(start);
      this.#next = group * GROUP_DOCUMENTS;
    }
    bits.skipPositions(documents, frequencies, this.#lengths, this.#next, place);
    // Casts: the caller has decoded the document, and all documents have a length.
    const frequency = frequencies[place] as number;
    const length = this.#lengths[documents[place] as number] as number;
    // The first position may take no bits, if the document has no other term.
    if (frequency > length || frequency > 1 + this.#length * 8) {
      throw damaged("A document has more positions than there can be.");
    }
    this.#positions = this.#room(frequency);
    readPositions(bits, this.#positions, frequency, length);
    bits.check();
    this.#next = place + 1;
    return this.#positions;
  }

  #room(count: number): Uint32Array {
    if (count > this.#numbers.length) {
      this.#numbers = new Uint32Array(Math.max(count, this.#numbers.length * 2));
      this.#views = [];
    }
    if (count >= MAX_VIEWS) return this.#numbers.subarray(0, count);
    const view = this.#views[count] ?? this.#numbers.subarray(0, count);
    this.#views[count] = view;
    return view;
  }
}
