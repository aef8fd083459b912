import { rm } from "node:fs/promises";
import { isDeepStrictEqual } from "node:util";
import { IndexError } from "@sm/text-index/storage";
import { AppError } from "../../errors.ts";
import type { LibraryLog } from "../../library-log.ts";
import type { UserPrices } from "../../prices/model-prices.ts";
import { PriceList } from "../../prices/price-list.ts";
import type { Requester } from "../../requester.ts";
import { type CleanedDirectory, Expiry } from "../../session/expiry.ts";
import type { FoundFile } from "../catalog/found-files.ts";
import type { KnownFile } from "../catalog/known-file.ts";
import type { Listing } from "../catalog/listing.ts";
import type { MarkedKey, RecordPage } from "../catalog/record-pages.ts";
import type { FileStamp } from "../session-file/file-stamp.ts";
import type { Work } from "../session-file/work.ts";
import type { IndexPlace } from "../storage/index-place.ts";
import { isCorrupt } from "../storage/sqlite.ts";
import {
  CACHE_BUDGET_BYTES,
  cacheShare,
  type LibraryMemory,
  NO_CACHE_BYTES,
  sumOfCaches,
} from "../threads/cache-budget.ts";
import type { InputOf, OutputOf } from "../threads/tasks.ts";
import type { KnownPlaces, Thread } from "../threads/thread.ts";
import { IndexParts, type SessionCounts } from "./index-parts.ts";
import { IndexReaders, type ReaderTask, type ReaderTasks, type StreamStop } from "./index-readers.ts";
import type { IndexerOptions, Refreshed } from "./indexer.ts";
import { openAnswering } from "./opening.ts";
import { Successor } from "./successor.ts";

export interface OpenIndexOptions {
  directory: string;
  /** Used where `directory` cannot be written; removed when the index is closed. */
  fallbackDirectory: string;
  cores: number;
  /** Tasks of one client that may wait for a reader. */
  mostWaiting: number;
  log: LibraryLog;
  now?: IndexerOptions["now"];
  places: KnownPlaces;
  onChange: () => void;
  onListChanges: IndexerOptions["onListChanges"];
  onFilesRead: IndexerOptions["onFilesRead"];
  onRelated: IndexerOptions["onRelated"];
  onSearchable: IndexerOptions["onSearchable"];
  /** The index was thrown away and is empty again. */
  onReset: () => void;
}

/** The longest tasks take seconds, and hand over what they have in pieces. */
const MAX_SILENCE_MS = 2 * 60_000;

/** The index as a whole: it opens, repairs and replaces itself, and says when it cannot do its work. */
export class OpenIndex {
  readonly #options: OpenIndexOptions;
  /** What answers. */
  #parts: IndexParts | null = null;
  readonly #readers: IndexReaders;
  /** What answers is in the temporary folder. */
  #isTemporary = false;
  readonly #successor: Successor;
  /** What answered before, while it is closed and removed. */
  #retirement: Promise<void> = Promise.resolve();
  /** Comparisons of the directories under way. */
  #comparisons = 0;
  #problem: string | null = null;
  #failedWrites = 0;
  #indexedBytes = 0;
  #resets = 0;
  #isRebuilding = false;
  #isClosed = false;
  #prices: UserPrices = {};
  #cleaned: CleanedDirectory[] = [];

  constructor(options: OpenIndexOptions) {
    this.#options = options;
    this.#successor = new Successor({
      directory: options.directory,
      cores: options.cores,
      log: options.log,
      open: (place) => this.#openParts(place),
      retire: (parts) => this.#retire(parts, []),
      onCompared: () => this.#succeedIfWhole(),
    });
    this.#parts = this.#open();
    this.#readers = new IndexReaders(this.#parts?.place ?? null, options);
  }

  /** What costs are estimated by, besides the price table. */
  get prices(): UserPrices {
    return this.#prices;
  }

  set prices(prices: UserPrices) {
    if (isDeepStrictEqual(prices, this.#prices)) return;
    this.#prices = prices;
    const list = new PriceList(prices);
    for (const parts of [this.#parts, this.#successor.parts]) if (parts !== null) parts.listing.prices = list;
  }

  /** Where agents delete old files of sessions. */
  set cleaned(cleaned: CleanedDirectory[]) {
    if (isDeepStrictEqual(cleaned, this.#cleaned)) return;
    this.#cleaned = cleaned;
    const expiry = new Expiry(cleaned);
    for (const parts of [this.#parts, this.#successor.parts]) if (parts !== null) parts.listing.expiry = expiry;
  }

  /** What keeps the index from doing its work, for people; `null` where nothing does. */
  get problem(): string | null {
    return this.#problem;
  }

  /** What a thread has been at for minutes without a word, for people; `null` where all of them get on. */
  get silence(): string | null {
    const silent = this.#threads.map((thread) => thread.silence);
    const longest = silent.reduce((most, one) => ((one?.ms ?? 0) > (most?.ms ?? 0) ? one : most), null);
    if (longest === null || longest.ms < MAX_SILENCE_MS) return null;
    const minutes = Math.floor(longest.ms / 60_000);
    return `A thread has been running one task (${longest.name}) for ${minutes} minutes; check for a disk that does not respond, then restart.`;
  }

  get #threads() {
    const indexers = [this.#parts, this.#successor.parts].flatMap((parts) => parts?.indexer.threads ?? []);
    return [...this.#readers.threads, ...indexers];
  }

  /** The threads that run, and what their caches hold. */
  get memory(): LibraryMemory {
    const running = this.#threads.filter((thread) => thread.started);
    const opened = [this.#parts, this.#successor.parts].flatMap((parts) => parts?.place ?? []);
    const ofMain = opened.map(({ shards }) => ({ ...NO_CACHE_BYTES, pages: cacheShare("main", shards).catalog }));
    const ofState = { ...NO_CACHE_BYTES, pages: cacheShare("state", 0).catalog };
    return {
      threads: running.length,
      caches: sumOfCaches([ofState, ...ofMain, ...running.map((thread) => thread.cacheBytes)]),
      cacheBudget: CACHE_BUDGET_BYTES,
    };
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
    return this.#mending(() => this.#availableReaders.quickly(name, input, requester));
  }

  /** Gives the other thread what may take long: trees, exports, writing to session files. */
  async atLength<Name extends ReaderTask>(
    name: Name,
    input: InputOf<ReaderTasks, Name>,
    requester?: Requester,
  ): Promise<OutputOf<ReaderTasks, Name>> {
    const output = await this.#mending(() => this.#availableReaders.atLength(name, input, requester));
    this.#succeedIfWhole();
    return output;
  }

  /** Makes a page of records, for a scan that has begun: it is not refused where too much waits. */
  async records(sessions: MarkedKey[], requester?: Requester): Promise<RecordPage> {
    const page = await this.#mending(() =>
      this.#availableReaders.records({ sessions, prices: this.#prices, cleaned: this.#cleaned }, requester),
    );
    this.#succeedIfWhole();
    return page;
  }

  /** Ends a stream that `atLength` has started. It takes no turn: that frees memory and files. */
  async stopStream(name: StreamStop, stream: string): Promise<void> {
    await this.#readers.stopStream(name, stream);
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
    return (this.#successor.parts ?? this.#parts)?.indexer.bytes ?? { done: 0, total: 0 };
  }

  /** @throws AppError UNAVAILABLE where there is no index, or it was damaged and is built anew. */
  list<T>(read: (listing: Listing) => T | Promise<T>): Promise<T> {
    return this.#mending(async () => read(this.#need().listing));
  }

  /** What is known of a file that is not away. */
  known(path: string): Promise<Pick<KnownFile, "stamp" | "fromVault"> | null> {
    return this.#mending(async () => {
      const known = this.#parts?.catalog.find(path) ?? null;
      return known === null || known.isAway ? null : known;
    });
  }

  /** While a successor grows, what it lacks is still to be indexed. */
  sessionCounts(): SessionCounts {
    return this.#counted(
      (parts) => {
        const counts = parts.counts();
        const successor = this.#successor.parts;
        if (successor === null) return counts;
        const total = counts.indexed + counts.unindexed;
        const indexed = Math.max(0, Math.min(successor.counts().indexed, total - 1));
        return { indexed, unindexed: total - indexed };
      },
      { indexed: 0, unindexed: 0 },
    );
  }

  /** Number of files in which no line is of a known format. Searches, which ask for the other counts, do without it. */
  skippedFiles(): number {
    return this.#counted((parts) => parts.listing.skipped(), 0);
  }

  /** @param none where there is no index, or it is damaged. */
  #counted<T>(count: (parts: IndexParts) => T, none: T): T {
    if (this.#parts === null) return none;
    try {
      return count(this.#parts);
    } catch (error) {
      if (!isCorrupt(error)) throw error;
      void this.#handle(new IndexError("damaged", error.message));
      return none;
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
    if (this.#parts !== null && !this.#isClosed && this.#problem === null) {
      this.#successor.follow(this.#parts.place, directories, missing);
    }
    return refreshed;
  }

  async scanNow(file: FoundFile): Promise<void> {
    void this.#successor.parts?.indexer.scanNow([file]);
    await this.#parts?.indexer.scanNow([file]);
  }

  /** Keeps the text of many sessions, and merging, waiting until the returned function is called, see `Indexer.holdText`. */
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
      this.#successor.tell((successor) => successor.fileChanges(seen));
      await told;
    });
  }

  async forget(paths: string[]): Promise<void> {
    this.#successor.tell((successor) => successor.indexer.forget(paths));
    await this.#parts?.indexer.forget(paths);
  }

  async work(): Promise<Work> {
    const readers = this.#readers.threads.filter((thread) => thread.started);
    const counted = await Promise.all(readers.map((thread) => thread.run("work", null)));
    const indexers = [this.#parts, this.#successor.parts].flatMap((parts) => parts?.indexer ?? []);
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
  get #availableReaders(): IndexReaders {
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
    const opened = openAnswering({ ...this.#options, open: (place) => this.#openParts(place) });
    this.#isTemporary = opened.isTemporary;
    this.#problem = opened.problem ?? this.#problem;
    this.#successor.want(opened.isOutdated);
    return opened.parts;
  }

  #openParts(place: IndexPlace): IndexParts {
    const { log, now, places, onChange, onListChanges, onFilesRead, onRelated, onSearchable } = this.#options;
    const parts = new IndexParts({
      place,
      log,
      now,
      places,
      onProgress: () => {
        onChange();
        this.#succeedIfWhole();
      },
      // What a successor reads is known already, from what answers.
      onListChanges: (changes) => {
        if (parts === this.#parts) onListChanges(changes);
      },
      onFilesRead: (files) => {
        if (parts === this.#parts) onFilesRead(files);
      },
      onRelated: (paths) => {
        if (parts === this.#parts) onRelated(paths);
      },
      onIndexed: (bytes) => {
        this.#indexedBytes += bytes;
      },
      onSearchable: (paths) => {
        if (parts === this.#parts) onSearchable(paths);
      },
      onIndexError: (error) => {
        if (parts === this.#parts) void this.#handle(error);
        else if (parts === this.#successor.parts) this.#successor.giveUp(error);
      },
    });
    parts.listing.prices = new PriceList(this.#prices);
    parts.listing.expiry = new Expiry(this.#cleaned);
    return parts;
  }

  /** Lets the successor answer when it lacks nothing and no work under way rests on what answered before. */
  #succeedIfWhole(): void {
    const former = this.#parts;
    if (former === null || !this.#successor.isWhole || this.#isClosed || this.#isRebuilding) return;
    if (!former.indexer.isSettled || this.#readers.isBusyAtLength) return;
    // Of what it finds the successor is told when it is through.
    if (this.#comparisons > 0) return;
    const successor = this.#successor.succeed();
    if (successor === null) return;
    this.#parts = successor;
    const formerReaders = this.#readers.replace(successor.place);
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
      this.#readers.replace(this.#parts?.place ?? null);
    } finally {
      this.#isRebuilding = false;
    }
    this.#options.onReset();
    return true;
  }

  async #closeParts(): Promise<void> {
    const parts = [this.#parts, this.#successor.take()];
    this.#parts = null;
    await Promise.all([...parts.map((one) => one?.close()), this.#readers.stop()]);
  }
}

function unwritable(error: IndexError): string {
  return `Could not write the index (${error.message}); free some space on its disk.`;
}
