import type { SqliteStatement } from "../storage/sqlite.ts";
import { AREAS, type Area, type AreaSizes, AreaWriter } from "./areas.ts";
import { DictionaryWriter } from "./dictionary-writer.ts";
import type { DocumentColumns } from "./document-columns.ts";
import { encodeDocuments } from "./documents.ts";
import type { WrittenList } from "./postings-writer.ts";
import type { TermSink } from "./segment.ts";

/** Writes one segment, all of its areas at the same time. */
export class SegmentWriter implements TermSink {
  readonly id: number;
  readonly documentCount: number;
  readonly #areas: Record<Area, AreaWriter>;
  readonly #dictionary: DictionaryWriter;

  /**
   * @param insertChunk see `AreaWriter`.
   * @param documents of the segment; they do not change while it is written.
   */
  constructor(insertChunk: SqliteStatement, id: number, documents: DocumentColumns) {
    const open = (area: Area) => new AreaWriter(insertChunk, id, area);
    this.id = id;
    this.documentCount = documents.count;
    this.#areas = {
      documents: open("documents"),
      blocks: open("blocks"),
      dictionary: open("dictionary"),
      postings: open("postings"),
      positions: open("positions"),
    };
    this.#dictionary = new DictionaryWriter(this.#areas.dictionary, this.#areas.blocks);
    this.#areas.documents.append(encodeDocuments(documents));
  }

  appendPostings(bytes: Uint8Array): void {
    this.#areas.postings.append(bytes);
  }

  appendPositions(bytes: Uint8Array): void {
    this.#areas.positions.append(bytes);
  }

  endTerm(term: string, list: WrittenList): void {
    this.#dictionary.add(term, list);
  }

  /** Writes the rest. */
  finish(): AreaSizes {
    this.#dictionary.finish();
    const sizes = { documents: 0, blocks: 0, dictionary: 0, postings: 0, positions: 0 };
    for (const area of AREAS) {
      this.#areas[area].finish();
      sizes[area] = this.#areas[area].length;
    }
    return sizes;
  }
}
