import type { ComponentReader } from "../storage/components.ts";

/** What posting lists are read from. */
export interface PostingSource {
  readonly documentCount: number;
  /** Of its documents, see `FastFields`. */
  readonly lengths: Uint32Array;
  readonly postings: ComponentReader;
  readonly positions: ComponentReader;
}
