import { PostingListWriter } from "../postings/posting-list-writer.ts";
import { FastFieldWriter } from "../segment/fast-field-codec.ts";
import type { FastFields } from "../segment/fast-fields.ts";
import { type DocumentOrigin, fieldTerm, type SegmentBuilder, type TermSink } from "../segment/segment.ts";
import { POSITION_GAP } from "../wasm/constants.ts";
import { NumberList } from "./number-list.ts";
import { Tokenizer } from "./tokenizer.ts";

/** Larger buffers, needed for a single huge document, are released; a full batch uses half of this. */
const MAX_KEPT_BYTES = 2 ** 27;

export function createSegmentBuilder(): SegmentBuilder {
  return new MemorySegmentBuilder();
}

/** Stores the term numbers of the texts in order. A document's fields follow its texts. */
class MemorySegmentBuilder implements SegmentBuilder {
  #tokenizer = new Tokenizer();
  readonly #documents = new FastFieldWriter();
  #writer = new PostingListWriter();
  /** Fields of the current document. */
  readonly #fields = new Set<number>();
  /** Start of each document among the terms. */
  readonly #starts = new NumberList();

  get documentCount(): number {
    return this.#documents.count;
  }

  get termCount(): number {
    return this.#writer.termCount;
  }

  begin(origin: DocumentOrigin): void {
    this.#endFields();
    this.#documents.add(origin);
    this.#starts.push(this.termCount);
  }

  addText(text: string): void {
    this.addPieces([text]);
  }

  addPieces(pieces: Iterable<string>): void {
    const start = this.#beginText();
    for (const piece of pieces) this.#tokenizer.run(piece, this.#writer);
    this.#documents.setLength(this.termCount - start);
  }

  addJson(bytes: Uint8Array, pieces: readonly number[]): boolean {
    if (!this.#tokenizer.loadJson(bytes, pieces)) return false;
    const start = this.#beginText();
    this.#tokenizer.runLoaded(this.#writer);
    this.#documents.setLength(this.termCount - start);
    return true;
  }

  addField(field: string, value: string): void {
    this.#fields.add(this.#tokenizer.add(fieldTerm(field, value)));
  }

  clear(): void {
    if (this.#tokenizer.bytes > MAX_KEPT_BYTES) this.#tokenizer = new Tokenizer();
    if (this.#writer.bytes > MAX_KEPT_BYTES) this.#writer = new PostingListWriter();
    this.#writer.clear();
    this.#starts.clear();
    this.#fields.clear();
    this.#documents.clear();
    this.#tokenizer.clear();
  }

  documents(): FastFields {
    return this.#documents.columns();
  }

  emitTerms(sink: TermSink): void {
    this.#endFields();
    const terms = this.#tokenizer.terms();
    const order = this.#tokenizer.sorted();
    const starts = this.#starts.numbers.subarray(0, this.documentCount);
    this.#writer.writeSorted(this.documents(), starts, order, sink, (term, list) => {
      sink.endTerm(terms[term] as string, list);
    });
  }

  /** Returns the start of the document. */
  #beginText(): number {
    const start = this.#starts.numbers[this.documentCount - 1] as number;
    if (this.termCount > start) this.#writer.push(POSITION_GAP);
    return start;
  }

  #endFields(): void {
    for (const field of this.#fields) this.#writer.push(field);
    this.#fields.clear();
  }
}
