import { LRUCache } from "lru-cache";
import type { SessionFold } from "../../session/session-fold.ts";
import type { ReadProgress } from "../session-file/session-file.ts";

/** What an entry of an outline takes, with its place in the table of ids. */
const ENTRY_BYTES = 64;
const CHARACTER_BYTES = 2;

interface RecentFold {
  fold: SessionFold;
  progress: ReadProgress;
}

/**
 * The folds of the sessions that have grown last. Without them each append would decode the whole outline: 160 KB of
 * the catalog for 10,000 entries.
 */
export class RecentFolds {
  /** By content key. */
  readonly #folds: LRUCache<number, RecentFold>;

  /** @param room in bytes: a megabyte is enough for a session of 15,000 entries, or for dozens of ordinary ones. */
  constructor(room: number) {
    this.#folds = new LRUCache({ maxSize: Math.max(1, room) });
  }

  get bytes(): number {
    return this.#folds.calculatedSize;
  }

  /** Hands over the fold of a content, for whoever resumes it; `null` where there is none of just this progress. */
  take(key: number, progress: ReadProgress): SessionFold | null {
    const recent = this.#folds.peek(key);
    if (recent === undefined) return null;
    this.#folds.delete(key);
    // Another thread may have read on, and a transaction may have failed.
    const isPresent = recent.progress.bytes === progress.bytes && recent.progress.fingerprint === progress.fingerprint;
    return isPresent ? recent.fold : null;
  }

  forget(key: number): void {
    this.#folds.delete(key);
  }

  /** @param kept the fold as it was written, how far it goes, and the length of its state as JSON. */
  put(
    key: number,
    { fold, progress, stateLength }: { fold: SessionFold; progress: ReadProgress; stateLength: number },
  ) {
    const bytes = fold.outline.count * ENTRY_BYTES + stateLength * CHARACTER_BYTES;
    // A fold of no entries has a size too.
    this.#folds.set(key, { fold, progress }, { size: Math.max(1, bytes) });
  }
}
