/**
 * UTF-16 units highlighted per page, in windows of 4 Ki: 3 s of work, a minute in the worst case. Shorter texts count
 * less, by the square of their length, as in the worst case.
 */
const HIGHLIGHTING = 4 * 1024 * 1024;

/** Steps of diff computations per page: 20 s of work, or ten thousand edits of 200 lines. */
const DIFF_STEPS = 400_000_000;

/** Remaining computing budget of a page; one object per page. */
export interface PageBudget {
  highlighting: number;
  diffSteps: number;
}

export function pageBudget(): PageBudget {
  return { highlighting: HIGHLIGHTING, diffSteps: DIFF_STEPS };
}
