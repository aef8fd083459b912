import type { PositionCursor, PostingList, Segment } from "../segment/segment.ts";
import type { Evaluator } from "./evaluate.ts";
import { expectPositions, type ListPositions } from "./expected.ts";
import { gallop } from "./gallop.ts";
import type { RankingLeaf } from "./index-query.ts";
import type { MatchFrequencies } from "./match-frequencies.ts";
import type { FoundDocuments, MatchedSegment } from "./matches.ts";
import { exactTerm } from "./terms.ts";
import { topKThreshold } from "./top-k-threshold.ts";

/** Global data for scores. Cursors contain it, so that scores stay constant across pages. */
export interface Statistics {
  /** Milliseconds since 1970. */
  now: number;
  /** Average number of terms per document. */
  averageLength: number;
  /** Weights of the leaves: rare words have higher ones. */
  weights: number[];
  /** Scores from this value on get the proximity boost. */
  least: number;
}

/** The usual values for BM25: term frequency saturation and length normalization. */
const K1 = 1.2;
const B = 0.75;

/** Score boost of a new document; halves every 90 days. */
const RECENCY = 0.3;
const RECENCY_HALF_LIFE_MS = 90 * 24 * 60 * 60 * 1000;

/** Boost of adjacent words over distant ones. */
const PROXIMITY = 1;
/** Number of best documents to which proximity is applied: it takes some microseconds each. */
const MAX_COMPARED = 300;
/** A word of the query may match several terms: as typed, and as parts of an identifier. */
const MAX_FIRST_WORDS = 4;

/** For queries without scores. */
export const NO_STATISTICS: Statistics = { now: 0, averageLength: 1, weights: [], least: 0 };

/**
 * Scores the matching documents.
 *
 * @param before statistics of the first page.
 * @param codeWeights score factor for each of the 256 codes.
 */
export function rankDocuments(
  found: readonly FoundDocuments[],
  evaluator: Evaluator,
  leaves: readonly RankingLeaf[],
  before: Statistics | null,
  now: number,
  codeWeights: Float64Array,
): { matched: MatchedSegment[]; statistics: Statistics } {
  const count = found.reduce((sum, { view }) => sum + view.documents.count, 0);
  const length = found.reduce((sum, { view }) => sum + view.length, 0);
  const basis = before ?? {
    now,
    averageLength: Math.max(1, length / Math.max(1, count)),
    weights: leaves.map((_, leaf) => weightOf(evaluator.documentCount(leaf), count)),
  };
  const frequencies = leaves.map((_, leaf) => evaluator.frequencies(leaf));
  const matched = found.map((documents, place): MatchedSegment => {
    const ofSegment = frequencies.map((some) => some[place] ?? null);
    return { ...documents, values: scoresOf(documents, ofSegment, basis, codeWeights) };
  });
  const statistics: Statistics = { ...basis, least: before?.least ?? topKThreshold(matched, MAX_COMPARED, 0) };
  const near = matched.map((segment) => nearWords(segment, leaves, statistics.least)).filter((some) => some !== null);
  expectPositions(
    matched.map(({ view }) => view.segment),
    positionsNear(near),
  );
  for (const words of near) raiseByProximity(words, leaves.length);
  return { matched, statistics };
}

/** Weight of a leaf that matches `documentCount` of `count` documents. */
function weightOf(documentCount: number, count: number): number {
  const capped = Math.min(documentCount, count);
  return Math.log(1 + (count - capped + 0.5) / (capped + 0.5));
}

/** Resolution of the recency boost: steps per half-life. */
const STEPS_OF_HALF_LIFE = 32;
const RECENCY_BY_AGE = Float64Array.from(
  { length: STEPS_OF_HALF_LIFE * 16 },
  (_, step) => 1 + RECENCY * 2 ** (-step / STEPS_OF_HALF_LIFE),
);
const STEP_MS = RECENCY_HALF_LIFE_MS / STEPS_OF_HALF_LIFE;

/** @param frequencies of the segment's documents, by leaf. */
function scoresOf(
  { view, documents }: FoundDocuments,
  frequencies: readonly (MatchFrequencies | null)[],
  { now, averageLength, weights }: Omit<Statistics, "least">,
  codeWeights: Float64Array,
): Float64Array {
  const { codes, lengths, timestamps } = view.documents;
  const { length } = documents;
  const scores = new Float64Array(length);
  // Casts: all indexes are within their columns, and checking each would take half of the time.
  for (const [leaf, ofLeaf] of frequencies.entries()) {
    const weight = weights[leaf] ?? 0;
    const all = ofLeaf?.all;
    if (all) {
      for (let place = 0; place < length; place++) {
        const document = documents[place] as number;
        const frequency = all[document] as number;
        if (frequency === 0) continue;
        const saturation = K1 * (1 - B + (B * (lengths[document] as number)) / averageLength);
        scores[place] = (scores[place] as number) + (weight * frequency) / (frequency + saturation);
      }
      continue;
    }
    for (const [document, frequency] of ofLeaf?.listed ?? []) {
      const place = gallop(documents, 0, document);
      if (documents[place] !== document) continue;
      const saturation = K1 * (1 - B + (B * (lengths[document] as number)) / averageLength);
      scores[place] = (scores[place] as number) + (weight * frequency) / (frequency + saturation);
    }
  }
  for (let place = 0; place < length; place++) {
    const document = documents[place] as number;
    const step = Math.max(0, (now - (timestamps[document] as number)) / STEP_MS);
    // Without a time there is no step: comparisons with NaN are false.
    const recency = step < RECENCY_BY_AGE.length ? (RECENCY_BY_AGE[Math.trunc(step)] as number) : 1;
    scores[place] = (scores[place] as number) * (codeWeights[codes[document] as number] as number) * recency;
  }
  return scores;
}

/** Words of a segment that may be near each other. */
interface NearWords {
  segment: MatchedSegment;
  /** By leaf. */
  words: PostingList[][];
  /** Of the documents with scores that are raised. */
  places: number[];
}

/** `null`: there is nothing to raise. */
function nearWords(segment: MatchedSegment, leaves: readonly RankingLeaf[], least: number): NearWords | null {
  if (leaves.length < 2) return null;
  const words = leaves.map((leaf) => firstWords(segment.view.segment, leaf));
  if (words.filter((some) => some.length > 0).length < 2) return null;
  return { segment, words, places: placesFrom(segment.values, least) };
}

function* positionsNear(near: readonly NearWords[]): Generator<ListPositions> {
  for (const { words, segment, places } of near) {
    const documents = Uint32Array.from(places, (place) => segment.documents[place] ?? 0);
    for (const list of words.flat()) yield { list, documents };
  }
}

/** Applies the proximity boost. */
function raiseByProximity({ segment: { documents, values }, words, places }: NearWords, leafCount: number): void {
  const cursors = words.map((some) => some.map((word) => word.positions()));
  for (const place of places) {
    const score = values[place] ?? 0;
    const document = documents[place] ?? 0;
    const positions = cursors.map((some) => positionsOf(some, document)).filter((list) => list.length > 0);
    if (positions.length < 2) continue;
    const nearest = (positions.length - 1) / Math.max(1, smallestWindow(positions));
    const share = (positions.length - 1) / (leafCount - 1);
    values[place] = score * (1 + PROXIMITY * share * Math.min(1, nearest));
  }
  for (const cursor of cursors.flat()) cursor.close();
}

/**
 * Indexes of values from `least` on. A separate function, because V8 optimizes a small one during its loop: in the
 * first search for two common words, scanning 200,000 values took 30 of 90 ms otherwise.
 */
function placesFrom(values: Float64Array, least: number): number[] {
  const places: number[] = [];
  for (let place = 0; place < values.length; place++) {
    // Cast: all places have a value.
    if ((values[place] as number) >= least) places.push(place);
  }
  return places;
}

/** The first words of a leaf's phrases; none if there are too many to compare. */
function firstWords(segment: Segment, leaf: RankingLeaf): PostingList[] {
  if (leaf.type === "substring") return [];
  const isOpen = leaf.phrases.some(({ terms, prefix }) => prefix && terms.length === 1);
  const words = isOpen ? [] : [...new Set(leaf.phrases.map(({ terms }) => terms[0] ?? ""))];
  return words.slice(0, MAX_FIRST_WORDS).flatMap((word) => exactTerm(segment, word));
}

function positionsOf(cursors: readonly PositionCursor[], document: number): Uint32Array {
  const [only] = cursors;
  if (only !== undefined && cursors.length === 1) return only.in(document);
  return Uint32Array.from(cursors.flatMap((cursor) => [...cursor.in(document)])).sort();
}

/** Size of the smallest window that contains one position of each list. */
function smallestWindow(lists: readonly Uint32Array[]): number {
  const places = lists.map(() => 0);
  let smallest = Number.POSITIVE_INFINITY;
  for (;;) {
    let first = 0;
    let low = Number.POSITIVE_INFINITY;
    let high = 0;
    for (const [number, list] of lists.entries()) {
      const position = list[places[number] ?? 0] ?? 0;
      if (position < low) [low, first] = [position, number];
      high = Math.max(high, position);
    }
    smallest = Math.min(smallest, high - low);
    const next = (places[first] ?? 0) + 1;
    if (next === lists[first]?.length) return smallest;
    places[first] = next;
  }
}
