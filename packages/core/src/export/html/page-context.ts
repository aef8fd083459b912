import type { Labels } from "./bookmark.ts";
import type { PageBudget } from "./budget.ts";

/** What the entries of one page share. */
export interface PageContext {
  labels: Labels;
  budget: PageBudget;
}
