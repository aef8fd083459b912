import { DocumentList } from "./documents.ts";
import {
  type DocumentColumns,
  type DocumentOrigin,
  type FieldName,
  fieldTerm,
  type SegmentBuilder,
  type TermSink,
} from "./segment.ts";
import { NumberList, Tokenizer } from "./tokenizer.ts";
import { Vocabulary } from "./vocabulary.ts";

/** Stands for no term: keeps the texts of a document apart, so that no phrase goes over their border. */
const BORDER = 0xffffffff;
/** Documents are looked up by the place of a term, of which so many (two to the power) share an entry. */
const LOOKUP_SHIFT = 6;
/**
 * Room for terms that an array has from the start: above 32 MiB the C library of Linux maps memory for it alone, which
 * costs nothing until it is written to and goes back to the system. Smaller ones, above all those that an array grows
 * out of, stay with the process for good.
 */
const ROOM_FOR_TERMS = 2 ** 23 + 2 ** 12;
/** Arrays that one enormous document has made larger than this are not kept. */
const MOST_KEPT_TERMS = 2 ** 24;

export function createBuilder(): SegmentBuilder {
  return new PostingsBuilder();
}

/**
 * Keeps the terms of the texts by number, one after the other, and sorts them by term in the end: counting them is all
 * it takes, since the numbers have no gaps. A document's fields stand behind its texts.
 */
class PostingsBuilder implements SegmentBuilder {
  readonly #vocabulary = new Vocabulary();
  readonly #tokenizer = new Tokenizer(this.#vocabulary);
  readonly #documents = new DocumentList();
  #terms = new NumberList(ROOM_FOR_TERMS);
  /** Of the document that was begun last. */
  readonly #fields = new Set<number>();
  /** Where each document begins in `#terms`. */
  readonly #starts = new NumberList();
  #sorted = new Uint32Array(0);

  get documentCount(): number {
    return this.#documents.count;
  }

  get termCount(): number {
    return this.#terms.length;
  }

  begin(origin: DocumentOrigin): void {
    this.#endFields();
    this.#documents.add(origin);
    this.#starts.push(this.#terms.length);
  }

  addText(text: string): void {
    const terms = this.#terms;
    const start = this.#starts.numbers[this.documentCount - 1] as number;
    if (terms.length > start) terms.push(BORDER);
    this.#tokenizer.run(text, terms);
    this.#documents.setLength(terms.length - start);
  }

  addField(field: FieldName, value: string): void {
    this.#fields.add(this.#vocabulary.add(fieldTerm(field, value)));
  }

  clear(): void {
    if (this.#terms.length > MOST_KEPT_TERMS) {
      this.#terms = new NumberList(ROOM_FOR_TERMS);
      this.#sorted = new Uint32Array(0);
    }
    this.#terms.clear();
    this.#starts.clear();
    this.#fields.clear();
    this.#documents.clear();
    this.#vocabulary.clear();
    this.#tokenizer.clear();
  }

  documents(): DocumentColumns {
    return this.#documents.columns();
  }

  emitTerms(sink: TermSink): void {
    this.#endFields();
    const ends = this.#sortByTerm();
    const { count, lengths } = this.documents();
    const starts = this.#starts.numbers;
    const documentNear = this.#documentsByPlace();
    const sorted = this.#sorted;
    for (const term of this.#vocabulary.sorted()) {
      const end = ends[term] as number;
      // Positions take the place of what they are computed from.
      for (let at = term === 0 ? 0 : (ends[term - 1] as number); at < end; ) {
        const place = sorted[at] as number;
        let document = documentNear[place >>> LOOKUP_SHIFT] as number;
        while (document + 1 < count && (starts[document + 1] as number) <= place) document++;
        const start = starts[document] as number;
        const textEnd = start + (lengths[document] as number);
        const from = at;
        while (at < end && (sorted[at] as number) < textEnd) {
          sorted[at] = (sorted[at] as number) - start;
          at++;
        }
        sink.addPosting(document, sorted, from, at);
        // A field.
        if (at === from) at++;
      }
      sink.endTerm(this.#vocabulary.term(term));
    }
  }

  #endFields(): void {
    for (const field of this.#fields) this.#terms.push(field);
    this.#fields.clear();
  }

  /** Fills `#sorted` with the places in `#terms`, by term. @returns where each term ends there. */
  #sortByTerm(): Uint32Array {
    const { length } = this.#terms;
    const numbers = this.#terms.numbers;
    const next = new Uint32Array(this.#vocabulary.size);
    for (let place = 0; place < length; place++) {
      const number = numbers[place] as number;
      if (number !== BORDER) next[number] = (next[number] as number) + 1;
    }
    let sum = 0;
    for (let number = 0; number < next.length; number++) {
      const count = next[number] as number;
      next[number] = sum;
      sum += count;
    }
    if (this.#sorted.length < numbers.length) this.#sorted = new Uint32Array(numbers.length);
    const sorted = this.#sorted;
    for (let place = 0; place < length; place++) {
      const number = numbers[place] as number;
      if (number === BORDER) continue;
      const at = next[number] as number;
      sorted[at] = place;
      next[number] = at + 1;
    }
    return next;
  }

  /** For each so many places the document of the first one. */
  #documentsByPlace(): Uint32Array {
    const near = new Uint32Array((this.#terms.length >>> LOOKUP_SHIFT) + 1);
    const starts = this.#starts.numbers;
    let document = 0;
    for (let entry = 0; entry < near.length; entry++) {
      const place = entry << LOOKUP_SHIFT;
      while (document + 1 < this.documentCount && (starts[document + 1] as number) <= place) document++;
      near[entry] = document;
    }
    return near;
  }
}
