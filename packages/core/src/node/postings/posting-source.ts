import type { AreaReader } from "./areas.ts";

/** What posting lists are read from. */
export interface PostingSource {
  readonly documentCount: number;
  /** Of its documents, see `DocumentColumns`. */
  readonly lengths: Uint32Array;
  readonly postings: AreaReader;
  readonly positions: AreaReader;
}
