import { setTimeout as delay } from "node:timers/promises";
import type { LibraryLog } from "@sm/core/state";

/** Does some of a work; resolves with whether there may be more. Rejects where it cannot be done now. */
export type KeepingStep = (signal: AbortSignal) => Promise<boolean>;

const HOUR_MS = 3_600_000;

/** Does each work of a hub that nobody waits for once an hour, step by step, beside other servers that do so. */
export class KeepingJob {
  readonly #closing = new AbortController();
  readonly #running: Promise<void>;

  /** @param everyMs default: an hour. */
  constructor(steps: readonly KeepingStep[], { log, everyMs = HOUR_MS }: { log: LibraryLog; everyMs?: number }) {
    this.#running = this.#run(steps, log, everyMs);
  }

  /** Ends after the step that is under way. */
  async close(): Promise<void> {
    this.#closing.abort();
    await this.#running;
  }

  async #run(steps: readonly KeepingStep[], log: LibraryLog, everyMs: number): Promise<void> {
    const { signal } = this.#closing;
    // Not all servers of a hub at once, nor while one starts.
    let pause = everyMs * (0.01 + 0.1 * Math.random());
    while (!signal.aborted) {
      await delay(pause, undefined, { signal, ref: false }).catch(() => undefined);
      for (const step of steps) {
        try {
          while (!signal.aborted && (await step(signal)));
        } catch (error) {
          if (!signal.aborted) log.warn({ err: error }, "What a hub need not keep could not be removed; trying again");
        }
      }
      pause = everyMs;
    }
  }
}
