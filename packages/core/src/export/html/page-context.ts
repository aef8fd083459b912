import type { Subagents } from "../subagents.ts";
import type { Labels } from "./bookmark.ts";
import type { PageBudget } from "./budget.ts";

/** Shared by the entries of one page. */
export interface PageContext {
  labels: Labels;
  budget: PageBudget;
  /** Those in the page. */
  subagents: Subagents["numbers"];
}
