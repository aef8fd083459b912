import { IndexError } from "@sm/text-index/storage";
import { AppError } from "../../errors.ts";
import type { LibraryLog } from "../../library-log.ts";
import type { FoundFile, ListChange } from "../catalog/found-files.ts";
import type { Work } from "../session-file/work.ts";
import type { IndexPlace } from "../storage/index-place.ts";
import { cacheShare } from "../threads/cache-budget.ts";
import { type KnownPlaces, Thread } from "../threads/thread.ts";
import { type Comparison, ComparisonQueue, type WaitingComparison } from "./comparison-queue.ts";
import { assignToSmallestShard, LARGE_BYTES } from "./first-page.ts";
import type { FileToScan, IndexingTasks, ScannedFile } from "./indexing-tasks.ts";
import { ScanQueue } from "./scan-queue.ts";
import type { TextToIndex, Urgency } from "./text-queue.ts";
import { TextScheduler } from "./text-scheduler.ts";
import { type UrgentScan, UrgentScans } from "./urgent-scans.ts";

/** What of changed files is read at once altogether. */
const QUICK_BYTES = 16 * 1024 * 1024;
/** Text of fewer sessions is indexed in a moment, for which nobody is kept waiting. */
const MANY_TEXTS = 256;
/** Threads hold buffers and caches of some ten megabytes each, which an idle service does not need. */
const IDLE_STOP_MS = 10_000;
/** What a former run has left to merge waits for the first lists after a start, which take less. */
const MERGING_RESUMES_MS = 1_000;

/** To take over 50,000 at once would take the main thread 80 ms. */
const FILES_AT_ONCE = 5_000;

export interface IndexerOptions {
  place: IndexPlace;
  log: LibraryLog;
  /** Bytes of known sessions by text database. */
  shardBytes: number[];
  /** What a former run has left to do. */
  unindexed: (TextToIndex & { shard: number })[];
  droppedShards: number[];
  /** Stands in for `Date.now`. */
  now?: (() => number) | undefined;
  places?: KnownPlaces | undefined;
  /** Changed files that a comparison tells in one message. */
  filesAtOnce?: number;
  onProgress: () => void;
  /** Called when files were read or forgotten and the list of sessions is not what it was. */
  onListChanges: (changes: Map<string, ListChange>) => void;
  /** Called with files that were read, or found to be gone. */
  onFilesRead: (files: readonly ScannedFile[]) => void;
  /** Called with sessions whose records have changed with those of others. */
  onRelated: (paths: string[]) => void;
  /** Called when every entry of these sessions can be searched. */
  onSearchable: (paths: string[]) => void;
  /** Called with the bytes of session files that were made searchable. */
  onIndexed: (bytes: number) => void;
  /** The index is damaged or cannot be written any more. */
  onIndexError: (error: IndexError) => void;
}

/** A file that was seen to have changed. */
export interface ChangedFile extends FoundFile {
  /** Bytes that are not read yet. */
  unread: number;
}

/** What a comparison has found, when it was taken up. */
export interface Refreshed extends Comparison {
  /** Whether the index holds the records of all that was found; `false` where it could not be written, or was given up. */
  isWhole: boolean;
}

/**
 * Keeps the index up to date with the files. One thread, the scout, does at once what somebody waits for: comparing
 * the directories and reading single files. The others, one for each text database, read records first, then text,
 * the newest first; what they are given may take a second.
 */
export class Indexer {
  readonly #options: IndexerOptions;
  readonly #scout: Thread<IndexingTasks>;
  readonly #threads: Thread<IndexingTasks>[];
  readonly #toScan = new ScanQueue();
  readonly #urgent = new UrgentScans();
  readonly #comparisons = new ComparisonQueue();
  /** Whether a comparison comes before the files that somebody waits for. */
  #isComparisonNext = false;
  /** By text database. */
  readonly #texts: TextScheduler[];
  #isMergingResumed = false;
  #mergingTimer: NodeJS.Timeout | null = null;
  #isCompared = false;
  readonly #textHolds = new Set<() => void>();
  readonly #shardBytes: number[];
  #waiting: (() => void)[] = [];
  /** Tasks whose records could not be kept. */
  #lostRecords = 0;
  /** Whether there was nothing to begin with. */
  readonly #isNew: boolean;
  #bytesDone = 0;
  #isStopped = false;
  #idleTimer: NodeJS.Timeout | null = null;

  constructor(options: IndexerOptions) {
    this.#options = options;
    const { place, places } = options;
    const newThread = (role: "scout" | "indexing") =>
      new Thread<IndexingTasks>({ index: place, caches: cacheShare(role, place.shards) }, { places });
    this.#scout = newThread("scout");
    this.#threads = Array.from({ length: place.shards }, () => newThread("indexing"));
    this.#scout.start();
    this.#texts = this.#threads.map((thread, shard) => this.#newTextScheduler(thread, shard));
    this.#shardBytes = options.shardBytes;
    this.#isNew = options.shardBytes.every((bytes) => bytes === 0);
    this.resume(options.unindexed);
  }

  #newTextScheduler(thread: Thread<IndexingTasks>, shard: number): TextScheduler {
    const { log, droppedShards, onIndexed, onSearchable } = this.#options;
    const options = {
      shard,
      thread,
      log,
      isStopped: () => this.#isStopped,
      onIndexed: (bytes: number) => {
        this.#bytesDone += bytes;
        onIndexed(bytes);
      },
      onSearchable,
    };
    return new TextScheduler(options, droppedShards.includes(shard));
  }

  /** Takes up text that is not searchable yet, left over by a former run or by a disk that was full. */
  resume(unindexed: IndexerOptions["unindexed"]): void {
    for (const { shard, ...session } of unindexed) this.#texts[shard]?.queue.add(session, "bulk");
    this.#assignWork();
  }

  get #all(): Thread<IndexingTasks>[] {
    return [this.#scout, ...this.#threads];
  }

  /** Its threads, for whoever looks whether they get on. */
  get threads(): readonly Thread<IndexingTasks>[] {
    return this.#all;
  }

  get pendingRecords(): number {
    return this.#toScan.size;
  }

  get pendingTexts(): number {
    return this.#texts.reduce((sum, { queue }) => sum + queue.size, 0);
  }

  /** Whether every record is read, and nobody waits for anything. */
  get isSettled(): boolean {
    const isAwaited = !this.#comparisons.isEmpty || !this.#urgent.isEmpty || this.#waiting.length > 0;
    return this.pendingRecords === 0 && !isAwaited && !this.#scout.busy;
  }

  /** An estimate: what is done since the start, and that together with what is left. */
  get bytes(): { done: number; total: number } {
    const unindexed = this.#texts.reduce((sum, { queue }) => sum + queue.bytes, 0);
    return { done: this.#bytesDone, total: this.#bytesDone + this.#toScan.bytes + unindexed };
  }

  /** Compares the directories with the index and waits until the records of all files that differ are read. */
  async refresh(directories: string[], missing: string[] = []): Promise<Refreshed> {
    const lostBefore = this.#lostRecords;
    const comparison = this.#comparisons.add(directories, missing);
    this.#assignWork();
    const result = await comparison;
    if (this.pendingRecords > 0) await new Promise<void>((resolve) => this.#waiting.push(resolve));
    return { ...result, isWhole: this.#lostRecords === lostBefore && !this.#isStopped };
  }

  /**
   * Keeps the text of many sessions from being indexed, and segments from being merged, until the returned function is
   * called: both would take the processors from somebody who waits for all records.
   */
  holdText(): () => void {
    const release = () => {
      if (this.#textHolds.delete(release)) this.#assignWork();
    };
    this.#textHolds.add(release);
    if (this.#isNew && !this.#isCompared) this.#startForAll();
    return release;
  }

  /** Starts the threads that will be needed when the first page is read: here somebody waits for more. */
  #startForAll(): void {
    if (this.#isStopped) return;
    for (const thread of this.#threads) thread.start();
  }

  /** Starts the thread that will be needed in a moment. */
  wake(): void {
    if (this.#isStopped || this.#scout.started) return;
    this.#scout.start();
    this.#assignWork();
  }

  /** Reads the records of files before everything else but a comparison that waits, as well as that can be done. */
  scanNow(files: FoundFile[]): Promise<void> {
    const result = this.#urgent.add(files);
    this.#assignWork();
    return result;
  }

  /** Reads files that have changed: at once where that is quick. */
  scanChanged(files: ChangedFile[]): void {
    const quick: FoundFile[] = [];
    let room = QUICK_BYTES;
    for (const { unread, ...file } of files) {
      if (file.movedFrom === undefined && this.#toScan.isReading(file.path)) this.#toScan.readAgain(file);
      else if (unread <= Math.min(LARGE_BYTES, room)) {
        quick.push(file);
        room -= unread;
      } else this.#toScan.addFirst(file);
    }
    if (quick.length > 0) void this.scanNow(quick);
    else this.#assignWork();
  }

  /** Forgets sessions whose files are gone. */
  async forget(paths: string[]): Promise<void> {
    const { sessions, related } = await this.#scout.run("forget", { paths });
    for (const texts of this.#texts) texts.contentsWereDropped();
    this.#listChanged(new Map(sessions.map((path) => [path, "removed"])), related);
    this.#assignWork();
  }

  /** What the threads have done to the user's files so far. */
  async work(): Promise<Work[]> {
    const counting = this.#all.filter((thread) => thread.started).map((thread) => thread.run("work", null));
    // A thread that counts is passed over when work is assigned.
    return Promise.all(counting).finally(() => this.#assignWork());
  }

  async stop(): Promise<void> {
    this.#isStopped = true;
    this.#stopIdleTimer();
    if (this.#mergingTimer !== null) clearTimeout(this.#mergingTimer);
    await Promise.all(this.#all.map((thread) => thread.stop()));
    this.#urgent.stop();
    this.#comparisons.stop();
    this.#releaseWaiting();
  }

  #assignWork(): void {
    if (this.#isStopped) return;
    this.#stopIdleTimer();
    if (!this.#scout.busy) this.#follow(this.#nextForScout());
    for (const [shard, thread] of this.#threads.entries()) {
      if (!thread.busy) this.#follow(this.#nextFor(shard, thread));
    }
    if (this.#all.some((thread) => thread.busy) || !this.#all.some((thread) => thread.started)) return;
    this.#idleTimer = setTimeout(() => {
      for (const thread of this.#all) void thread.rest();
    }, IDLE_STOP_MS);
    this.#idleTimer.unref();
  }

  #stopIdleTimer(): void {
    if (this.#idleTimer !== null) clearTimeout(this.#idleTimer);
    this.#idleTimer = null;
  }

  /** Reports how a task ends, then assigns the next one. */
  #follow(job: Promise<void> | null): void {
    if (job === null) return;
    job
      .catch((error: unknown) => {
        if (this.#isStopped) return;
        if (error instanceof IndexError) this.#options.onIndexError(error);
        else this.#options.log.error({ err: error }, "Indexing failed");
      })
      .finally(() => {
        if (this.pendingRecords === 0 && this.#comparisons.isEmpty) this.#releaseWaiting();
        this.#options.onProgress();
        this.#assignWork();
      });
  }

  #nextForScout(): Promise<void> | null {
    // By turns, so that neither keeps the other waiting for more than one task.
    const urgent = this.#isComparisonNext && !this.#comparisons.isEmpty ? undefined : this.#urgent.next();
    this.#isComparisonNext = urgent !== undefined;
    if (urgent !== undefined) return this.#scanUrgent(urgent);
    const comparison = this.#comparisons.next();
    if (comparison !== undefined) return this.#compare(comparison);
    // Opening the text takes as long as reading the first records.
    const isAwaited = !this.#isCompared || this.pendingRecords > 0 || this.#textHolds.size > 0;
    if (!this.#isMergingResumed && !isAwaited) this.#resumeMergingSoon();
    return null;
  }

  #resumeMergingSoon(): void {
    this.#mergingTimer ??= setTimeout(() => {
      if (this.#isMergingResumed || this.#scout.busy) this.#mergingTimer = null;
      else this.#follow(this.#resumeMerging());
    }, MERGING_RESUMES_MS).unref();
  }

  /** Asks the scout, which runs anyhow: mostly there is nothing that the other threads would have to be started for. */
  async #resumeMerging(): Promise<void> {
    this.#isMergingResumed = true;
    for (const texts of this.#texts) await texts.resumeMerging(this.#scout);
  }

  get #isTextHeld(): boolean {
    return this.#textHolds.size > 0 && this.pendingTexts > MANY_TEXTS;
  }

  #nextFor(shard: number, thread: Thread<IndexingTasks>): Promise<void> | null {
    if (!this.#toScan.isEmpty) return this.#scan(thread, this.#toScan.begin(this.#threads.length));
    if (this.#isTextHeld) return null;
    return this.#texts[shard]?.runNext(this.#textHolds.size === 0) ?? null;
  }

  async #compare(waiting: WaitingComparison): Promise<void> {
    try {
      const found = await this.#walk(waiting);
      const { changed, removed, problems, left, returned, read, related } = found;
      for (const problem of problems) this.#options.log.warn(problem, "Could not read a session directory");
      const changes = new Map<string, ListChange>(left.map((path) => [path, "removed"]));
      for (const path of returned) changes.set(path, "added");
      const isRead = new Set(read.map(({ path }) => path));
      this.#listChanged(
        changes,
        related.filter((path) => !isRead.has(path)),
      );
      if (removed.length > 0) await this.forget(removed);
      for (const { shard, size } of read) this.#shardBytes[shard] = (this.#shardBytes[shard] ?? 0) + size;
      this.#recordsRead(read, [], "bulk");
      let added = this.#toScan.addFound(changed);
      for (let more = found.more; more !== null; ) {
        this.#assignWork();
        const piece = await this.#scout.run("walkNext", { stream: more });
        if (piece === null) more = null;
        else added += this.#toScan.addFound(piece);
      }
      this.#isCompared = true;
      waiting.resolve({
        removed: removed.length,
        changed: read.length + added,
        returned: returned.length,
        missing: found.missing,
        expired: found.expired,
        misnamed: found.misnamed,
      });
    } catch (error) {
      waiting.reject(error);
      throw error;
    }
  }

  async #walk({ directories, missing }: WaitingComparison): Promise<IndexingTasks["walk"]["output"]> {
    const now = (this.#options.now ?? Date.now)();
    const most = this.#options.filesAtOnce ?? FILES_AT_ONCE;
    const walk = (isReading: boolean) => this.#scout.run("walk", { directories, missing, now, isReading, most });
    const isReading = this.pendingRecords === 0;
    try {
      return await walk(isReading);
    } catch (error) {
      if (!isReading || this.#isStopped) throw error;
      // Reading has failed, or even killed the thread, by the size of a file for example: they are read as all others are.
      return walk(false);
    }
  }

  async #scanUrgent({ files, resolve }: UrgentScan): Promise<void> {
    try {
      const read = await this.#readFiles(this.#scout, files);
      this.#recordsRead(read.files, read.related, "fresh");
    } finally {
      resolve();
    }
  }

  async #scan(thread: Thread<IndexingTasks>, batch: FoundFile[]): Promise<void> {
    try {
      await this.#readRecords(thread, batch);
    } finally {
      this.#toScan.end(batch);
    }
  }

  async #readRecords(thread: Thread<IndexingTasks>, files: FoundFile[]): Promise<void> {
    try {
      const read = await this.#readFiles(thread, files);
      this.#recordsRead(read.files, read.related, "bulk");
    } catch (error) {
      if (error instanceof IndexError) this.#lostRecords++;
      if (error instanceof IndexError || this.#isStopped || files.length === 1) throw error;
      // One of them has killed the thread, by its size for example: alone, it takes no other with it.
      for (const file of files) {
        await this.#readRecords(thread, [file]).catch((cause: unknown) => this.#giveUp(file, cause));
      }
    }
  }

  /** Tries as long as somebody else locks the index, each time for some seconds: nothing is wrong with the files. */
  async #readFiles(thread: Thread<IndexingTasks>, files: FoundFile[]): Promise<IndexingTasks["scan"]["output"]> {
    for (;;) {
      try {
        return await thread.run("scan", { files: files.map((file) => this.#withShard(file)) });
      } catch (error) {
        // Others, such as that a file takes too much memory, would come again.
        const passes = error instanceof AppError && error.details !== null && "retry_after_ms" in error.details;
        if (!passes || this.#isStopped) throw error;
        this.#options.log.warn({ err: error }, "Session files cannot be read yet; trying again");
      }
    }
  }

  #giveUp(file: FoundFile, error: unknown): void {
    if (error instanceof IndexError) throw error;
    this.#options.log.error({ err: error, path: file.path }, "Could not read a session file");
  }

  /** Takes note of records that were read, and queues their text. */
  #recordsRead(files: ScannedFile[], related: string[], urgency: Urgency): void {
    const changes = new Map<string, ListChange>();
    for (const file of files) {
      for (const shard of file.droppedShards) this.#texts[shard]?.contentsWereDropped();
      if (file.movedFrom !== null) changes.set(file.movedFrom, "removed");
      if (file.change !== null) changes.set(file.path, file.change);
      // What has just been written is none of the bytes that were waited for.
      if (urgency === "bulk") this.#bytesDone += file.size - file.unindexedBytes;
      if (file.unindexedBytes > 0) this.#texts[file.shard]?.queue.add({ ...file, bytes: file.unindexedBytes }, urgency);
    }
    this.#listChanged(changes, related);
    if (files.length > 0) this.#options.onFilesRead(files);
  }

  #listChanged(changes: Map<string, ListChange>, related: readonly string[]): void {
    if (changes.size > 0) this.#options.onListChanges(changes);
    const others = related.filter((path) => !changes.has(path));
    if (others.length > 0) this.#options.onRelated(others);
  }

  #withShard(file: FoundFile): FileToScan {
    return { ...file, shard: assignToSmallestShard(this.#shardBytes, file.stamp.size) };
  }

  #releaseWaiting(): void {
    const waiting = this.#waiting;
    this.#waiting = [];
    for (const resolve of waiting) resolve();
  }
}
