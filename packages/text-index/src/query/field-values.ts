import type { PostingList, Segment } from "../segment/segment.ts";
import type { CostBudget } from "./cost-budget.ts";
import { STEPS_OF_TERM, valuesContaining } from "./terms.ts";

/** Finds documents by the values of one of their fields. */
export interface FieldQuery {
  field: string;
  /** Every matching value contains it. */
  literal: string;
  /** @param value in lower case, see `fieldTerm`. */
  matches(value: string): boolean;
}

/** Lists the values of a segment that match. */
export function* valuesOf(segment: Segment, query: FieldQuery, budget: CostBudget): Generator<PostingList> {
  for (const postings of valuesContaining(segment, query.field, query.literal)) {
    if (!budget.spend(STEPS_OF_TERM + postings.term.length)) return;
    if (query.matches(postings.term.slice(query.field.length + 1))) yield postings;
  }
}
