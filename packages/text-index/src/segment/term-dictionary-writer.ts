import type { WrittenList } from "../postings/posting-list-writer.ts";
import type { ComponentWriter } from "../storage/components.ts";
import { ByteWriter } from "../storage/varint.ts";
import { shortLength, writeParts, writeText } from "./term-text.ts";

/** UTF-16 units per block: small enough to be decoded quickly, large enough to keep the number of blocks low. */
const BLOCK_UNITS = 4096;

/**
 * Writes terms in blocks. A block contains its terms as one text, which can be searched as a whole, and for each term
 * its length and the location of its list; lists are consecutive, so their lengths suffice. A separate component lists
 * the blocks with their first terms.
 */
export class TermDictionaryWriter {
  readonly #dictionary: ComponentWriter;
  readonly #blocks: ComponentWriter;
  readonly #entries = new ByteWriter();
  readonly #block = new ByteWriter();
  #texts: string[] = [];
  #firstTerm = "";
  #units = 0;
  /** Offsets of the block's first list and of the next term's list. */
  #postings = 0;
  #positions = 0;
  #nextPostings = 0;
  #nextPositions = 0;

  constructor(dictionary: ComponentWriter, blocks: ComponentWriter) {
    this.#dictionary = dictionary;
    this.#blocks = blocks;
  }

  /** Adds the next term; its list follows the previous one. */
  add(term: string, list: WrittenList): void {
    const { documentCount, hasPositions, postingsLength, positionsLength } = list;
    if (this.#texts.length === 0) this.#firstTerm = term;
    const length = shortLength(term);
    const isShort = length < term.length;
    this.#texts.push(isShort ? term.slice(0, length) : term);
    this.#units += length;
    const entries = this.#entries;
    entries.writeVarint(length * 2 + (isShort ? 1 : 0));
    if (isShort) writeParts(entries, term, length);
    entries.writeVarint(documentCount * 2 + (hasPositions ? 1 : 0));
    if (documentCount > 0) entries.writeVarint(postingsLength);
    if (hasPositions) entries.writeVarint(positionsLength);
    this.#nextPostings += postingsLength;
    this.#nextPositions += positionsLength;
    if (this.#units >= BLOCK_UNITS) this.#endBlock();
  }

  finish(): void {
    if (this.#texts.length > 0) this.#endBlock();
  }

  #endBlock(): void {
    const block = this.#block;
    writeText(block, this.#texts.join(""));
    block.writeVarint(this.#texts.length);
    block.writeVarint(this.#postings);
    block.writeVarint(this.#positions);
    block.writeBytes(this.#entries.bytes);
    this.#dictionary.append(block.bytes);
    const { length } = block;
    block.clear();
    writeText(block, this.#firstTerm);
    block.writeVarint(length);
    this.#blocks.append(block.bytes);
    block.clear();
    this.#entries.clear();
    this.#texts = [];
    this.#units = 0;
    this.#postings = this.#nextPostings;
    this.#positions = this.#nextPositions;
  }
}
