import type { LibraryLog } from "../../library-log.ts";
import { errorCode } from "../files/file-errors.ts";
import { Watcher } from "./watcher.ts";

/**
 * Events may be lost: the kernel's queue is finite, and network file systems do not report changes by other machines.
 */
const COMPARE_INTERVAL_MS = 5 * 60_000;
/** Shortest interval after a problem that a scan can fix: also retries failed watches and writes. */
const MEND_INTERVAL_MS = 30_000;
/** Comparisons after a problem take at most one part in so many of the time: how long one takes depends on the files. */
const COMPARISON_SHARE = 100;

export interface WatchingOptions {
  log: LibraryLog;
  /** Scans the directories by stat; calls {@link Watching.cover} first. */
  compare: () => Promise<void>;
  /** Whether a scan may find more than events reported. */
  isBehind: () => boolean;
  /** Checks single files. */
  look: (paths: string[]) => Promise<void>;
  /** Called at every event, before its batch is complete. */
  onEvent: () => void;
  /** Replaces `watch` of `node:fs` in tests. */
  watchDirectory?: ConstructorParameters<typeof Watcher>[0]["watchDirectory"];
}

/** Keeps a library up to date: by watching, and by regular scans. */
export class Watching {
  readonly #options: WatchingOptions;
  readonly #watcher: Watcher;
  #problem: string | null = null;
  #timer: NodeJS.Timeout | null = null;
  #lastComparison = 0;
  /** How long the last comparison took, in milliseconds. */
  #lastDuration = 0;
  #isBegun = false;
  #isClosed = false;

  constructor(options: WatchingOptions) {
    this.#options = options;
    const { watchDirectory } = options;
    this.#watcher = new Watcher({
      onEvent: options.onEvent,
      onBatch: ({ paths, directoriesChanged }) => {
        if (directoriesChanged) void this.#compare();
        else options.look([...paths]).catch((error: unknown) => this.#failed(error));
      },
      onError: (error) => this.#noteProblem(error),
      ...(watchDirectory === undefined ? {} : { watchDirectory }),
    });
  }

  get events(): number {
    return this.#watcher.events;
  }

  /** Why changes may be noticed late, for the user; `null` while everything is watched. */
  get problem(): string | null {
    return this.#watcher.isIncomplete ? this.#problem : null;
  }

  /** Starts watching, and scans once more, because changes before were not reported. */
  begin(): void {
    if (this.#isClosed) return;
    this.#isBegun = true;
    void this.#compare();
    this.#timer = setInterval(() => {
      // Timers are not exact: half of their interval decides which of them is meant.
      const elapsed = performance.now() - this.#lastComparison + MEND_INTERVAL_MS / 2;
      const isMending = this.#watcher.isIncomplete || this.#options.isBehind();
      if (elapsed >= (isMending ? this.#mendInterval : COMPARE_INTERVAL_MS)) void this.#compare();
    }, MEND_INTERVAL_MS);
    this.#timer.unref();
  }

  /** Watches these directories; resolves when a subsequent scan leaves no gap. */
  async cover(directories: string[], missing: string[]): Promise<void> {
    if (!this.#isBegun || this.#isClosed) return;
    this.#lastComparison = performance.now();
    await this.#watcher.watch(directories, missing);
  }

  close(): void {
    this.#isClosed = true;
    if (this.#timer !== null) clearInterval(this.#timer);
    this.#watcher.close();
  }

  async #compare(): Promise<void> {
    if (this.#isClosed) return;
    const start = performance.now();
    await this.#options.compare().catch((error: unknown) => this.#failed(error));
    this.#lastDuration = performance.now() - start;
  }

  get #mendInterval(): number {
    return Math.min(COMPARE_INTERVAL_MS, Math.max(MEND_INTERVAL_MS, COMPARISON_SHARE * this.#lastDuration));
  }

  #failed(error: unknown): void {
    if (!this.#isClosed) this.#options.log.error({ err: error }, "Could not read changes");
  }

  #noteProblem(error: unknown): void {
    this.#problem = `Not every directory is watched, so changes may be noticed ${MEND_INTERVAL_MS / 1000} seconds to ${
      COMPARE_INTERVAL_MS / 60_000
    } minutes late: ${reasonOf(error)}`;
    this.#options.log.warn({ err: error }, this.#problem);
    void this.#compare();
  }
}

function reasonOf(error: unknown): string {
  switch (errorCode(error)) {
    case "ENOSPC":
      return "the system allows no more watches; raise it with sysctl fs.inotify.max_user_watches=524288.";
    case "EMFILE":
      return "the system allows no more watchers or open files; raise them with sysctl fs.inotify.max_user_instances=512, or ulimit -n.";
    default:
      return error instanceof Error ? error.message : String(error);
  }
}
