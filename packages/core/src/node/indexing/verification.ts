import { IndexError } from "@sm/text-index/storage";
import type { LibraryLog } from "../../library-log.ts";
import type { IndexPlace } from "../storage/index-place.ts";
import { cacheShare } from "../threads/cache-budget.ts";
import { Thread } from "../threads/thread.ts";
import type { IndexingTasks } from "./indexing-tasks.ts";

/**
 * Until then a start has answered, even a scan of many sessions, and most commands have ended: reading the whole index
 * takes a processor for seconds.
 */
const DELAY_MS = 5_000;
const EVERY_MS = 24 * 60 * 60_000;
/** The thread ends when it has nothing to do for so long: at once. */
const IDLE_MS = 100;

export interface VerificationOptions {
  place: IndexPlace;
  log: LibraryLog;
  onIndexError: (error: IndexError) => void;
}

/** Looks for damage in an index, in a thread of its own: soon after it was opened, and every day. */
export class Verification {
  readonly #options: VerificationOptions;
  readonly #thread: Thread<IndexingTasks>;
  #timer: NodeJS.Timeout;
  #isStopped = false;

  constructor(options: VerificationOptions) {
    this.#options = options;
    const { place } = options;
    const caches = cacheShare("verification", place.shards);
    this.#thread = new Thread<IndexingTasks>({ index: place, caches }, { idleMs: IDLE_MS });
    this.#timer = this.#in(DELAY_MS);
  }

  /** Waits for a look that is under way. */
  stop(): Promise<void> {
    this.#isStopped = true;
    clearTimeout(this.#timer);
    return this.#thread.stop();
  }

  #in(milliseconds: number): NodeJS.Timeout {
    return setTimeout(() => void this.#verify(), milliseconds).unref();
  }

  async #verify(): Promise<void> {
    this.#timer = this.#in(EVERY_MS);
    try {
      await this.#thread.run("verify", null);
    } catch (error) {
      if (this.#isStopped) return;
      if (error instanceof IndexError) this.#options.onIndexError(error);
      else this.#options.log.error({ err: error }, "Could not verify the index");
    }
  }
}
