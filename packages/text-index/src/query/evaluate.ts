import { containsFolded, type SubstringPiece, substringPieces, type TextPieces } from "../analysis/substring.ts";
import type { Segment } from "../segment/segment.ts";
import {
  add,
  type Bitset,
  countOf,
  documentsOf,
  emptyBitset,
  has,
  intersect,
  isEmpty,
  subtract,
  unite,
} from "./bitset.ts";
import type { CostBudget } from "./cost-budget.ts";
import { expectPhrases, expectPositions } from "./expected.ts";
import { type FieldQuery, valuesOf } from "./field-values.ts";
import { costOf, type IndexQuery, type PhrasesNode, type SubstringNode } from "./index-query.ts";
import { HIGHEST_FREQUENCY, MatchFrequencies } from "./match-frequencies.ts";
import { matchPhrase, type OnMatch, type PhraseComparison, type Slot } from "./phrase-matcher.ts";
import { beginPhrases, mostOf } from "./phrases.ts";
import { isTelling, narrowingPieces, SubstringWays } from "./substrings.ts";
import type { SegmentView } from "./view.ts";

/**
 * Returns those documents whose text passes. If reading all would take too long, the others are omitted or counted as
 * matches.
 */
export type Verify = (
  candidates: readonly Bitset[],
  passes: (text: TextPieces) => boolean,
  others: "out" | "in",
) => Bitset[];

/**
 * With this many documents that contain a substring within a word, those that may contain it across the parts of an
 * identifier are omitted: too many to verify.
 */
const MAX_CERTAIN = 10_000;

/** Maximum identifier parts per segment that a substring search inspects. */
const MAX_RUNS = 64;

/** Verifying this many texts takes less time than searching the dictionaries for the ends of a pattern. */
const FEW_TEXTS = 60;
/** Above this number, pieces that start or end very many words are not compared. */
const MANY_TEXTS = 20_000;
/** Cost limit of narrowing, see `CostBudget`. */
const NARROWING_STEPS = 8_000_000;

/** Direction of the approximation: results may be incomplete, exclusions may be too large. */
interface Purpose {
  budget: CostBudget;
  isExclusion: boolean;
}

/** For the segments evaluated for a leaf: their documents, and how many of them may match. */
interface LeafCount {
  documents: number;
  counted: number;
}

const NOTHING_COUNTED: LeafCount = { documents: 0, counted: 0 };

/** Evaluates a query to one set of documents per segment. */
export class Evaluator {
  readonly #views: readonly SegmentView[];
  readonly #finding: Purpose;
  readonly #excluding: Purpose;
  readonly #verify: Verify;
  /** By leaf, for segments with matches. */
  readonly #frequencies = new Map<number, (MatchFrequencies | null)[]>();
  readonly #counts = new Map<number, LeafCount>();

  /** @param forExclusion a separate budget, so that exclusions hold regardless of the cost of the search. */
  constructor(views: readonly SegmentView[], budget: CostBudget, forExclusion: CostBudget, verify: Verify) {
    this.#views = views;
    this.#finding = { budget, isExclusion: false };
    this.#excluding = { budget: forExclusion, isExclusion: true };
    this.#verify = verify;
  }

  /**
   * Frequencies of a leaf in the documents of each segment; `null` if none matches. Documents that had failed another
   * condition were not evaluated.
   */
  frequencies(leaf: number): readonly (MatchFrequencies | null)[] {
    return this.#frequenciesOf(leaf);
  }

  /** Upper bound of the documents that match a leaf, extrapolated from the evaluated segments. */
  documentCount(leaf: number): number {
    const { documents, counted } = this.#counts.get(leaf) ?? NOTHING_COUNTED;
    const all = this.#views.reduce((sum, view) => sum + view.documents.count, 0);
    return documents === 0 ? 0 : (counted / documents) * all;
  }

  get #segments(): Segment[] {
    return this.#views.map(({ segment }) => segment);
  }

  /** Returns the documents of `masks` that match. */
  evaluate(node: IndexQuery, masks: readonly Bitset[]): Bitset[] {
    expectPhrases(this.#segments, node);
    return this.#evaluate(node, masks, this.#finding);
  }

  #evaluate(node: IndexQuery, masks: readonly Bitset[], purpose: Purpose): Bitset[] {
    switch (node.type) {
      case "and":
        return this.#and(node.nodes, masks, purpose);
      case "or":
        return this.#or(node.nodes, masks, purpose);
      case "not":
        return this.#not(node.node, masks, purpose);
      case "keys":
        return this.#each(masks, (bits, _, view) =>
          intersect(
            bits,
            view.withKeys((key) => node.keys.has(key)),
          ),
        );
      case "codes":
        return this.#filter(masks, ({ documents: { codes } }, document) => node.codes[codes[document] ?? 0] === true);
      case "time":
        // Documents without a time are excluded, because comparisons with NaN are false.
        return this.#filter(masks, ({ documents: { timestamps } }, document) => {
          const time = timestamps[document] ?? Number.NaN;
          return time >= node.from && time < node.before;
        });
      case "values":
        return this.#search(masks, ({ segment }, mask, bits) =>
          valuesIn(segment, node.query, mask, bits, purpose.budget),
        );
      case "phrases":
        return this.#phrases(node, masks, purpose);
      case "substring":
        return this.#substring(node, masks, purpose);
    }
  }

  #and(nodes: readonly IndexQuery[], masks: readonly Bitset[], purpose: Purpose): Bitset[] {
    let found = [...masks];
    for (const node of [...nodes].sort((a, b) => costOf(a) - costOf(b))) found = this.#evaluate(node, found, purpose);
    return found;
  }

  #or(nodes: readonly IndexQuery[], masks: readonly Bitset[], purpose: Purpose): Bitset[] {
    const found = masks.map((mask) => new Uint32Array(mask.length));
    for (const node of nodes) {
      const matches = this.#evaluate(node, masks, purpose);
      for (const [place, bits] of found.entries()) unite(bits, matches[place] ?? bits);
    }
    return found;
  }

  #not(node: IndexQuery, masks: readonly Bitset[], { isExclusion }: Purpose): Bitset[] {
    const purpose = isExclusion ? this.#finding : this.#excluding;
    const excluded = this.#evaluate(node, masks, purpose);
    // Unknown documents may match too.
    if (purpose.isExclusion && purpose.budget.isSpent) return masks.map((mask) => new Uint32Array(mask.length));
    return this.#each(masks, (bits, place) => subtract(bits, excluded[place] ?? bits));
  }

  #phrases({ phrases, leaf }: PhrasesNode, masks: readonly Bitset[], { budget }: Purpose): Bitset[] {
    const left: PhraseComparison[] = [];
    const found = this.#search(masks, (view, mask, bits, place) => {
      const onMatch = this.#collector(bits, leaf, place);
      const { comparisons, most } = beginPhrases(view.segment, phrases, mask, budget, onMatch);
      this.#count(leaf, view, most);
      left.push(...comparisons);
    });
    expectPositions(
      this.#segments,
      left.flatMap(({ first }) => first),
    );
    for (const comparison of left) comparison.run();
    return found;
  }

  #substring({ text, leaf }: SubstringNode, masks: readonly Bitset[], purpose: Purpose): Bitset[] {
    const { budget, isExclusion } = purpose;
    const { pieces, isExact } = substringPieces(text);
    const [first = [], ...stages] = isExact ? [pieces] : narrowingPieces(pieces);
    if (first.length === 0) return this.#verified(text, this.#narrowed(masks, stages, budget), isExclusion);
    const possible = masks.map((mask) => new Uint32Array(mask.length));
    const ways = this.#views.map(({ segment }) => new SubstringWays(segment, first, budget));
    const match = (place: number, slots: readonly Slot[][], among: Bitset, into: Bitset): void => {
      const onMatch = this.#collector(into, leaf, place);
      for (const way of slots) matchPhrase(way, among, budget, onMatch);
    };
    const certain = this.#search(masks, (view, mask, bits, place) => {
      const inTerms = ways[place]?.inTerms() ?? [];
      match(place, inTerms, mask, isExact ? bits : (possible[place] ?? bits));
      this.#count(leaf, view, mostOf(inTerms));
    });
    if (isExclusion || sizeOf(certain) <= MAX_CERTAIN) {
      const most = isExclusion ? Number.POSITIVE_INFINITY : MAX_RUNS;
      for (const [place, bits] of certain.entries()) {
        const others = Uint32Array.from(masks[place] ?? bits);
        subtract(others, bits);
        if (!isEmpty(others)) match(place, ways[place]?.acrossParts(most) ?? [], others, possible[place] ?? bits);
      }
    } else if (ways.some((each) => each.mayCrossParts())) budget.leaveOut();
    if (possible.every(isEmpty)) return certain;
    const verified = this.#verified(text, this.#narrowed(possible, stages, budget), isExclusion);
    for (const [place, bits] of certain.entries()) unite(bits, verified[place] ?? bits);
    return certain;
  }

  #verified(text: string, candidates: readonly Bitset[], isExclusion: boolean): Bitset[] {
    return this.#verify(candidates, (candidate) => containsFolded(candidate, text), isExclusion ? "in" : "out");
  }

  #narrowed(
    possible: readonly Bitset[],
    stages: readonly (readonly SubstringPiece[])[],
    budget: CostBudget,
  ): readonly Bitset[] {
    let candidates = possible;
    for (const stage of stages) candidates = this.#narrow(candidates, stage, budget);
    return candidates;
  }

  /** Restricts many candidates to those with these pieces; returns all if that would take too long. */
  #narrow(candidates: readonly Bitset[], pieces: readonly SubstringPiece[], searching: CostBudget): readonly Bitset[] {
    const count = sizeOf(candidates);
    const isOptional = !pieces.every(isTelling);
    if (count <= FEW_TEXTS || (isOptional && count > MANY_TEXTS)) return candidates;
    const budget = isOptional ? searching.of(NARROWING_STEPS) : searching;
    const narrowed = this.#search(candidates, ({ segment }, mask, bits) => {
      const ways = new SubstringWays(segment, pieces, budget);
      for (const slots of [...ways.inTerms(), ...ways.acrossParts(Number.POSITIVE_INFINITY)]) {
        matchPhrase(slots, mask, budget, (document) => add(bits, document));
      }
    });
    return isOptional && !budget.isComplete ? candidates : narrowed;
  }

  /** @param most upper bound of the documents that match the leaf. */
  #count(leaf: number | null, view: SegmentView, most: number): void {
    if (leaf === null) return;
    const { documents, counted } = this.#counts.get(leaf) ?? NOTHING_COUNTED;
    const { count } = view.documents;
    this.#counts.set(leaf, { documents: documents + count, counted: counted + Math.min(most, count) });
  }

  #collector(bits: Bitset, leaf: number | null, place: number): OnMatch {
    if (leaf === null) return (document) => add(bits, document);
    const ofLeaf = this.#frequenciesOf(leaf);
    let frequencies: MatchFrequencies | null = null;
    let all: Uint8Array | null = null;
    return (document, frequency) => {
      add(bits, document);
      if (all !== null) {
        all[document] = Math.min(HIGHEST_FREQUENCY, (all[document] as number) + frequency);
        return;
      }
      frequencies ??= ofLeaf[place] ??= new MatchFrequencies(this.#views[place]?.documents.count ?? 0);
      frequencies.add(document, frequency);
      all = frequencies.all;
    };
  }

  #frequenciesOf(leaf: number): (MatchFrequencies | null)[] {
    let frequencies = this.#frequencies.get(leaf);
    if (frequencies === undefined) {
      frequencies = this.#views.map(() => null);
      this.#frequencies.set(leaf, frequencies);
    }
    return frequencies;
  }

  /** Applies a change to a copy of each non-empty set. */
  #each(masks: readonly Bitset[], change: (bits: Bitset, place: number, view: SegmentView) => void): Bitset[] {
    return this.#views.map((view, place) => {
      const bits = Uint32Array.from(masks[place] ?? []);
      if (!isEmpty(bits)) change(bits, place, view);
      return bits;
    });
  }

  /** Fills a new set for each non-empty one. */
  #search(
    masks: readonly Bitset[],
    fill: (view: SegmentView, mask: Bitset, bits: Bitset, place: number) => void,
  ): Bitset[] {
    return this.#views.map((view, place) => {
      const bits = emptyBitset(view.documents.count);
      const mask = masks[place] ?? bits;
      if (!isEmpty(mask)) fill(view, mask, bits, place);
      return bits;
    });
  }

  #filter(masks: readonly Bitset[], isWanted: (view: SegmentView, document: number) => boolean): Bitset[] {
    return this.#search(masks, (view, mask, bits) => {
      for (const document of documentsOf(mask)) if (isWanted(view, document)) add(bits, document);
    });
  }
}

function sizeOf(bits: readonly Bitset[]): number {
  return bits.reduce((sum, some) => sum + countOf(some), 0);
}

function valuesIn(segment: Segment, query: FieldQuery, mask: Bitset, bits: Bitset, budget: CostBudget): void {
  for (const postings of valuesOf(segment, query, budget)) {
    if (!budget.spend(postings.documentCount)) break;
    for (const document of postings.list().documents) if (has(mask, document)) add(bits, document);
  }
}
