import { AREAS, type Area, AreaReader, type AreaSizes, type ChunkCache } from "./areas.ts";
import { BoundedMemo } from "./bounded-memo.ts";
import { Dictionary, decodeBlocks } from "./dictionary.ts";
import type { DocumentColumns } from "./document-columns.ts";
import type { DocumentSets } from "./document-sets.ts";
import { decodeDocuments, decodeLengths } from "./documents.ts";
import type { ListDecoder } from "./list-decoder.ts";
import type { PostingsReader } from "./postings-reader.ts";
import type { PostingList } from "./postings-writer.ts";
import type { Segment } from "./segment.ts";
import { type ListSource, StoredPostings } from "./stored-postings.ts";

/** Some 200 bytes each. */
const REMEMBERED_TERMS = 1_000;

/** What the segments of a text database have in common. */
export interface SharedReaders {
  chunks: ChunkCache;
  sets: DocumentSets;
  decoder: ListDecoder;
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
  readonly decoder: ListDecoder;
  readonly spareReaders: PostingsReader[] = [];
  readonly postings: AreaReader;
  readonly positions: AreaReader;
  readonly #chunks: ChunkCache;
  readonly #sizes: AreaSizes;
  readonly documentCount: number;
  #documents: WeakRef<DocumentColumns> | null = null;
  #lengths: WeakRef<Uint32Array> | null = null;
  #dictionary: Dictionary | null = null;
  readonly #lists = new BoundedMemo<PostingList | null>(REMEMBERED_TERMS);

  constructor(readers: SharedReaders, id: number, documentCount: number, sizes: AreaSizes) {
    this.id = id;
    this.bytes = AREAS.reduce((sum, area) => sum + sizes[area], 0);
    this.#chunks = readers.chunks;
    this.sets = readers.sets;
    this.decoder = readers.decoder;
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
      this.#lengths = new WeakRef(documents.lengths);
    }
    return documents;
  }

  get lengths(): Uint32Array {
    let lengths = this.#lengths?.deref();
    if (lengths === undefined) {
      lengths = decodeLengths(this.#all("documents"), this.documentCount);
      this.#lengths = new WeakRef(lengths);
    }
    return lengths;
  }

  find(term: string): StoredPostings | null {
    const list = this.#lists.get(term, () => this.#terms.find(term)?.list ?? null);
    return list === null ? null : new StoredPostings(term, list, this);
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
