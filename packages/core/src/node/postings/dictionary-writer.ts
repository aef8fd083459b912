import type { AreaWriter } from "./areas.ts";
import type { PostingList } from "./postings-writer.ts";
import { shortForm, writeParts, writeText } from "./term-text.ts";
import { ByteWriter } from "./varint.ts";

/** Units of terms in a block: few enough that one is decoded quickly, enough that few blocks must be known. */
const BLOCK_UNITS = 4096;

/**
 * Writes terms in blocks. In a block stand the terms joined to one text, so that it can be searched as a whole, then for
 * each its length and where its list is; lists follow each other, so lengths are enough for that too. A list of all
 * blocks with their first terms goes into an area of its own.
 */
export class DictionaryWriter {
  readonly #dictionary: AreaWriter;
  readonly #blocks: AreaWriter;
  readonly #entries = new ByteWriter();
  readonly #block = new ByteWriter();
  #texts: string[] = [];
  #firstTerm = "";
  #units = 0;
  #postings = 0;
  #positions = 0;

  constructor(dictionary: AreaWriter, blocks: AreaWriter) {
    this.#dictionary = dictionary;
    this.#blocks = blocks;
  }

  /** Adds the term after the one before; their lists follow each other in the same way. */
  add(term: string, list: PostingList): void {
    if (this.#texts.length === 0) {
      this.#firstTerm = term;
      this.#postings = list.postings.offset;
      this.#positions = list.positions.offset;
    }
    const { text, parts } = shortForm(term);
    this.#texts.push(text);
    this.#units += text.length;
    this.#entries.writeVarint(text.length * 2 + (parts === null ? 0 : 1));
    if (parts !== null) writeParts(this.#entries, parts);
    this.#entries.writeVarint(list.documentCount * 2 + (list.hasPositions ? 1 : 0));
    if (list.documentCount > 0) this.#entries.writeVarint(list.postings.length);
    if (list.hasPositions) this.#entries.writeVarint(list.positions.length);
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
  }
}
