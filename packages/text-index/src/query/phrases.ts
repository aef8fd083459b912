import type { Phrase } from "../analysis/phrase.ts";
import type { Segment } from "../segment/segment.ts";
import type { Bitset } from "./bitset.ts";
import type { CostBudget } from "./cost-budget.ts";
import { beginPhrase, documentCountOf, type OnMatch, type PhraseComparison, type Slot } from "./phrase-matcher.ts";
import { exactTerm, takeTerms, termsFrom } from "./terms.ts";

/**
 * Begins to look for the documents of `mask` with any of several phrases; reports a document for each.
 *
 * @returns what is left to compare, and an upper bound of the matching documents of the segment.
 */
export function beginPhrases(
  segment: Segment,
  phrases: readonly Phrase[],
  mask: Bitset,
  budget: CostBudget,
  onMatch: OnMatch,
): { comparisons: PhraseComparison[]; most: number } {
  const ways = phrases.map((phrase) => slotsOf(segment, phrase, budget)).filter((slots) => slots !== null);
  const comparisons = ways.map((slots) => beginPhrase(slots, mask, budget, onMatch)).filter((one) => one !== null);
  return { comparisons, most: mostOf(ways) };
}

/** Upper bound of the documents with any of several phrases. */
export function mostOf(ways: readonly (readonly Slot[])[]): number {
  return ways.reduce((sum, slots) => sum + Math.min(...slots.map(documentCountOf)), 0);
}

/** `null` if the segment lacks one of the terms. */
function slotsOf(segment: Segment, { terms, prefix }: Phrase, budget: CostBudget): Slot[] | null {
  const slots: Slot[] = [];
  for (const [place, term] of terms.entries()) {
    const isOpen = prefix && place === terms.length - 1;
    const slot = takeTerms(isOpen ? termsFrom(segment, term) : exactTerm(segment, term), budget);
    if (slot.length === 0) return null;
    slots.push(slot);
  }
  return slots;
}
