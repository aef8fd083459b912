import { LRUCache } from "lru-cache";
import type { ListBuffer, PostingListReader } from "../postings/posting-list-reader.ts";
import type { TermInfo } from "../postings/posting-list-writer.ts";
import type { ChunkCache, ExpectedChunks } from "../storage/chunk-cache.ts";
import { COMPONENTS, type Component, ComponentReader, type ComponentSizes } from "../storage/components.ts";
import { decodeFastFields, decodeLengths } from "./fast-field-codec.ts";
import type { FastFields } from "./fast-fields.ts";
import type { Segment } from "./segment.ts";
import { type ListSource, StoredPostingList } from "./stored-posting-list.ts";
import { decodeBlocks, TermDictionary } from "./term-dictionary.ts";

/** About 200 bytes each. */
const REMEMBERED_TERMS = 1_000;

/** Shared by the segments of a text database. */
export interface SharedReaders {
  chunks: ChunkCache;
  sets: ListSource["sets"];
  listBuffer: ListBuffer;
}

/**
 * A segment in a text database. Caches block offsets of the dictionary once read, and the documents while they are in
 * use: by a search for all segments, by a merge for one at a time. All reads throw an `IndexError` if the data is
 * damaged.
 */
export class StoredSegment implements Segment, ListSource {
  readonly id: number;
  readonly bytes: number;
  readonly sets: ListSource["sets"];
  readonly listBuffer: ListBuffer;
  readonly spareReaders: PostingListReader[] = [];
  readonly postings: ComponentReader;
  readonly positions: ComponentReader;
  readonly #chunks: ChunkCache;
  readonly #sizes: ComponentSizes;
  readonly documentCount: number;
  #documents: WeakRef<FastFields> | null = null;
  #lengths: WeakRef<Uint32Array> | null = null;
  #dictionary: TermDictionary | null = null;
  /** Incremental search requests the same words at each key. */
  readonly #termInfos = new LRUCache<string, TermInfo | "absent">({ max: REMEMBERED_TERMS });

  constructor(readers: SharedReaders, id: number, documentCount: number, sizes: ComponentSizes) {
    this.id = id;
    this.bytes = COMPONENTS.reduce((sum, component) => sum + sizes[component], 0);
    this.#chunks = readers.chunks;
    this.sets = readers.sets;
    this.listBuffer = readers.listBuffer;
    this.#sizes = sizes;
    this.documentCount = documentCount;
    this.postings = this.#open("postings");
    this.positions = this.#open("positions");
  }

  get isDistant(): boolean {
    return this.#chunks.isDistant;
  }

  get documents(): FastFields {
    let documents = this.#documents?.deref();
    if (documents === undefined) {
      documents = decodeFastFields(this.#all("documents"), this.documentCount);
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

  expectTerm(term: string, expected: ExpectedChunks): void {
    if (!this.#termInfos.has(term)) this.#terms.expect(term, expected);
  }

  find(term: string): StoredPostingList | null {
    const known = this.#termInfos.get(term);
    const info = known ?? this.#terms.find(term)?.list ?? "absent";
    if (known === undefined) this.#termInfos.set(term, info);
    return info === "absent" ? null : new StoredPostingList(term, info, this);
  }

  *range(from: string, below: string): Generator<StoredPostingList> {
    for (const { term, list } of this.#terms.range(from, below)) yield new StoredPostingList(term, list, this);
  }

  *containing(text: string, from: string, below: string): Generator<StoredPostingList> {
    for (const { term, list } of this.#terms.containing(text, from, below))
      yield new StoredPostingList(term, list, this);
  }

  get #terms(): TermDictionary {
    this.#dictionary ??= new TermDictionary(
      decodeBlocks(this.#all("blocks")),
      this.#open("dictionary"),
      this.documentCount,
    );
    return this.#dictionary;
  }

  #open(component: Component): ComponentReader {
    return new ComponentReader(this.#chunks, this.id, component, this.#sizes[component]);
  }

  #all(component: Component): Uint8Array {
    return this.#open(component).read(0, this.#sizes[component]);
  }
}
