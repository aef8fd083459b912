import { AREAS, type Area, AreaReader, type AreaSizes, type ChunkCache } from "./areas.ts";
import { Dictionary, decodeBlocks } from "./dictionary.ts";
import type { DocumentSets } from "./document-sets.ts";
import { decodeDocuments } from "./documents.ts";
import type { PhraseLists } from "./phrase-lists.ts";
import { BlockReader } from "./postings-reader.ts";
import type { DocumentColumns, Segment } from "./segment.ts";
import { type ListScratch, type ListSource, StoredPostings } from "./stored-postings.ts";

const LEAST_SCRATCH = 512;

/** What the segments of a text database have in common. */
export interface SharedReaders {
  chunks: ChunkCache;
  sets: DocumentSets;
  phraseLists: PhraseLists;
}

/**
 * A segment in a text database. The places of the dictionary's blocks are kept once they are read, and the documents as
 * long as somebody has them: a search for all its segments, merging for one at a time.
 * Whatever is read throws an `IndexError` where it is damaged.
 */
export class StoredSegment implements Segment, ListSource {
  readonly id: number;
  readonly bytes: number;
  readonly sets: DocumentSets;
  readonly phraseLists: PhraseLists;
  readonly postings: AreaReader;
  readonly positions: AreaReader;
  readonly #chunks: ChunkCache;
  readonly #sizes: AreaSizes;
  readonly documentCount: number;
  #documents: WeakRef<DocumentColumns> | null = null;
  #dictionary: Dictionary | null = null;
  #scratch: ListScratch | null = null;

  constructor(readers: SharedReaders, id: number, documentCount: number, sizes: AreaSizes) {
    this.id = id;
    this.bytes = AREAS.reduce((sum, area) => sum + sizes[area], 0);
    this.#chunks = readers.chunks;
    this.sets = readers.sets;
    this.phraseLists = readers.phraseLists;
    this.#sizes = sizes;
    this.documentCount = documentCount;
    this.postings = this.#open("postings");
    this.positions = this.#open("positions");
  }

  get documents(): DocumentColumns {
    let documents = this.#documents?.deref();
    if (documents === undefined) {
      documents = decodeDocuments(this.#all("documents"), this.documentCount);
      this.#documents = new WeakRef(documents);
    }
    return documents;
  }

  scratch(count: number): ListScratch {
    if (this.#scratch === null || this.#scratch.documents.length < count) {
      const size = Math.min(
        this.documentCount,
        Math.max(count, 2 * (this.#scratch?.documents.length ?? LEAST_SCRATCH)),
      );
      const blocks = this.#scratch?.blocks ?? new BlockReader(this);
      this.#scratch = { blocks, documents: new Uint32Array(size), frequencies: new Uint32Array(size) };
    }
    return this.#scratch;
  }

  find(term: string): StoredPostings | null {
    const entry = this.#terms.find(term);
    return entry === null ? null : new StoredPostings(entry.term, entry.list, this);
  }

  *range(from: string, below: string): Generator<StoredPostings> {
    for (const { term, list } of this.#terms.range(from, below)) yield new StoredPostings(term, list, this);
  }

  *containing(text: string, from: string, below: string): Generator<StoredPostings> {
    for (const { term, list } of this.#terms.containing(text, from, below)) yield new StoredPostings(term, list, this);
  }

  get #terms(): Dictionary {
    this.#dictionary ??= new Dictionary(
      decodeBlocks(this.#all("blocks")),
      this.#open("dictionary"),
      this.documentCount,
    );
    return this.#dictionary;
  }

  #open(area: Area): AreaReader {
    return new AreaReader(this.#chunks, this.id, area, this.#sizes[area]);
  }

  #all(area: Area): Uint8Array {
    return this.#open(area).read(0, this.#sizes[area]);
  }
}
