import { LRUCache } from "lru-cache";
import type { ChangeCounts, ChangeSums } from "../../changes.ts";
import { AppError } from "../../errors.ts";
import type { Requester } from "../../requester.ts";
import { errorCode } from "../files/file-errors.ts";
import { type FileStamp, sameStamp } from "../session-file/file-stamp.ts";

export interface ChangeSumsReaderOptions {
  /** The path in the index. Rejects like all commands with a path. */
  path(given: string): Promise<string>;
  /** State of a file as it was indexed; `null` where it is not known. */
  stamp(path: string): Promise<FileStamp | null>;
  /** Reads a session. */
  count(path: string, requester: Requester | undefined): Promise<ChangeCounts>;
}

/** As many as a list is scrolled through in a day; about 500 bytes each. */
const MOST_KEPT = 5_000;

/** Sums of changes of sessions, each of which is read once for each of its states. */
export class ChangeSumsReader {
  readonly #options: ChangeSumsReaderOptions;
  readonly #kept = new LRUCache<string, { stamp: FileStamp; counts: ChangeCounts }>({ max: MOST_KEPT });

  constructor(options: ChangeSumsReaderOptions) {
    this.#options = options;
  }

  /**
   * Leaves out what is unknown or cannot be read. One session at a time: other work has its turn in between.
   *
   * Rejects with AppError `UNAVAILABLE` while sessions cannot be read.
   */
  async of(paths: readonly string[], requester?: Requester): Promise<ChangeSums[]> {
    const sums: ChangeSums[] = [];
    for (const path of paths) {
      try {
        sums.push({ path, ...(await this.#countsOf(await this.#options.path(path), requester)) });
      } catch (error) {
        requester?.signal?.throwIfAborted();
        if (!isAboutSession(error)) throw error;
      }
    }
    return sums;
  }

  async #countsOf(path: string, requester: Requester | undefined): Promise<ChangeCounts> {
    const { stamp: stampOf, count } = this.#options;
    // The stamp from before: what is appended while the session is read makes another one.
    const stamp = await stampOf(path);
    const kept = this.#kept.get(path);
    if (kept !== undefined && stamp !== null && sameStamp(kept.stamp, stamp)) return kept.counts;
    const counts = await count(path, requester);
    if (stamp !== null) this.#kept.set(path, { stamp, counts });
    return counts;
  }
}

/**
 * Whether an error is the session's own. Who is busy or stopping has not looked at it: left out, it would count as
 * unknown.
 */
function isAboutSession(error: unknown): boolean {
  if (!(error instanceof AppError)) return false;
  return error.code !== "UNAVAILABLE" || errorCode(error.cause) === "ERR_WORKER_OUT_OF_MEMORY";
}
