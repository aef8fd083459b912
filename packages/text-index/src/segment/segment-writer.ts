import type { WrittenList } from "../postings/posting-list-writer.ts";
import {
  COMPONENTS,
  type Component,
  type ComponentSizes,
  ComponentWriter,
  type StoreChunk,
} from "../storage/components.ts";
import { encodeFastFields } from "./fast-field-codec.ts";
import type { FastFields } from "./fast-fields.ts";
import type { TermSink } from "./segment.ts";
import { TermDictionaryWriter } from "./term-dictionary-writer.ts";

/** Writes the components of one segment in parallel. */
export class SegmentWriter implements TermSink {
  readonly id: number;
  readonly documentCount: number;
  readonly #components: Record<Component, ComponentWriter>;
  readonly #dictionary: TermDictionaryWriter;

  /**
   * @param documents of the segment; must not change while it is written.
   */
  constructor(store: StoreChunk, id: number, documents: FastFields) {
    const open = (component: Component) => new ComponentWriter(store, id, component);
    this.id = id;
    this.documentCount = documents.count;
    this.#components = {
      documents: open("documents"),
      blocks: open("blocks"),
      dictionary: open("dictionary"),
      postings: open("postings"),
      positions: open("positions"),
    };
    this.#dictionary = new TermDictionaryWriter(this.#components.dictionary, this.#components.blocks);
    this.#components.documents.append(encodeFastFields(documents));
  }

  appendPostings(bytes: Uint8Array): void {
    this.#components.postings.append(bytes);
  }

  appendPositions(bytes: Uint8Array): void {
    this.#components.positions.append(bytes);
  }

  endTerm(term: string, list: WrittenList): void {
    this.#dictionary.add(term, list);
  }

  /** Writes the remaining data. */
  finish(): ComponentSizes {
    this.#dictionary.finish();
    const sizes = { documents: 0, blocks: 0, dictionary: 0, postings: 0, positions: 0 };
    for (const component of COMPONENTS) {
      this.#components[component].finish();
      sizes[component] = this.#components[component].length;
    }
    return sizes;
  }
}
