import type { SegmentView } from "./view.ts";

/** The matching documents of a segment, in ascending order. */
export interface FoundDocuments {
  view: SegmentView;
  documents: Uint32Array;
}

/** With their sort values. */
export interface MatchedSegment extends FoundDocuments {
  /** Higher values sort first: the score, or the time. */
  values: Float64Array;
}
