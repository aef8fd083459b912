import { PostingListReader } from "../postings/posting-list-reader.ts";
import { PostingListWriter } from "../postings/posting-list-writer.ts";
import { FastFieldWriter } from "./fast-field-codec.ts";
import type { FastFields } from "./fast-fields.ts";
import type { Segment, TermSink } from "./segment.ts";
import type { StoredPostingList } from "./stored-posting-list.ts";
import type { StoredSegment } from "./stored-segment.ts";

/** Cost of looking up a term and opening a list, in copied positions. */
const WORK_OF_TERM = 50;
const DEAD = 0xffffffff;
/** Sorts after every term without a field prefix. */
const AFTER_ALL_TERMS = "\uffff".repeat(256);

/** Amount read per step, see `SegmentMerger.work`: about 20 ms. */
const STEP_WORK = 500_000;

/**
 * Merges segments in steps.
 *
 * @param isAlive called for each document, in the first steps.
 * @param begin opens what the terms are written to; it need not keep the documents.
 * @returns what `begin` has opened, with all terms.
 */
export function* mergeSegments<Sink extends TermSink>(
  sources: readonly StoredSegment[],
  isAlive: (segment: Segment, document: number) => boolean,
  begin: (documents: FastFields) => Sink,
): Generator<void, Sink, void> {
  const merge = new SegmentMerger(sources.reduce((sum, { documentCount }) => sum + documentCount, 0));
  for (const source of sources) {
    merge.add(source, isAlive);
    yield;
  }
  const sink = merge.begin(begin);
  yield;
  let done = 0;
  while (merge.nextTerm(sink)) {
    if (merge.work - done < STEP_WORK) continue;
    done = merge.work;
    yield;
  }
  return sink;
}

/** Merges segments: concatenates their live documents, and merges their terms. */
class SegmentMerger {
  /** All live documents, until writing starts: 40 MB for years of sessions. */
  #documents: FastFieldWriter;
  readonly #sources: Source[] = [];
  readonly #writer = new PostingListWriter();
  #work = 0;

  /** @param documentCount of all segments together, including deleted ones. */
  constructor(documentCount: number) {
    this.#documents = new FastFieldWriter(documentCount);
  }

  /** @param isAlive called for each document. */
  add(segment: StoredSegment, isAlive: (segment: Segment, document: number) => boolean): void {
    const { documents } = segment;
    const numbers = new Uint32Array(documents.count).fill(DEAD);
    for (let document = 0; document < documents.count; document++) {
      if (!isAlive(segment, document)) continue;
      numbers[document] = this.#documents.count;
      this.#documents.copy(documents, document);
    }
    this.#sources.push(new Source(segment, numbers));
  }

  /** Starts writing. @param open creates the sink for terms; does not keep the documents. */
  begin<Sink extends TermSink>(open: (documents: FastFields) => Sink): Sink {
    const documents = this.#documents.columns();
    this.#documents = new FastFieldWriter();
    const sink = open(documents);
    this.#writer.begin(documents, sink);
    return sink;
  }

  /** Documents and positions read so far, plus a cost per term: proportional to time. */
  get work(): number {
    return this.#work;
  }

  /**
   * Writes the next term with its live documents.
   *
   * @param sink created by `begin`.
   * @returns `false` when all terms were written.
   */
  nextTerm(sink: TermSink): boolean {
    const writer = this.#writer;
    let term: string | null = null;
    for (const { postings } of this.#sources) {
      if (postings !== null && (term === null || postings.term < term)) term = postings.term;
    }
    if (term === null) {
      writer.finish();
      return false;
    }
    let isNeeded = false;
    for (const source of this.#sources) {
      if (source.postings?.term !== term) continue;
      // Identifier terms have no documents.
      if (source.postings.documentCount === 0) isNeeded = true;
      else if (source.addLiving(writer)) isNeeded = true;
      this.#work += WORK_OF_TERM + source.work;
      source.advance();
    }
    if (isNeeded) sink.endTerm(term, writer.end());
    return true;
  }
}

/** An input segment with its next term. */
class Source {
  postings: StoredPostingList | null = null;
  /** Documents and positions read of the term. */
  work = 0;
  readonly #terms: Iterator<StoredPostingList>;
  /** New number of each document. */
  readonly #numbers: Uint32Array;
  readonly #reader: PostingListReader;

  constructor(segment: StoredSegment, numbers: Uint32Array) {
    this.#numbers = numbers;
    this.#reader = new PostingListReader(segment);
    this.#terms = segment.range("", AFTER_ALL_TERMS)[Symbol.iterator]();
    this.advance();
  }

  advance(): void {
    this.work = 0;
    const next = this.#terms.next();
    this.postings = next.done === true ? null : next.value;
  }

  /** @returns whether the term has live documents. */
  addLiving(writer: PostingListWriter): boolean {
    if (this.postings === null) return false;
    const reader = this.#reader;
    const { hasPositions, documentCount } = this.postings.place;
    let isAny = false;
    this.work = documentCount;
    reader.start(this.postings.place);
    while (reader.seek(reader.document + 1)) {
      const number = this.#numbers[reader.document] as number;
      if (number === DEAD) continue;
      const count = hasPositions ? reader.frequency : 0;
      writer.add(number, reader.positions(), count);
      this.work += count;
      isAny = true;
    }
    return isAny;
  }
}
