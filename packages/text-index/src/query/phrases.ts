import type { Phrase } from "../analysis/phrase.ts";
import type { Segment } from "../segment/segment.ts";
import type { Bitset } from "./bitset.ts";
import type { CostBudget } from "./cost-budget.ts";
import { documentCountOf, matchPhrase, type OnMatch, type Slot } from "./phrase-matcher.ts";
import { exactTerm, takeTerms, termsFrom } from "./terms.ts";

/**
 * Finds the documents of `mask` with any of several phrases; reports a document for each.
 *
 * @returns an upper bound of the matching documents of the segment.
 */
export function matchPhrases(
  segment: Segment,
  phrases: readonly Phrase[],
  mask: Bitset,
  budget: CostBudget,
  onMatch: OnMatch,
): number {
  const ways = phrases.map((phrase) => slotsOf(segment, phrase, budget)).filter((slots) => slots !== null);
  for (const slots of ways) matchPhrase(slots, mask, budget, onMatch);
  return mostOf(ways);
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
