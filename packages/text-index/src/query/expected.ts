import type { PostingList, Segment } from "../segment/segment.ts";
import { ExpectedChunks } from "../storage/chunk-cache.ts";
import type { IndexQuery } from "./index-query.ts";
import { identifiersOf } from "./terms.ts";

// What a search reads of segments that are stored elsewhere is fetched in a few steps, for all segments at once: in a
// segment after the other, a phrase of five words asked for 60 to 200 chunks, which took ten times as long.

/** Of a pasted paragraph: the other words are read when they are looked up, as long as the search may take. */
const MOST_TERMS = 64;

/** Fetches the parts of dictionaries in which words are looked up, with the parts of identifiers (`identifierSplitter`). */
export function expectWords(segments: readonly Segment[], wordsOf: () => readonly string[]): void {
  const distant = distantOf(segments);
  if (distant.length === 0) return;
  const words = wordsOf().slice(0, MOST_TERMS);
  expectTerms(
    distant,
    words.flatMap((word) => [word, identifiersOf(word)]),
  );
}

/** Fetches the lists of the words that a query compares. */
export function expectPhrases(segments: readonly Segment[], query: IndexQuery): void {
  const distant = distantOf(segments);
  if (distant.length === 0) return;
  const terms = [...new Set(termsOf(query))].slice(0, MOST_TERMS);
  expectTerms(distant, terms);
  const expected = new ExpectedChunks();
  for (const segment of distant) {
    const lists = terms.map((term) => segment.find(term));
    for (const list of lists) list?.expect(expected);
  }
  expected.read();
}

/** Positions in documents, in ascending order. */
export interface ListPositions {
  list: PostingList;
  documents: Uint32Array;
}

/** Fetches the positions that are compared. */
export function expectPositions(segments: readonly Segment[], compared: Iterable<ListPositions>): void {
  if (distantOf(segments).length === 0) return;
  const expected = new ExpectedChunks();
  for (const { list, documents } of compared) list.expectPositions(documents, expected);
  expected.read();
}

/** At home there are none, and nothing of this is worked out. */
function distantOf(segments: readonly Segment[]): Segment[] {
  return segments.filter(({ isDistant }) => isDistant);
}

function expectTerms(segments: readonly Segment[], terms: readonly string[]): void {
  const expected = new ExpectedChunks();
  for (const segment of segments) {
    for (const term of terms) segment.expectTerm(term, expected);
  }
  expected.read();
}

function termsOf(query: IndexQuery): string[] {
  switch (query.type) {
    case "and":
    case "or":
      return query.nodes.flatMap(termsOf);
    case "not":
      return termsOf(query.node);
    case "phrases":
      return query.phrases.flatMap(({ terms, prefix }) => (prefix ? terms.slice(0, -1) : terms));
    default:
      return [];
  }
}
