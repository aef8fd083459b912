import { rm } from "node:fs/promises";
import { IndexError } from "@sm/text-index/storage";
import { AppError } from "../../errors.ts";
import type { LibraryLog } from "../../library-log.ts";
import type { Requester } from "../../requester.ts";
import type { FoundFile } from "../catalog/found-files.ts";
import { prepareIndex, prepareSuccessor, removeIndex } from "../catalog/index-databases.ts";
import type { Listing } from "../catalog/listing.ts";
import type { ReadingTasks } from "../reading/reading-tasks.ts";
import type { SearchTasks } from "../search/search-tasks.ts";
import type { FileStamp } from "../session-file/session-file.ts";
import type { Work } from "../session-file/work.ts";
import type { StatisticsTasks } from "../statistics/statistics-tasks.ts";
import type { IndexPlace } from "../storage/index-place.ts";
import { isCorrupt, isUnwritable } from "../storage/sqlite.ts";
import { SharedThread } from "../threads/shared-thread.ts";
import type { InputOf, NameOf, OutputOf } from "../threads/tasks.ts";
import { type SessionRoots, Thread } from "../threads/thread.ts";
import { IndexParts } from "./index-parts.ts";
import type { IndexerOptions, Refreshed } from "./indexer.ts";

export interface OpenIndexOptions {
  directory: string;
  /** Used where `directory` cannot be written; removed when the index is closed. */
  fallbackDirectory: string;
  cores: number;
  /** Tasks of one client that may wait for a reader. */
  mostWaiting: number;
  log: LibraryLog;
  now?: IndexerOptions["now"];
  roots: SessionRoots;
  onChange: () => void;
  onListChanges: IndexerOptions["onListChanges"];
  onSearchable: IndexerOptions["onSearchable"];
  /** The index was thrown away and is empty again. */
  onReset: () => void;
}

/** A thread takes some 20 MB, which an idle service does not need, and 50 ms to start, for which a search waits. */
const QUICK_IDLE_MS = 60_000;
const LONG_IDLE_MS = 10_000;
/** The longest tasks take seconds, and hand over what they have in pieces. */
const MAX_SILENCE_MS = 2 * 60_000;

/** What the threads that read are given to do. */
type ReaderTasks = SearchTasks & StatisticsTasks & ReadingTasks;
type ReaderTask = NameOf<ReaderTasks>;

/** Threads that read, started when they are first asked. */
interface Readers<Reader = SharedThread<ReaderTasks>> {
  quick: Reader;
  long: Reader;
}

/** The first tasks of streams, the next ones, which are never refused, and the last. */
const STREAM_STARTS: ReadonlySet<ReaderTask> = new Set(["exportStart", "previewStart", "treeStart"]);
const STREAM_STEPS: ReadonlySet<ReaderTask> = new Set(["exportNext", "previewNext", "treeNext"]);

type StreamStop = "exportStop" | "previewStop" | "treeStop";

/** The index as a whole: it opens, repairs and replaces itself, and says when it cannot do its work. */
export class OpenIndex {
  readonly #options: OpenIndexOptions;
  /** What answers. */
  #parts: IndexParts | null = null;
  readonly #readers: Readers;
  /** What answers is in the temporary folder. */
  #isTemporary = false;
  /** What answers is of another content version, and its successor is not given up. */
  #isOutdated = false;
  /** Grows beside what answers, until it is whole. */
  #successor: IndexParts | null = null;
  #isSuccessorCompared = false;
  /** What answered before, while it is closed and removed. */
  #retirement: Promise<void> = Promise.resolve();
  /** Exports and trees that the long reader has begun. */
  readonly #openStreams = new Set<string>();
  /** Comparisons of the directories under way. */
  #comparisons = 0;
  #problem: string | null = null;
  #failedWrites = 0;
  #indexedBytes = 0;
  #resets = 0;
  #isRebuilding = false;
  #isClosed = false;

  constructor(options: OpenIndexOptions) {
    this.#options = options;
    this.#parts = this.#open();
    const { quick, long } = this.#newReaders(this.#parts?.place ?? null);
    this.#readers = {
      quick: new SharedThread(quick, options.mostWaiting),
      long: new SharedThread(long, options.mostWaiting),
    };
  }

  /** What keeps the index from doing its work, for people; `null` where nothing does. */
  get problem(): string | null {
    return this.#problem;
  }

  /** What a thread has been at for minutes without a word, for people; `null` where all of them get on. */
  get silence(): string | null {
    const indexers = [this.#parts, this.#successor].flatMap((parts) => parts?.indexer.threads ?? []);
    const silent = [...this.#readerThreads, ...indexers].map((thread) => thread.silence);
    const longest = silent.reduce((most, one) => ((one?.ms ?? 0) > (most?.ms ?? 0) ? one : most), null);
    if (longest === null || longest.ms < MAX_SILENCE_MS) return null;
    const minutes = Math.floor(longest.ms / 60_000);
    return `A thread has been running one task (${longest.name}) for ${minutes} minutes; check for a disk that does not respond, then restart.`;
  }

  /** Whether nothing more is indexed before somebody mends the problem. A temporary index does its work. */
  get isStopped(): boolean {
    return this.#problem !== null && !this.#isTemporary;
  }

  /** Whether what answers has been compared with the directories, which begins anew when it was thrown away. */
  get isCompared(): boolean {
    return this.#parts?.isCompared ?? false;
  }

  /** How often the index was thrown away. A successor that takes its place knows the same sessions. */
  get resets(): number {
    return this.#resets;
  }

  /** Gives the quick thread what people wait for: searches and pages. */
  quickly<Name extends ReaderTask>(
    name: Name,
    input: InputOf<ReaderTasks, Name>,
    requester?: Requester,
  ): Promise<OutputOf<ReaderTasks, Name>> {
    return this.#mending(() => this.#availableReaders.quick.run(name, input, requester));
  }

  /** Gives the other thread what may take long: trees, exports, writing to session files. */
  async atLength<Name extends ReaderTask>(
    name: Name,
    input: InputOf<ReaderTasks, Name>,
    requester?: Requester,
  ): Promise<OutputOf<ReaderTasks, Name>> {
    const isStep = STREAM_STEPS.has(name);
    const output = await this.#mending(() => this.#availableReaders.long.run(name, input, requester, isStep));
    // The casts hold by the types of these tasks.
    if (STREAM_STARTS.has(name)) this.#openStreams.add((output as { stream: string }).stream);
    if (isStep && output === null) this.#openStreams.delete((input as { stream: string }).stream);
    this.#succeedIfWhole();
    return output;
  }

  /** Ends a stream that `atLength` has started. It takes no turn: that frees memory and files. */
  async stopStream(name: StreamStop, stream: string): Promise<void> {
    this.#openStreams.delete(stream);
    await this.#readers.long.thread.run(name, { stream });
    this.#succeedIfWhole();
  }

  get pendingRecords(): number {
    return this.#parts?.indexer.pendingRecords ?? 0;
  }

  /** Bytes of session files that were made searchable since the start, whatever has become of the index since. */
  get indexedBytes(): number {
    return this.#indexedBytes;
  }

  /** An estimate, for people who wait. */
  get bytes(): { done: number; total: number } {
    return (this.#successor ?? this.#parts)?.indexer.bytes ?? { done: 0, total: 0 };
  }

  /** @throws AppError UNAVAILABLE where there is no index, or it was damaged and is built anew. */
  list<T>(read: (listing: Listing) => T): Promise<T> {
    return this.#mending(async () => read(this.#need().listing));
  }

  /** What is known of a file that is not away. */
  stamp(path: string): Promise<FileStamp | null> {
    return this.#mending(async () => {
      const known = this.#parts?.catalog.find(path) ?? null;
      return known === null || known.isAway ? null : known.stamp;
    });
  }

  /** While a successor grows, what it lacks is still to be indexed. */
  sessionCounts(): { indexed: number; unindexed: number } {
    if (this.#parts === null) return { indexed: 0, unindexed: 0 };
    try {
      const counts = this.#parts.counts();
      if (this.#successor === null) return counts;
      const total = counts.indexed + counts.unindexed;
      const indexed = Math.max(0, Math.min(this.#successor.counts().indexed, total - 1));
      return { indexed, unindexed: total - indexed };
    } catch (error) {
      if (!isCorrupt(error)) throw error;
      void this.#handle(new IndexError("damaged", error.message));
      return { indexed: 0, unindexed: 0 };
    }
  }

  /**
   * Compares the directories with what is known; `missing` are those that do not exist.
   *
   * @throws AppError UNAVAILABLE where that cannot be done without the index.
   */
  async refresh(directories: string[], missing: string[]): Promise<Refreshed> {
    if (this.#parts?.isInPlace === false) await this.#handle(new IndexError("damaged", "The index was deleted."));
    const parts = this.#need();
    const failedBefore = this.#failedWrites;
    this.#comparisons++;
    const refreshed = await parts
      .refresh(directories, missing)
      .catch((error: unknown) => {
        // Its thread has told `onIndexError`.
        throw error instanceof IndexError ? this.notNow(error) : error;
      })
      .finally(() => this.#comparisons--);
    if (this.#problem !== null && failedBefore === this.#failedWrites && !this.#isTemporary) {
      // The disk may have room again: what could not be written is taken up, and until all of it is, the problem stays.
      const left = parts.catalog.unindexed();
      if (left.length > 0) parts.indexer.resume(left);
      else this.#problem = null;
    }
    this.#growSuccessor(directories, missing);
    return refreshed;
  }

  async scanNow(file: FoundFile): Promise<void> {
    void this.#successor?.indexer.scanNow([file]);
    await this.#parts?.indexer.scanNow([file]);
  }

  /** Keeps the text of many sessions waiting until the returned function is called, see `Indexer.holdText`. */
  holdText(): () => void {
    return this.#parts?.indexer.holdText() ?? (() => undefined);
  }

  /** Starts the thread that will be needed in a moment. */
  wake(): void {
    this.#parts?.indexer.wake();
  }

  /** Takes note of files that may have changed; a stamp of `null` says that there is no such file. */
  fileChanges(seen: { path: string; stamp: FileStamp | null }[]): Promise<void> {
    return this.#mending(async () => {
      const told = this.#need().fileChanges(seen);
      this.#tellSuccessor((successor) => successor.fileChanges(seen));
      await told;
    });
  }

  async forget(paths: string[]): Promise<void> {
    this.#tellSuccessor((successor) => successor.indexer.forget(paths));
    await this.#parts?.indexer.forget(paths);
  }

  async work(): Promise<Work> {
    const readers = this.#readerThreads.filter((thread) => thread.started);
    const counted = await Promise.all(readers.map((thread) => thread.run("work", null)));
    const indexers = [this.#parts, this.#successor].flatMap((parts) => parts?.indexer ?? []);
    const all = [...counted, ...(await Promise.all(indexers.map((indexer) => indexer.work()))).flat()];
    const sum = (field: keyof Work) => all.reduce((total, one) => total + one[field], 0);
    return {
      filesOpened: sum("filesOpened"),
      reads: sum("reads"),
      bytesRead: sum("bytesRead"),
      linesParsed: sum("linesParsed"),
      rowsWritten: sum("rowsWritten"),
    };
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    await this.#closeParts();
    await this.#retirement;
    await rm(this.#options.fallbackDirectory, { recursive: true, force: true });
  }

  /** Whoever meets damage in the index has it built anew. */
  async #mending<T>(action: () => Promise<T>): Promise<T> {
    try {
      return await action();
    } catch (error) {
      const damage = isCorrupt(error) ? new IndexError("damaged", error.message) : error;
      if (!(damage instanceof IndexError)) throw error;
      const isRebuilt = await this.#handle(damage);
      const message = isRebuilt ? "The index was damaged and is being rebuilt; try again in a moment." : this.#problem;
      throw new AppError("UNAVAILABLE", message ?? damage.message, {
        cause: error,
        details: isRebuilt ? { retry_after_ms: 1_000 } : null,
      });
    }
  }

  #need(): IndexParts {
    if (this.#parts !== null) return this.#parts;
    throw this.notNow();
  }

  /** A reader that is asked while the index is replaced would start again, and make an empty one. */
  get #availableReaders(): Readers {
    if (this.#isRebuilding) throw this.notNow();
    return this.#readers;
  }

  /** What is told to those who ask for what the index cannot give now. */
  notNow(cause?: IndexError): AppError {
    const problem = cause?.kind === "unwritable" ? unwritable(cause) : this.#problem;
    const message = problem ?? "The index is being rebuilt; try again in a moment.";
    return new AppError("UNAVAILABLE", message, { cause, details: { retry_after_ms: 1_000 } });
  }

  #open(): IndexParts | null {
    const { directory, fallbackDirectory, log } = this.#options;
    this.#isTemporary = false;
    try {
      return this.#openOrRebuild(directory);
    } catch (error) {
      if (!isUnwritable(error)) throw error;
      this.#problem = `Could not write the index in ${directory} (${error.message}); free some space or change --data-dir.`;
      log.error({ err: error, directory }, "Could not write the index; using a temporary one");
    }
    this.#isTemporary = true;
    try {
      return this.#openOrRebuild(fallbackDirectory);
    } catch (error) {
      log.error(
        { err: error, directory: fallbackDirectory },
        "Could not create an index: lists and searches are not available",
      );
      return null;
    }
  }

  #openOrRebuild(directory: string): IndexParts {
    const { log, cores } = this.#options;
    const { place, rebuilt, isOutdated } = prepareIndex(directory, cores);
    if (rebuilt !== null) log.warn({ directory, reason: rebuilt }, "Rebuilding the index from the session files");
    try {
      this.#isOutdated = isOutdated;
      return this.#openParts(place);
    } catch (error) {
      if (!isCorrupt(error)) throw error;
      log.warn({ err: error, directory: place.directory }, "The index is damaged and is being rebuilt");
      removeIndex(place.directory);
      const next = prepareIndex(directory, cores);
      this.#isOutdated = next.isOutdated;
      return this.#openParts(next.place);
    }
  }

  #openParts(place: IndexPlace): IndexParts {
    const { log, now, roots, onChange, onListChanges, onSearchable } = this.#options;
    const parts = new IndexParts({
      place,
      log,
      now,
      roots,
      onProgress: () => {
        onChange();
        this.#succeedIfWhole();
      },
      // What a successor reads is known already, from what answers.
      onListChanges: (changes) => {
        if (parts === this.#parts) onListChanges(changes);
      },
      onIndexed: (bytes) => {
        this.#indexedBytes += bytes;
      },
      onSearchable: (paths) => {
        if (parts === this.#parts) onSearchable(paths);
      },
      onIndexError: (error) => {
        if (parts === this.#parts) void this.#handle(error);
        else if (parts === this.#successor) this.#giveUpSuccessor(error);
      },
    });
    return parts;
  }

  /** Begins the successor of an outdated index when the list is up to date, and lets it follow every comparison. */
  #growSuccessor(directories: string[], missing: string[]): void {
    if (!this.#isOutdated || this.#parts === null || this.#isClosed || this.#problem !== null) return;
    if (this.#successor === null) {
      const { directory, cores, log } = this.#options;
      try {
        this.#successor = this.#openParts(prepareSuccessor(directory, this.#parts.place, cores));
        this.#isSuccessorCompared = false;
      } catch (error) {
        this.#giveUpSuccessor(error);
        return;
      }
      log.info({ directory: this.#successor.place.directory }, "Building a new index while the old one answers");
    }
    this.#tellSuccessor(async (successor) => {
      await successor.refresh(directories, missing);
      if (successor !== this.#successor) return;
      this.#isSuccessorCompared = true;
      this.#succeedIfWhole();
    });
  }

  /** Whatever fails there is told to `onIndexError` by its threads, or mended by the next comparison. */
  #tellSuccessor(tell: (successor: IndexParts) => Promise<unknown>): void {
    const successor = this.#successor;
    if (successor !== null) void tell(successor).catch(() => undefined);
  }

  /** The old index goes on answering; the next start tries once more. */
  #giveUpSuccessor(error: unknown): void {
    const successor = this.#successor;
    this.#successor = null;
    this.#isOutdated = false;
    this.#options.log.error({ err: error }, "Could not build the new index; using the old one");
    if (successor !== null) this.#retire(successor, []);
  }

  /** Lets the successor answer when it lacks nothing and no work under way rests on what answered before. */
  #succeedIfWhole(): void {
    const former = this.#parts;
    const successor = this.#successor;
    if (former === null || successor === null || this.#isClosed || this.#isRebuilding) return;
    const isWhole = this.#isSuccessorCompared && successor.indexer.isSettled && successor.indexer.pendingTexts === 0;
    if (!isWhole || !former.indexer.isSettled || this.#readers.long.busy || this.#openStreams.size > 0) return;
    // Of what it finds the successor is told when it is through.
    if (this.#comparisons > 0) return;
    if (!successor.isInPlace) {
      this.#giveUpSuccessor(new IndexError("damaged", "The new index was deleted."));
      return;
    }
    const formerReaders = this.#readerThreads;
    this.#successor = null;
    this.#isOutdated = false;
    this.#parts = successor;
    this.#replaceReaders(successor.place);
    this.#options.log.info({ directory: successor.place.directory }, "The new index is in use");
    const { changes, searchable } = former.differences(successor);
    this.#retire(former, formerReaders);
    this.#options.onListChanges(changes);
    this.#options.onSearchable(searchable);
    this.#options.onChange();
  }

  #retire(parts: IndexParts, readers: Thread<ReaderTasks>[]): void {
    const retirement = Promise.all([parts.close(), ...readers.map((thread) => thread.stop())])
      .then(() => parts.remove())
      .catch((error: unknown) => this.#options.log.warn({ err: error }, "Could not remove an unused index"));
    this.#retirement = Promise.all([this.#retirement, retirement]).then(() => undefined);
  }

  /** @returns whether the index is built anew. */
  async #handle(error: IndexError): Promise<boolean> {
    const { log } = this.#options;
    if (this.#isClosed) return false;
    if (error.kind === "unwritable" && this.#parts?.isInPlace !== false) {
      this.#failedWrites++;
      log.error({ err: error }, "Could not write the index; serving its existing content");
      this.#problem = unwritable(error);
      this.#options.onChange();
      return false;
    }
    const parts = this.#parts;
    if (parts === null) return true;
    log.error({ err: error }, "The index is damaged and is being rebuilt");
    this.#isRebuilding = true;
    try {
      await this.#closeParts();
      // Closed meanwhile: nobody would close another one.
      if (this.#isClosed) return false;
      parts.remove();
      this.#resets++;
      // Where a successor had begun to grow, it answers from now on.
      this.#parts = this.#open();
      this.#replaceReaders(this.#parts?.place ?? null);
    } finally {
      this.#isRebuilding = false;
    }
    this.#options.onReset();
    return true;
  }

  async #closeParts(): Promise<void> {
    const parts = [this.#parts, this.#successor];
    this.#parts = null;
    this.#successor = null;
    this.#openStreams.clear();
    const readers = Object.values(this.#readers);
    await Promise.all([...parts.map((one) => one?.close()), ...readers.map((thread) => thread.stop())]);
  }

  get #readerThreads(): Thread<ReaderTasks>[] {
    return [this.#readers.quick.thread, this.#readers.long.thread];
  }

  #replaceReaders(index: IndexPlace | null): void {
    const { quick, long } = this.#newReaders(index);
    this.#readers.quick.replace(quick);
    this.#readers.long.replace(long);
  }

  #newReaders(index: IndexPlace | null): Readers<Thread<ReaderTasks>> {
    const { roots } = this.#options;
    return {
      quick: new Thread<ReaderTasks>({ index }, { idleMs: QUICK_IDLE_MS, roots }),
      long: new Thread<ReaderTasks>({ index }, { idleMs: LONG_IDLE_MS, roots }),
    };
  }
}

function unwritable(error: IndexError): string {
  return `Could not write the index (${error.message}); free some space on its disk.`;
}
