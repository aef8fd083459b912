import type { Segment } from "../segment/segment.ts";
import { type Bitset, documentsOf, fullBitset } from "./bitset.ts";
import { CostBudget } from "./cost-budget.ts";
import { Evaluator, type Verify } from "./evaluate.ts";
import type { IndexQuery, RankingLeaf } from "./index-query.ts";
import type { MatchedSegment } from "./matches.ts";
import { rankDocuments } from "./rank.ts";
import { topKThreshold } from "./top-k-threshold.ts";
import type { SegmentView } from "./view.ts";

/** Cost limit of a search, see `CostBudget`: about 150 ms. */
const MAX_STEPS = 15_000_000;

export interface TopDocumentsOptions {
  /** Maximum documents. */
  limit: number;
  /** `newest` computes no scores. Documents without a time come last. */
  sort?: "relevance" | "newest";
  /** Documents to search, one set per segment; default: all. */
  liveDocs?: readonly Bitset[];
  /** Verifies substrings that the index cannot decide; without it, such documents are omitted. */
  verify?: Verify;
  /** Milliseconds since 1970, for the boost of new documents. */
  now?: number;
}

export interface TopDocuments {
  /** Best first. */
  documents: { segment: Segment; document: number; value: number }[];
  /** Number of matching documents. */
  total: number;
  /** Whether the total is exact. */
  isComplete: boolean;
}

const CODE_WEIGHTS = new Float64Array(256).fill(1);

/** Finds the best documents of several segments. */
export function topDocuments(
  views: readonly SegmentView[],
  query: IndexQuery,
  { limit, sort = "relevance", liveDocs, verify, now = Date.now() }: TopDocumentsOptions,
): TopDocuments {
  const budget = new CostBudget(MAX_STEPS);
  const forExclusion = budget.of(MAX_STEPS);
  const leaveOut: Verify = (candidates) => {
    budget.leaveOut();
    return candidates.map((bits) => new Uint32Array(bits.length));
  };
  const evaluator = new Evaluator(views, budget, forExclusion, verify ?? leaveOut);
  const masks = liveDocs ?? views.map((view) => fullBitset(view.documents.count));
  const found = evaluator.evaluate(query, masks).map((bits, place) => ({
    // There is one set per view.
    view: views[place] as SegmentView,
    documents: documentsOf(bits),
  }));
  const matched: MatchedSegment[] =
    sort === "newest"
      ? found.map(({ view, documents }) => ({ view, documents, values: timesOf(view, documents) }))
      : rankDocuments(found, evaluator, leavesOf(query), null, now, CODE_WEIGHTS).matched;
  const least = topKThreshold(matched, limit, Number.NEGATIVE_INFINITY);
  const documents = matched
    .flatMap(({ view, documents, values }) =>
      placesFrom(values, least).map((place) => ({
        segment: view.segment,
        document: documents[place] as number,
        value: values[place] as number,
      })),
    )
    .sort((a, b) => b.value - a.value)
    .slice(0, limit);
  return {
    documents,
    total: found.reduce((sum, { documents }) => sum + documents.length, 0),
    isComplete: budget.isComplete && forExclusion.isComplete,
  };
}

/** The ranking leaves by number. */
function leavesOf(query: IndexQuery): RankingLeaf[] {
  switch (query.type) {
    case "and":
    case "or":
      return query.nodes.flatMap(leavesOf).sort((a, b) => (a.leaf ?? 0) - (b.leaf ?? 0));
    case "phrases":
    case "substring":
      return query.leaf === null ? [] : [query];
    default:
      return [];
  }
}

function timesOf({ documents: { timestamps } }: SegmentView, documents: Uint32Array): Float64Array {
  return Float64Array.from(documents, (document) => {
    const time = timestamps[document] as number;
    return Number.isNaN(time) ? Number.MIN_SAFE_INTEGER : time;
  });
}

function placesFrom(values: Float64Array, least: number): number[] {
  const places: number[] = [];
  for (const [place, value] of values.entries()) if (value >= least) places.push(place);
  return places;
}
