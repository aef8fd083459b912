import type { SegmentView } from "./view.ts";

/** The documents of a segment that match, in ascending order. */
export interface FoundDocuments {
  view: SegmentView;
  documents: Uint32Array;
}

/** With what they are sorted by. */
export interface MatchedSegment extends FoundDocuments {
  /** The higher, the earlier: the score, or the time. */
  values: Float64Array;
}
