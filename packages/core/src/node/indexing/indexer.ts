import { isDeepStrictEqual } from "node:util";
import { IndexError } from "@sm/text-index/storage";
import type { LibraryLog } from "../../library-log.ts";
import type { FoundFile, ListChange, WalkResult } from "../catalog/found-files.ts";
import { sameStamp } from "../session-file/session-file.ts";
import type { Work } from "../session-file/work.ts";
import type { IndexPlace } from "../storage/index-place.ts";
import { type SessionRoots, stoppedError, Thread } from "../threads/thread.ts";
import { assignToSmallestShard, LARGE_BYTES } from "./first-page.ts";
import type { FileToScan, IndexingTasks, MergeNeed, ScannedFile } from "./indexing-tasks.ts";
import { TextQueue, type TextToIndex, type Urgency } from "./text-queue.ts";

/**
 * What one task reads at most. Each ends in a commit, for which the threads wait for each other, and after which the
 * others read their pages of the catalog again: few large ones are best.
 */
const BATCH_BYTES = 64 * 1024 * 1024;
const BATCH_FILES = 256;
/** Of what is left a thread takes such a share, so that all end at the same time, but no less than is worth a commit. */
const BATCH_SHARE = 1 / 4;
const MIN_BATCH_BYTES = 4 * 1024 * 1024;
/** What of changed files is read at once altogether. */
const QUICK_BYTES = 16 * 1024 * 1024;
const MAX_SESSIONS_PER_TASK = 256;
/** Text of fewer sessions is indexed in a moment, for which nobody is kept waiting. */
const MANY_TEXTS = 256;
/** Threads hold buffers and caches of some ten megabytes each, which an idle service does not need. */
const IDLE_STOP_MS = 10_000;

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
  roots?: SessionRoots | undefined;
  onProgress: () => void;
  /** Called when files were read or forgotten and the list of sessions is not what it was. */
  onListChanges: (changes: Map<string, ListChange>) => void;
  /** Called when every entry of these sessions can be searched. */
  onSearchable: (paths: string[]) => void;
  /** Called with the bytes of session files that were made searchable. */
  onIndexed: (bytes: number) => void;
  /** The index is damaged or cannot be written any more. */
  onIndexError: (error: IndexError) => void;
}

interface WaitingWalk {
  directories: string[];
  missing: string[];
  result: Promise<Comparison>;
  done: (result: Comparison) => void;
  failed: (error: unknown) => void;
}

interface UrgentScan {
  files: FoundFile[];
  result: Promise<void>;
  done: () => void;
}

/** A file that was seen to have changed. */
export interface ChangedFile extends FoundFile {
  /** Bytes that are not read yet. */
  unread: number;
}

/** What a comparison has found: how many files differed from what was known, and which directories are missing. */
export interface Refreshed extends Pick<WalkResult, "missing" | "expired" | "misnamed"> {
  removed: number;
  changed: number;
  /** Sessions that are listed again, perhaps without all of their text being searchable. */
  returned: number;
  /** Whether the index holds the records of all that was found; `false` where it could not be written, or was given up. */
  isWhole: boolean;
}

type Comparison = Omit<Refreshed, "isWhole">;

/**
 * Keeps the index up to date with the files. One thread, the scout, does at once what somebody waits for: comparing
 * the directories and reading single files. The others, one for each text database, read records first, then text,
 * the newest first; what they are given may take a second.
 */
export class Indexer {
  readonly #options: IndexerOptions;
  readonly #scout: Thread<IndexingTasks>;
  readonly #threads: Thread<IndexingTasks>[];
  readonly #toScan: FoundFile[] = [];
  readonly #urgent: UrgentScan[] = [];
  readonly #walks: WaitingWalk[] = [];
  /** Whether a comparison comes before the files that somebody waits for. */
  #isWalkNext = false;
  readonly #toIndex: TextQueue[];
  readonly #toSweep: Set<number>;
  /** By text database, how many sessions the next task takes at most. */
  readonly #sessionsPerTask: number[];
  /** Text databases in need of merging. */
  readonly #toTidy = new Map<number, MergeNeed>();
  #isMergingResumed = false;
  #isCompared = false;
  readonly #textHolds = new Set<() => void>();
  readonly #shardBytes: number[];
  /** Files that are being read, as they were when that was ordered. */
  readonly #scanning = new Map<string, FoundFile>();
  readonly #toScanAgain = new Map<string, FoundFile>();
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
    const newThread = () => new Thread<IndexingTasks>({ index: options.place }, { roots: options.roots });
    this.#scout = newThread();
    this.#threads = Array.from({ length: options.place.shards }, newThread);
    this.#scout.start();
    this.#toIndex = this.#threads.map(() => new TextQueue());
    this.#sessionsPerTask = this.#threads.map(() => MAX_SESSIONS_PER_TASK);
    this.#toSweep = new Set(options.droppedShards);
    this.#shardBytes = options.shardBytes;
    this.#isNew = options.shardBytes.every((bytes) => bytes === 0);
    this.resume(options.unindexed);
  }

  /** Takes up text that is not searchable yet, left over by a former run or by a disk that was full. */
  resume(unindexed: IndexerOptions["unindexed"]): void {
    for (const { shard, ...session } of unindexed) this.#toIndex[shard]?.add(session, "bulk");
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
    return this.#toScan.length + this.#scanning.size;
  }

  get pendingTexts(): number {
    return this.#toIndex.reduce((sum, sessions) => sum + sessions.size, 0);
  }

  /** Whether every record is read, and nobody waits for anything. */
  get isSettled(): boolean {
    const isAwaited = this.#walks.length > 0 || this.#urgent.length > 0 || this.#waiting.length > 0;
    return this.pendingRecords === 0 && !isAwaited && !this.#scout.busy;
  }

  /** An estimate: what is done since the start, and that together with what is left. */
  get bytes(): { done: number; total: number } {
    const unread = [...this.#toScan, ...this.#scanning.values()].reduce((sum, { stamp }) => sum + stamp.size, 0);
    const unindexed = this.#toIndex.reduce((sum, texts) => sum + texts.bytes, 0);
    return { done: this.#bytesDone, total: this.#bytesDone + unread + unindexed };
  }

  /** Compares the directories with the index and waits until the records of all files that differ are read. */
  async refresh(directories: string[], missing: string[] = []): Promise<Refreshed> {
    const lostBefore = this.#lostRecords;
    const result = await this.#comparison(directories, missing);
    if (this.pendingRecords > 0) await new Promise<void>((resolve) => this.#waiting.push(resolve));
    return { ...result, isWhole: this.#lostRecords === lostBefore && !this.#isStopped };
  }

  /** One comparison is enough for all that ask before it begins; one under way may have passed a changed folder. */
  #comparison(directories: string[], missing: string[]): Promise<Comparison> {
    const asked = { directories, missing };
    const waiting = this.#walks.find((walk) =>
      isDeepStrictEqual(asked, { directories: walk.directories, missing: walk.missing }),
    );
    if (waiting !== undefined) return waiting.result;
    const { promise, resolve, reject } = promiseWithResolvers<Comparison>();
    this.#walks.push({ ...asked, result: promise, done: resolve, failed: reject });
    this.#assignWork();
    return promise;
  }

  /**
   * Keeps the text of many sessions from being indexed until the returned function is called: it would take the
   * processors from somebody who waits for all records.
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
    const [only] = files;
    const waiting = files.length === 1 ? this.#urgent.find((scan) => isOf(scan, only)) : undefined;
    if (waiting !== undefined) return waiting.result;
    let done = (): void => undefined;
    const result = new Promise<void>((resolve) => {
      done = resolve;
    });
    this.#urgent.push({ files, result, done });
    this.#assignWork();
    return result;
  }

  /** Reads files that have changed: at once where that is quick. */
  scanChanged(files: ChangedFile[]): void {
    const queued = new Set(this.#toScan.map((file) => file.path));
    const quick: FoundFile[] = [];
    let room = QUICK_BYTES;
    for (const { unread, ...file } of files) {
      if (file.movedFrom === undefined && this.#scanning.has(file.path)) this.#toScanAgain.set(file.path, file);
      else if (unread <= Math.min(LARGE_BYTES, room)) {
        quick.push(file);
        room -= unread;
      } else if (!queued.has(file.path)) this.#toScan.unshift(file);
    }
    if (quick.length > 0) void this.scanNow(quick);
    else this.#assignWork();
  }

  /** Forgets sessions whose files are gone. */
  async forget(paths: string[]): Promise<void> {
    const sessions = await this.#scout.run("forget", { paths });
    for (const shard of this.#threads.keys()) this.#toSweep.add(shard);
    if (sessions.length > 0) this.#options.onListChanges(new Map(sessions.map((path) => [path, "removed"])));
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
    await Promise.all(this.#all.map((thread) => thread.stop()));
    for (const { done } of this.#urgent.splice(0)) done();
    for (const { failed } of this.#walks.splice(0)) failed(stoppedError());
    this.#releaseWaiting();
  }

  #assignWork(): void {
    if (this.#isStopped) return;
    this.#stopIdleTimer();
    if (!this.#scout.busy) this.#do(this.#nextForScout());
    for (const [shard, thread] of this.#threads.entries()) {
      if (!thread.busy) this.#do(this.#nextFor(shard, thread));
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

  #do(job: Promise<void> | null): void {
    if (job === null) return;
    job
      .catch((error: unknown) => {
        if (this.#isStopped) return;
        if (error instanceof IndexError) this.#options.onIndexError(error);
        else this.#options.log.error({ err: error }, "Indexing failed");
      })
      .finally(() => {
        if (this.pendingRecords === 0 && this.#walks.length === 0) this.#releaseWaiting();
        this.#options.onProgress();
        this.#assignWork();
      });
  }

  #nextForScout(): Promise<void> | null {
    // By turns, so that neither keeps the other waiting for more than one task.
    const urgent = this.#isWalkNext && this.#walks.length > 0 ? undefined : this.#urgent.shift();
    this.#isWalkNext = urgent !== undefined;
    if (urgent !== undefined) return this.#scanUrgent(urgent);
    const walk = this.#walks.shift();
    if (walk !== undefined) return this.#walk(walk);
    // Opening the text takes as long as reading the first records.
    const isReading = !this.#isCompared || this.pendingRecords > 0 || this.#isTextHeld;
    return this.#isMergingResumed || isReading ? null : this.#resumeMerging();
  }

  /** Asks the scout, which runs anyhow: mostly there is nothing that the other threads would have to be started for. */
  async #resumeMerging(): Promise<void> {
    this.#isMergingResumed = true;
    for (const shard of this.#threads.keys()) {
      if (this.#toTidy.has(shard)) continue;
      const merging = await this.#scout.run("mergeNeed", { shard });
      if (!this.#toTidy.has(shard)) this.#toTidy.set(shard, merging);
    }
  }

  get #isTextHeld(): boolean {
    return this.#textHolds.size > 0 && this.pendingTexts > MANY_TEXTS;
  }

  #nextFor(shard: number, thread: Thread<IndexingTasks>): Promise<void> | null {
    if (this.#toScan.length > 0) return this.#scan(thread, this.#nextBatch());
    if (this.#isTextHeld) return null;
    if (this.#toSweep.delete(shard)) return this.#sweep(thread, shard);
    const texts = this.#toIndex[shard];
    const merging = this.#toTidy.get(shard) ?? "none";
    if (texts !== undefined && texts.size > 0 && merging !== "now") return this.#index(thread, shard, texts);
    return merging === "none" ? null : this.#tidy(thread, shard);
  }

  async #walk(walk: WaitingWalk): Promise<void> {
    try {
      const found = await this.#compared(walk);
      const { changed, removed, problems, left, returned, read } = found;
      for (const problem of problems) this.#options.log.warn(problem, "Could not read a session directory");
      const changes = new Map<string, ListChange>(left.map((path) => [path, "removed"]));
      for (const path of returned) changes.set(path, "added");
      if (changes.size > 0) this.#options.onListChanges(changes);
      if (removed.length > 0) await this.forget(removed);
      for (const { shard, size } of read) this.#shardBytes[shard] = (this.#shardBytes[shard] ?? 0) + size;
      this.#take(read, "bulk");
      const ordered = new Map([...this.#toScan.map((file) => [file.path, file] as const), ...this.#scanning]);
      const fresh = changed.filter(({ path, movedFrom }) => {
        const before = ordered.get(path);
        // The old path of a moved file is forgotten only when the new one is read as such.
        return before === undefined || (movedFrom !== undefined && before.movedFrom !== movedFrom);
      });
      this.#toScan.push(...fresh);
      this.#isCompared = true;
      // A file that is being read may have been read before it changed: once more, when that is done.
      for (const file of changed) {
        const before = this.#scanning.get(file.path);
        if (before !== undefined && !sameStamp(before.stamp, file.stamp)) this.#toScanAgain.set(file.path, file);
      }
      walk.done({
        removed: removed.length,
        changed: read.length + fresh.length,
        returned: returned.length,
        missing: found.missing,
        expired: found.expired,
        misnamed: found.misnamed,
      });
    } catch (error) {
      walk.failed(error);
      throw error;
    }
  }

  async #compared({ directories, missing }: WaitingWalk): Promise<IndexingTasks["walk"]["output"]> {
    const now = (this.#options.now ?? Date.now)();
    const compare = (isReading: boolean) => this.#scout.run("walk", { directories, missing, now, isReading });
    const isReading = this.pendingRecords === 0;
    try {
      return await compare(isReading);
    } catch (error) {
      if (!isReading || this.#isStopped) throw error;
      // Reading has failed, or even killed the thread, by the size of a file for example: they are read as all others are.
      return compare(false);
    }
  }

  #nextBatch(): FoundFile[] {
    const batch: FoundFile[] = [];
    const left = this.#toScan.reduce((sum, { stamp }) => sum + stamp.size, 0);
    const share = (left * BATCH_SHARE) / this.#threads.length;
    const most = Math.min(BATCH_BYTES, Math.max(MIN_BATCH_BYTES, share));
    let bytes = 0;
    for (;;) {
      const next = this.#toScan[0];
      const isFull = batch.length === BATCH_FILES || (batch.length > 0 && bytes + (next?.stamp.size ?? 0) > most);
      if (next === undefined || isFull) break;
      this.#toScan.shift();
      batch.push(next);
      bytes += next.stamp.size;
    }
    return batch;
  }

  async #scanUrgent({ files, done }: UrgentScan): Promise<void> {
    try {
      this.#take(await this.#scout.run("scan", { files: files.map((file) => this.#withShard(file)) }), "fresh");
    } finally {
      done();
    }
  }

  async #scan(thread: Thread<IndexingTasks>, batch: FoundFile[]): Promise<void> {
    for (const file of batch) this.#scanning.set(file.path, file);
    try {
      this.#take(await thread.run("scan", { files: batch.map((file) => this.#withShard(file)) }), "bulk");
    } catch (error) {
      if (error instanceof IndexError) this.#lostRecords++;
      if (error instanceof IndexError || this.#isStopped || batch.length === 1) throw error;
      // One of them has killed the thread, by its size for example: alone, it takes no other with it.
      for (const file of batch) await this.#scan(thread, [file]).catch((cause: unknown) => this.#giveUp(file, cause));
    } finally {
      for (const { path } of batch) {
        this.#scanning.delete(path);
        const again = this.#toScanAgain.get(path);
        if (again !== undefined) this.#toScan.push(again);
        this.#toScanAgain.delete(path);
      }
    }
  }

  #giveUp(file: FoundFile, error: unknown): void {
    if (error instanceof IndexError) throw error;
    this.#options.log.error({ err: error, path: file.path }, "Could not read a session file");
  }

  async #index(thread: Thread<IndexingTasks>, shard: number, texts: TextQueue): Promise<void> {
    const limit = this.#sessionsPerTask[shard] ?? 1;
    const sessions = texts.next(limit);
    let indexed: IndexingTasks["index"]["output"];
    try {
      indexed = await thread.run("index", { shard, sessions: sessions.map(({ key, path }) => ({ key, path })) });
    } catch (error) {
      if (error instanceof IndexError) texts.clear();
      if (error instanceof IndexError || this.#isStopped) throw error;
      // One of them has failed, by its size for example: alone, it takes no other with it.
      this.#sessionsPerTask[shard] = 1;
      const [text, ...others] = sessions;
      if (text === undefined || others.length > 0) return;
      // Whatever it was, it must not be tried for ever; the next start tries once more.
      texts.remove(text);
      this.#options.log.error({ err: error, path: text.path }, "Could not index the text of a session");
      return;
    }
    this.#sessionsPerTask[shard] = Math.min(2 * limit, MAX_SESSIONS_PER_TASK);
    const byKey = new Map(sessions.map((session) => [session.key, session]));
    const searchable: string[] = [];
    for (const { key, complete, bytes } of indexed.sessions) {
      const text = byKey.get(key);
      if (text === undefined) continue;
      this.#bytesDone += bytes;
      this.#options.onIndexed(bytes);
      text.bytes = Math.max(0, text.bytes - bytes);
      if (complete && texts.remove(text)) searchable.push(text.path);
    }
    this.#toTidy.set(shard, indexed.merging);
    this.#options.onSearchable(searchable);
  }

  async #sweep(thread: Thread<IndexingTasks>, shard: number): Promise<void> {
    this.#toTidy.set(shard, await thread.run("sweep", { shard }));
  }

  async #tidy(thread: Thread<IndexingTasks>, shard: number): Promise<void> {
    this.#toTidy.delete(shard);
    this.#toTidy.set(shard, await thread.run("tidy", { shard }));
  }

  #take(files: ScannedFile[], urgency: Urgency): void {
    const changes = new Map<string, ListChange>();
    for (const file of files) {
      for (const shard of file.droppedShards) this.#toSweep.add(shard);
      if (file.movedFrom !== null) changes.set(file.movedFrom, "removed");
      if (file.change !== null) changes.set(file.path, file.change);
      // What has just been written is none of the bytes that were waited for.
      if (urgency === "bulk") this.#bytesDone += file.size - file.unindexedBytes;
      if (file.unindexedBytes > 0) this.#toIndex[file.shard]?.add({ ...file, bytes: file.unindexedBytes }, urgency);
    }
    if (changes.size > 0) this.#options.onListChanges(changes);
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

/** Whether a scan that has not begun reads this file anyway, as it will be then. */
function isOf({ files }: UrgentScan, wanted: FoundFile | undefined): boolean {
  const [only] = files;
  if (files.length !== 1 || only === undefined || wanted === undefined) return false;
  return only.path === wanted.path && only.movedFrom === wanted.movedFrom;
}

/** Node 20 has no `Promise.withResolvers`. */
function promiseWithResolvers<T>() {
  let resolve: (value: T) => void = () => undefined;
  let reject: (error: unknown) => void = () => undefined;
  const promise = new Promise<T>((onValue, onError) => {
    resolve = onValue;
    reject = onError;
  });
  return { promise, resolve, reject };
}
