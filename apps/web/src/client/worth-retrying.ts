import { CommandError, ConnectionError } from "@sm/router/client";

/** Tells whether a query that failed is asked again: at most twice, and only for what may pass. */
export function isWorthRetrying(failures: number, error: Error): boolean {
  if (failures >= 2) return false;
  if (error instanceof CommandError) return error.code === "UNAVAILABLE";
  return error instanceof ConnectionError && error.code === "NO_ANSWER";
}
