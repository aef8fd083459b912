import type { LibraryLog } from "../../library-log.ts";
import { errorCode } from "../files/file-errors.ts";
import { Watcher } from "./watcher.ts";

/**
 * Events may be lost: the kernel's queue is finite, and network file systems do not report changes by other machines.
 */
const COMPARE_INTERVAL_MS = 5 * 60_000;
/** Interval after a problem that a scan can fix: also retries failed watches and writes. */
const MEND_INTERVAL_MS = 30_000;

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
      const isDue = performance.now() - this.#lastComparison >= COMPARE_INTERVAL_MS;
      if (isDue || this.#watcher.isIncomplete || this.#options.isBehind()) void this.#compare();
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
    await this.#options.compare().catch((error: unknown) => this.#failed(error));
  }

  #failed(error: unknown): void {
    if (!this.#isClosed) this.#options.log.error({ err: error }, "Could not read changes");
  }

  #noteProblem(error: unknown): void {
    this.#problem = `Not every directory is watched, so changes may be noticed ${
      MEND_INTERVAL_MS / 1000
    } seconds late: ${reasonOf(error)}`;
    this.#options.log.warn({ err: error }, this.#problem);
    void this.#compare();
  }
}

function reasonOf(error: unknown): string {
  switch (errorCode(error)) {
    case "ENOSPC":
      return "the system allows no more watches; raise fs.inotify.max_user_watches.";
    case "EMFILE":
      return "the system allows no more watchers or open files; raise fs.inotify.max_user_instances or ulimit -n.";
    default:
      return error instanceof Error ? error.message : String(error);
  }
}
