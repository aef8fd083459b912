/**
 * UTF-16 units that are highlighted in one page, by windows of 4 Ki: 3 s of work, or a minute for the worst of texts.
 * Shorter pieces count less, by the square of their length, as they would in the worst of texts.
 */
const HIGHLIGHTING = 4 * 1024 * 1024;

/** Steps that are taken to find what texts have in common: 20 s of work. Ten thousand edits of 200 lines take as many. */
const DIFF_STEPS = 400_000_000;

/** What is left of the work that a page is worth; one object for the whole page. */
export interface PageBudget {
  highlighting: number;
  diffSteps: number;
}

export function pageBudget(): PageBudget {
  return { highlighting: HIGHLIGHTING, diffSteps: DIFF_STEPS };
}
