const FIRST_MS = 250;
const LONGEST_MS = 30_000;

/**
 * Names the milliseconds to wait before connecting again: doubled with every attempt that failed, and between half and
 * all of that, so that the clients of a service that restarts do not come back all at once.
 */
export function retryDelay(failedAttempts: number): number {
  return Math.min(LONGEST_MS, FIRST_MS * 2 ** failedAttempts) * (0.5 + Math.random() / 2);
}
