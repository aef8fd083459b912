import type { LibraryLog } from "../../library-log.ts";
import { errorCode } from "../files/file-errors.ts";
import { Watcher } from "./watcher.ts";

/** Events may be lost: the kernel's queue is finite, and network file systems tell of no change by another machine. */
const COMPARE_INTERVAL_MS = 5 * 60_000;
/** While something is amiss that a comparison can mend: it also tries again what could not be watched or written. */
const MEND_INTERVAL_MS = 30_000;

export interface WatchingOptions {
  log: LibraryLog;
  /** Compares the directories with what is known, by stat alone; calls {@link Watching.cover} first. */
  compare: () => Promise<void>;
  /** Whether a comparison may find more than events have told. */
  isBehind: () => boolean;
  /** Looks at single files. */
  look: (paths: string[]) => Promise<void>;
  /** Called at every event, when the batch that it belongs to is still to come. */
  onEvent: () => void;
  /** Stands in for `watch` of `node:fs`. */
  watchDirectory?: ConstructorParameters<typeof Watcher>[0]["watchDirectory"];
}

/** Keeps a library up to date on its own: by watching, and by comparing now and then. */
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

  /** Why changes may be noticed late, for people; `null` while everything is watched. */
  get problem(): string | null {
    return this.#watcher.isIncomplete ? this.#problem : null;
  }

  /** Begins to watch, and compares once more, since until now nobody has looked. */
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

  /** Watches these directories; resolves when a comparison that begins then leaves no gap. */
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
