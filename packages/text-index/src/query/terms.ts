import type { SplitIdentifier } from "../analysis/phrase.ts";
import type { PostingList, Segment } from "../segment/segment.ts";
import type { CostBudget } from "./cost-budget.ts";
import type { SegmentView } from "./view.ts";

/** Sorts after every continuation of a prefix. */
const LAST = "\uffff";
/** Prefixes of terms that are not from texts, in term order. */
const NAMESPACES = ["file:", "id:", "model:", "tool:"];
/** Short prefixes match many identifiers, whose parts are found anyway. */
const MAX_IDENTIFIERS = 2_000;
/** Cost of looking up a term and opening its postings, in decoded documents. */
export const STEPS_OF_TERM = 200;

/** Takes as many terms as the budget allows. */
export function takeTerms(terms: Iterable<PostingList>, budget: CostBudget): PostingList[] {
  const taken: PostingList[] = [];
  for (const postings of terms) {
    if (!budget.spend(STEPS_OF_TERM)) break;
    taken.push(postings);
  }
  return taken;
}

/** The posting list of a term; empty if the segment lacks it. */
export function exactTerm(segment: Segment, term: string): PostingList[] {
  const postings = segment.find(term);
  return postings === null ? [] : [postings];
}

/** Lists the text terms that start with `prefix`. */
export function* termsFrom(segment: Segment, prefix: string): Generator<PostingList> {
  for (const [from, below] of textRanges(prefix)) yield* segment.range(from, below);
}

/** Lists the text terms that contain `text`. */
export function* termsContaining(segment: Segment, text: string): Generator<PostingList> {
  for (const [from, below] of textRanges("")) yield* segment.containing(text, from, below);
}

/** Lists the values of a field whose term contains `text`. */
export function valuesContaining(segment: Segment, field: string, text: string): Iterable<PostingList> {
  return segment.containing(text, `${field}:`, `${field};`);
}

/** How the terms of identifiers that start with `text` begin. */
export function identifiersOf(text: string): string {
  return `id:${text}`;
}

/** Lists the identifier terms that start with `text`; those of exactly `word` start with `word` and a space. */
export function identifiersFrom(segment: Segment, text: string): Iterable<PostingList> {
  return segment.range(identifiersOf(text), `${identifiersOf(text)}${LAST}`);
}

/** Lists the identifier terms that contain `text`, see `partsUnder`. */
export function identifiersContaining(segment: Segment, text: string): Iterable<PostingList> {
  return segment.containing(text, "id:", "id;");
}

function* textRanges(prefix: string): Generator<[from: string, below: string]> {
  let from = prefix;
  for (const namespace of NAMESPACES) {
    if (!namespace.startsWith(prefix)) continue;
    yield [from, namespace];
    // `;` comes right after `:`.
    from = `${namespace.slice(0, -1)};`;
  }
  yield [from, prefix + LAST];
}

/** Finds the parts of identifiers in these segments. A search calls it twice per word: to match, and to highlight. */
export function identifierSplitter(views: readonly Pick<SegmentView, "segment" | "splits">[]): SplitIdentifier {
  const known = new Map<string, string[][]>();
  return (word, prefix) => {
    const asked = prefix ? `${word}*` : word;
    const before = known.get(asked);
    if (before !== undefined) return before;
    const found = new Map<string, string[]>();
    for (const { segment, splits } of views) {
      // Prefixes have too many results to cache.
      const inSegment = prefix
        ? splitsFrom(segment, word, word.length)
        : (splits.get(word) ?? splitsFrom(segment, `${word} `, word.length));
      if (!prefix) splits.set(word, inSegment);
      for (const parts of inSegment) found.set(parts.join(" "), parts);
    }
    const split = [...found.values()];
    known.set(asked, split);
    return split;
  };
}

/** Parts of the identifiers with this prefix, within the first `length` letters. */
function splitsFrom(segment: Segment, start: string, length: number): string[][] {
  const splits: string[][] = [];
  for (const { term } of identifiersFrom(segment, start)) {
    if (splits.length === MAX_IDENTIFIERS) break;
    splits.push(cutParts(term.slice(term.indexOf(" ") + 1).split(" "), length));
  }
  return splits;
}

/** Restricts the parts to the typed prefix. */
function cutParts(parts: string[], length: number): string[] {
  const cut: string[] = [];
  let left = length;
  for (const part of parts) {
    if (left <= 0) break;
    cut.push(part.slice(0, left));
    left -= part.length;
  }
  return cut;
}
