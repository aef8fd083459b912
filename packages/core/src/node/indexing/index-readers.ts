import type { Requester } from "../../requester.ts";
import type { CatalogTasks, RecordPage } from "../catalog/record-pages.ts";
import type { ReadingTasks } from "../reading/reading-tasks.ts";
import type { SearchTasks } from "../search/search-tasks.ts";
import type { StatisticsTasks } from "../statistics/statistics-tasks.ts";
import type { IndexPlace } from "../storage/index-place.ts";
import { cacheShare } from "../threads/cache-budget.ts";
import { SharedThread, type TaskRequester } from "../threads/shared-thread.ts";
import { YOUNG_GENERATION_TO_SEARCH_MB } from "../threads/spare-worker.ts";
import type { InputOf, NameOf, OutputOf } from "../threads/tasks.ts";
import { type KnownPlaces, Thread } from "../threads/thread.ts";

/** A thread takes some 20 MB, which an idle service does not need, and 50 ms to start, for which a search waits. */
const QUICK = { role: "quick", idleMs: 60_000, youngGenerationMb: YOUNG_GENERATION_TO_SEARCH_MB } as const;
const LONG = { role: "long", idleMs: 10_000 } as const;

/** Tasks of the threads that read. */
export type ReaderTasks = CatalogTasks & SearchTasks & StatisticsTasks & ReadingTasks;
export type ReaderTask = NameOf<ReaderTasks>;

/** The first tasks of streams, the next ones, which are never refused, and the last. */
const STREAM_STARTS: ReadonlySet<ReaderTask> = new Set(["exportStart", "previewStart", "treeStart"]);
const STREAM_STEPS: ReadonlySet<ReaderTask> = new Set(["exportNext", "previewNext", "treeNext"]);

export type StreamStop = "exportStop" | "previewStop" | "treeStop";

export interface IndexReadersOptions {
  /** Tasks of one client that may wait for a reader. */
  mostWaiting: number;
  places: KnownPlaces;
  /** Whether they ask for what they read, see `ThreadOptions.asks`. */
  asks?: boolean;
}

/** The threads that read an open index, started by their first task: a quick one, and one for long tasks. */
export class IndexReaders {
  readonly #places: KnownPlaces;
  readonly #asks: boolean;
  readonly #quick: SharedThread<ReaderTasks>;
  readonly #long: SharedThread<ReaderTasks>;
  /** Exports, previews and trees that the long reader has begun. */
  readonly #openStreams = new Set<string>();
  /** Pages of records that the long reader has to make. */
  #pagesAtLength = 0;

  constructor(index: IndexPlace | null, { mostWaiting, places, asks = false }: IndexReadersOptions) {
    this.#places = places;
    this.#asks = asks;
    this.#quick = new SharedThread(this.#newThread(index, QUICK), mostWaiting);
    this.#long = new SharedThread(this.#newThread(index, LONG), mostWaiting);
  }

  get threads(): Thread<ReaderTasks>[] {
    return [this.#quick.thread, this.#long.thread];
  }

  /** Tasks that the quick thread runs, or that wait for it. */
  get quickTasks(): number {
    return this.#quick.size;
  }

  /** Whether a long task or a stream is under way. */
  get isBusyAtLength(): boolean {
    return this.#long.busy || this.#openStreams.size > 0;
  }

  /** Runs a task in the quick thread. */
  quickly<Name extends ReaderTask>(
    name: Name,
    input: InputOf<ReaderTasks, Name>,
    requester?: TaskRequester,
  ): Promise<OutputOf<ReaderTasks, Name>> {
    return this.#quick.run(name, input, requester);
  }

  /** Runs a task in the thread for long tasks. */
  async atLength<Name extends ReaderTask>(
    name: Name,
    input: InputOf<ReaderTasks, Name>,
    requester?: TaskRequester,
  ): Promise<OutputOf<ReaderTasks, Name>> {
    const isStep = STREAM_STEPS.has(name);
    const output = await this.#long.run(name, input, requester, isStep);
    // The casts hold by the types of these tasks.
    if (STREAM_STARTS.has(name)) this.#openStreams.add((output as { stream: string }).stream);
    if (isStep && output === null) this.#openStreams.delete((input as { stream: string }).stream);
    return output;
  }

  /** Makes a page of records of a scan that has begun, in the thread with fewer of them; others than these wait. */
  async records(input: InputOf<ReaderTasks, "records">, requester?: Requester): Promise<RecordPage> {
    // Never behind a task that takes seconds.
    const isFree = this.#long.size === this.#pagesAtLength;
    if (!isFree || this.#quick.size <= this.#pagesAtLength) return this.#quick.run("records", input, requester, true);
    this.#pagesAtLength++;
    try {
      return await this.#long.run("records", input, requester, true);
    } finally {
      this.#pagesAtLength--;
    }
  }

  /** Ends a stream that `atLength` has started. It takes no turn: that frees memory and files. */
  async stopStream(name: StreamStop, stream: string): Promise<void> {
    this.#openStreams.delete(stream);
    await this.#long.thread.run(name, { stream });
  }

  /** Reads another index from now on. @returns the threads that have read the former one, to be stopped. */
  replace(index: IndexPlace | null): Thread<ReaderTasks>[] {
    const former = this.threads;
    this.#quick.replace(this.#newThread(index, QUICK));
    this.#long.replace(this.#newThread(index, LONG));
    return former;
  }

  async stop(): Promise<void> {
    this.#openStreams.clear();
    await Promise.all([this.#quick.stop(), this.#long.stop()]);
  }

  #newThread(index: IndexPlace | null, { role, ...options }: typeof QUICK | typeof LONG): Thread<ReaderTasks> {
    const caches = cacheShare(role, index?.shards ?? 0);
    return new Thread<ReaderTasks>({ index, caches }, { ...options, places: this.#places, asks: this.#asks });
  }
}
