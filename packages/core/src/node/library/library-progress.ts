import { AppError } from "../../errors.ts";
import type { LibraryStatus } from "../../library.ts";

const INTERVAL_MS = 100;

export interface LibraryProgressOptions {
  status(): LibraryStatus;
  /** Whether the directories were scanned since the library was opened. */
  isCompared(): boolean;
  /** Why indexing stopped; `null` while it continues. */
  failure(): string | null;
  /** Called with the new status, at most a few times per second. */
  onProgress: ((status: LibraryStatus) => void) | undefined;
}

/** Reports the progress of a library. */
export class LibraryProgress {
  readonly #options: LibraryProgressOptions;
  #waiting: { resolve(): void; reject(error: AppError): void }[] = [];
  #timer: NodeJS.Timeout | null = null;
  #isClosed = false;

  constructor(options: LibraryProgressOptions) {
    this.#options = options;
  }

  /**
   * Resolves when all sessions are listed and searchable.
   *
   * @throws AppError UNAVAILABLE if that is impossible: the library is closed, or its index cannot be written.
   */
  ready(): Promise<void> {
    return new Promise((resolve, reject) => {
      this.#waiting.push({ resolve, reject });
      this.#tellReady();
    });
  }

  /** Must be called when the status may have changed. */
  changed(): void {
    this.#tellReady();
    this.#tellProgress();
  }

  close(): void {
    this.#isClosed = true;
    this.#tellReady();
    if (this.#timer !== null) clearTimeout(this.#timer);
  }

  #tellReady(): void {
    if (this.#waiting.length === 0) return;
    const { isCompared, failure, status } = this.#options;
    const isReady = isCompared() && !this.#isClosed && status().pending === 0;
    const reason = this.#isClosed ? "The library was closed." : failure();
    if (!isReady && reason === null) return;
    const waiting = this.#waiting;
    this.#waiting = [];
    for (const { resolve, reject } of waiting) {
      if (isReady) resolve();
      else reject(new AppError("UNAVAILABLE", reason ?? ""));
    }
  }

  /** Throttled: a status requires a count of all sessions, and changes every few milliseconds during indexing. */
  #tellProgress(): void {
    const { onProgress, status } = this.#options;
    if (onProgress === undefined || this.#timer !== null || this.#isClosed) return;
    this.#timer = setTimeout(() => {
      this.#timer = null;
      onProgress(status());
    }, INTERVAL_MS);
    this.#timer.unref();
  }
}
