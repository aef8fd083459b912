/** Of the 50 ms after which a browser calls a task long, what the work itself may take. */
const MOST_MS = 8;

/** Not in all browsers yet. */
interface WithScheduler {
  scheduler?: { yield?(): Promise<void> };
}

/**
 * Makes a function to be awaited between the pieces of long work: where these have taken long enough, the browser paints
 * and answers before it goes on.
 */
export function shortTasks(): () => Promise<void> {
  let begun = performance.now();
  return async () => {
    if (performance.now() - begun < MOST_MS) return;
    await ((globalThis as WithScheduler).scheduler?.yield?.() ?? new Promise((resolve) => setTimeout(resolve)));
    begun = performance.now();
  };
}
