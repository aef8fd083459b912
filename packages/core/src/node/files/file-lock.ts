import { setTimeout as delay } from "node:timers/promises";
import { AppError } from "../../errors.ts";
import { errorCode, fileError } from "./file-errors.ts";

/**
 * A lock older than this was left by a killed process: a running one renews it. The agent holds its own for some
 * milliseconds.
 */
const STALE_MS = 4_000;
/** Longer than that, so that the next process after a crash waits and does not fail. */
const WAIT_MS = 5_000;
const INTERVAL_MS = 50;

/**
 * Holds the lock of a file, which need not exist, while `action` runs: no other cooperating process, including the
 * agent, writes the file. The lock is the directory `<path>.lock`, as in `proper-lockfile`.
 *
 * Rejects with AppError `CONFLICT` if another process holds the lock, `READ_ONLY` if it cannot be created, and with the
 * error of `action`.
 */
export async function withFileLock<T>(path: string, action: () => Promise<T>): Promise<T> {
  const release = await lockWithin(path, WAIT_MS);
  try {
    return await action();
  } finally {
    // If the lock expired, another process may have taken it.
    await release().catch(() => undefined);
  }
}

async function lockWithin(path: string, milliseconds: number): Promise<() => Promise<void>> {
  // Loaded on demand: most runs lock nothing.
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
