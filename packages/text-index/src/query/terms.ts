import type { SplitIdentifier } from "../analysis/phrase.ts";
import type { PostingList, Segment } from "../segment/segment.ts";
import type { CostBudget } from "./cost-budget.ts";
import type { SegmentView } from "./view.ts";

/** Beyond every term that begins with what stands before it. */
const LAST = "\uffff";
/** What terms that are none of texts begin with, in the order of the terms. */
const NAMESPACES = ["file:", "id:", "model:", "tool:"];
/** A prefix of one or two letters begins many identifiers; its parts are found without them. */
const MAX_IDENTIFIERS = 2_000;
/** To look a term up and to begin with its postings costs as much as to decode so many documents. */
export const STEPS_OF_TERM = 200;

/** Takes as many terms as may be looked at. */
export function takeTerms(terms: Iterable<PostingList>, budget: CostBudget): PostingList[] {
  const taken: PostingList[] = [];
  for (const postings of terms) {
    if (!budget.spend(STEPS_OF_TERM)) break;
    taken.push(postings);
  }
  return taken;
}

/** Gives a term as a list: empty where the segment lacks it. */
export function exactTerm(segment: Segment, term: string): PostingList[] {
  const postings = segment.find(term);
  return postings === null ? [] : [postings];
}

/** Lists the terms of texts that begin with `prefix`. */
export function* termsFrom(segment: Segment, prefix: string): Generator<PostingList> {
  for (const [from, below] of textRanges(prefix)) yield* segment.range(from, below);
}

/** Lists the terms of texts that have `text` in them. */
export function* termsContaining(segment: Segment, text: string): Generator<PostingList> {
  for (const [from, below] of textRanges("")) yield* segment.containing(text, from, below);
}

/** Lists the values of a field that have `text` in them, or in the name of the field. */
export function valuesContaining(segment: Segment, field: string, text: string): Iterable<PostingList> {
  return segment.containing(text, `${field}:`, `${field};`);
}

/** Lists the terms of identifiers that begin with `text`; those that are all of `word` begin with `word` and a space. */
export function identifiersFrom(segment: Segment, text: string): Iterable<PostingList> {
  return segment.range(`id:${text}`, `id:${text}${LAST}`);
}

/** Lists the terms of identifiers that have `text` in them, see `partsUnder`. */
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

/** Tells how identifiers come apart in these segments. A search asks twice for each word: to find, and to show it. */
export function identifierSplitter(views: readonly Pick<SegmentView, "segment" | "splits">[]): SplitIdentifier {
  const known = new Map<string, string[][]>();
  return (word, prefix) => {
    const asked = prefix ? `${word}*` : word;
    const before = known.get(asked);
    if (before !== undefined) return before;
    const found = new Map<string, string[]>();
    for (const { segment, splits } of views) {
      // What only begins like this are too many to be remembered.
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

/** The parts of the identifiers that begin like this, as far as they are among the first `length` letters. */
function splitsFrom(segment: Segment, start: string, length: number): string[][] {
  const splits: string[][] = [];
  for (const { term } of identifiersFrom(segment, start)) {
    if (splits.length === MAX_IDENTIFIERS) break;
    splits.push(cutParts(term.slice(term.indexOf(" ") + 1).split(" "), length));
  }
  return splits;
}

/** Only the part of an identifier that was typed is of interest. */
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
