import { IndexError } from "@sm/text-index/storage";
import type { LibraryLog } from "../../library-log.ts";
import type { Thread } from "../threads/thread.ts";
import type { IndexingTasks, MergeNeed } from "./indexing-tasks.ts";
import { TextQueue } from "./text-queue.ts";

/** One task is full of terms, bytes or sessions, whatever comes first: short sessions cost some 0.1 ms each besides. */
const MAX_SESSIONS_PER_TASK = 4096;

export interface TextSchedulerOptions {
  shard: number;
  thread: Thread<IndexingTasks>;
  log: LibraryLog;
  isStopped(): boolean;
  /** Called with the bytes of session files that are searchable now. */
  onIndexed(bytes: number): void;
  /** Called when every entry of these sessions can be searched. */
  onSearchable(paths: string[]): void;
}

/** Schedules what is done in one text database: indexing text, forgetting dropped contents, merging segments. */
export class TextScheduler {
  readonly queue = new TextQueue();
  readonly #options: TextSchedulerOptions;
  #sessionsPerTask = MAX_SESSIONS_PER_TASK;
  #isSweepDue: boolean;
  /** `null` before anybody has looked. */
  #mergeNeed: MergeNeed | null = null;

  constructor(options: TextSchedulerOptions, isSweepDue: boolean) {
    this.#options = options;
    this.#isSweepDue = isSweepDue;
  }

  /** Contents were dropped: their text is to be forgotten. */
  contentsWereDropped(): void {
    this.#isSweepDue = true;
  }

  /** Finds out what a former run has left to merge, unless that is known. @param scout a thread that runs anyhow. */
  async resumeMerging(scout: Thread<IndexingTasks>): Promise<void> {
    if (this.#mergeNeed !== null) return;
    const need = await scout.run("mergeNeed", { shard: this.#options.shard });
    this.#mergeNeed ??= need;
  }

  /**
   * Begins the next task, `null` where nothing is to be done.
   *
   * @param mayMerge `false`: only where text could not be indexed otherwise.
   */
  runNext(mayMerge: boolean): Promise<void> | null {
    if (this.#isSweepDue) return this.#sweep();
    if (this.queue.size > 0 && this.#mergeNeed !== "now") return this.#index();
    const isMergeDue = mayMerge ? this.#mergeNeed === "later" || this.#mergeNeed === "now" : this.queue.size > 0;
    return isMergeDue ? this.#merge() : null;
  }

  async #index(): Promise<void> {
    const { shard, thread, log, isStopped, onIndexed, onSearchable } = this.#options;
    const limit = this.#sessionsPerTask;
    const sessions = this.queue.next(limit);
    let indexed: IndexingTasks["index"]["output"];
    try {
      indexed = await thread.run("index", { shard, sessions: sessions.map(({ key, path }) => ({ key, path })) });
    } catch (error) {
      if (error instanceof IndexError) this.queue.clear();
      if (error instanceof IndexError || isStopped()) throw error;
      // One of them has failed, by its size for example: alone, it takes no other with it.
      this.#sessionsPerTask = 1;
      const [text, ...others] = sessions;
      if (text === undefined || others.length > 0) return;
      // Whatever it was, it must not be tried for ever; the next start tries once more.
      this.queue.remove(text);
      log.error({ err: error, path: text.path }, "Could not index the text of a session");
      return;
    }
    this.#sessionsPerTask = Math.min(2 * limit, MAX_SESSIONS_PER_TASK);
    const byKey = new Map(sessions.map((session) => [session.key, session]));
    const searchable: string[] = [];
    for (const { key, complete, bytes } of indexed.sessions) {
      const text = byKey.get(key);
      if (text === undefined) continue;
      onIndexed(bytes);
      this.queue.indexed(text, bytes);
      if (complete && this.queue.remove(text)) searchable.push(text.path);
    }
    this.#mergeNeed = indexed.merging;
    onSearchable(searchable);
  }

  async #sweep(): Promise<void> {
    const { shard, thread } = this.#options;
    this.#isSweepDue = false;
    this.#mergeNeed = await thread.run("sweep", { shard });
  }

  async #merge(): Promise<void> {
    const { shard, thread } = this.#options;
    // Where it fails, it is not tried again before the next text.
    this.#mergeNeed = "none";
    this.#mergeNeed = await thread.run("tidy", { shard });
  }
}
