export type { Phrase, SplitIdentifier } from "./analysis/phrase.ts";
export { createSegmentBuilder } from "./indexing/segment-builder.ts";
export {
  add,
  type Bitset,
  countOf,
  documentsOf,
  emptyBitset,
  fullBitset,
  has,
  intersect,
  isEmpty,
  remove,
  subtract,
  unite,
} from "./query/bitset.ts";
export { CostBudget } from "./query/cost-budget.ts";
export { Evaluator, type Verify } from "./query/evaluate.ts";
export { expectWords } from "./query/expected.ts";
export type { FieldQuery } from "./query/field-values.ts";
export type { IndexQuery, PhrasesNode, RankingLeaf, SubstringNode } from "./query/index-query.ts";
export type { FoundDocuments, MatchedSegment } from "./query/matches.ts";
export { NO_STATISTICS, rankDocuments, type Statistics } from "./query/rank.ts";
export { identifierSplitter, valuesContaining } from "./query/terms.ts";
export { type TopDocuments, type TopDocumentsOptions, topDocuments } from "./query/top-documents.ts";
export { topKThreshold } from "./query/top-k-threshold.ts";
export { SegmentView } from "./query/view.ts";
export {
  CHUNK_BYTES,
  COMPONENTS,
  type ComponentSizes,
  DetachedSegments,
  mergeDetached,
  type ReadSegmentBytes,
  type SegmentBytes,
  type SegmentChunk,
  type SegmentSize,
  type StoreSegmentChunk,
  storeSegment,
} from "./segment/detached-segments.ts";
export type { FastFields } from "./segment/fast-fields.ts";
export { segmentsToMerge } from "./segment/merge-policy.ts";
export {
  type DocumentOrigin,
  fieldTerm,
  type PositionCursor,
  type PostingList,
  type Segment,
  type SegmentBuilder,
  type Segments,
} from "./segment/segment.ts";
export { openSegments } from "./segment/segments.ts";
export type { SqliteDatabase, SqliteStatement } from "./storage/sqlite.ts";
