import { setTimeout as delay } from "node:timers/promises";
import { AppError } from "../../errors.ts";
import { errorCode, fileError } from "./file-errors.ts";

/**
 * After this time a lock counts as left behind by a process that was killed: one that lives renews it. The agent holds
 * its own for some milliseconds.
 */
const STALE_MS = 4_000;
/** Longer than that: whoever comes after a crash waits, and does not fail. */
const WAIT_MS = 5_000;
const INTERVAL_MS = 50;

/**
 * Holds the lock of a file, which need not exist, while `action` runs: no other process that asks for it, the agent
 * among them, writes the file meanwhile. The lock is the directory `<path>.lock`, as `proper-lockfile` makes it.
 *
 * Rejects with AppError `CONFLICT` where somebody else keeps the lock, `READ_ONLY` where none can be made, and with
 * what `action` rejects with.
 */
export async function withFileLock<T>(path: string, action: () => Promise<T>): Promise<T> {
  const release = await lockWithin(path, WAIT_MS);
  try {
    return await action();
  } finally {
    // Whoever took a lock that was ours for too long has it now.
    await release().catch(() => undefined);
  }
}

async function lockWithin(path: string, milliseconds: number): Promise<() => Promise<void>> {
  // Loaded when needed: nothing is locked at start, nor in most runs.
  const { default: lockfile } = await import("proper-lockfile");
  const end = performance.now() + milliseconds;
  for (;;) {
    try {
      return await lockfile.lock(path, { realpath: false, stale: STALE_MS, onCompromised: () => {} });
    } catch (error) {
      if (errorCode(error) !== "ELOCKED") throw fileError(error, "write", path) ?? error;
      if (performance.now() < end) await delay(INTERVAL_MS);
      else throw new AppError("CONFLICT", `${path} is being written by another program; try again.`, { cause: error });
    }
  }
}
