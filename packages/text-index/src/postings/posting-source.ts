import type { ComponentReader } from "../storage/components.ts";

/** Source of posting lists. */
export interface PostingSource {
  readonly documentCount: number;
  /** Lengths of its documents, see `FastFields`. */
  readonly lengths: Uint32Array;
  readonly postings: ComponentReader;
  readonly positions: ComponentReader;
}
