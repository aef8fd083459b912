import type { Labels } from "./bookmark.ts";
import type { PageBudget } from "./budget.ts";

/** Shared by the entries of one page. */
export interface PageContext {
  labels: Labels;
  budget: PageBudget;
}
