const FIRST_MS = 250;
const MAX_DELAY_MS = 30_000;

/**
 * Milliseconds until the next connection attempt: doubles with every failed attempt, with random jitter of up to one
 * half, so that clients of a restarted service do not reconnect all at once.
 */
export function retryDelay(failedAttempts: number): number {
  return Math.min(MAX_DELAY_MS, FIRST_MS * 2 ** failedAttempts) * (0.5 + Math.random() / 2);
}
