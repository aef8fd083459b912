import { isDeepStrictEqual } from "node:util";
import { AppError } from "../../errors.ts";
import type { LibraryLog } from "../library-log.ts";
import { sameStamp } from "../session-file.ts";
import type { FileToScan, FoundFile, IndexedSession, ListChange, ScannedFile, SessionKey } from "../threads/tasks.ts";
import { Thread } from "../threads/thread.ts";
import type { Work } from "../work.ts";
import type { IndexPlace } from "./databases.ts";
import { IndexError } from "./index-error.ts";

/** What one task reads. Each ends in a commit, and the threads wait for each other there: few large ones are best. */
const BATCH_BYTES = 16 * 1024 * 1024;
const BATCH_FILES = 256;
/** Until the first page of a list is there, somebody is waiting: small tasks, so that records appear at once. */
const FIRST_FILES = 64;
const FIRST_BATCH_BYTES = 1024 * 1024;
/** A file that takes longer than the rest of a first page. */
const LARGE_BYTES = 2 * 1024 * 1024;
/** Less than that is merged well enough by SQLite as it comes. */
const BYTES_TO_MERGE = 32 * 1024 * 1024;
const SESSIONS_PER_INDEX_TASK = 256;
/** Threads hold buffers and caches of some ten megabytes each, which an idle service does not need. */
const IDLE_STOP_MS = 10_000;

export interface IndexerOptions {
  place: IndexPlace;
  log: LibraryLog;
  /** Bytes of known sessions by text database. */
  shardBytes: number[];
  /** What a former run has left to do. */
  unindexed: (SessionKey & { shard: number; size: number })[];
  droppedShards: number[];
  onProgress: () => void;
  /** Called when files were read or forgotten and the list of sessions is not what it was. */
  onListChanges: (changes: Map<string, ListChange>) => void;
  /** Called when every entry of these sessions can be searched. */
  onSearchable: (paths: string[]) => void;
  /** The index is damaged or cannot be written any more. */
  onIndexError: (error: IndexError) => void;
}

interface TextToIndex extends SessionKey {
  size: number;
}

interface WaitingWalk {
  directories: string[];
  result: Promise<Refreshed>;
  done: (result: Refreshed) => void;
  failed: (error: unknown) => void;
}

interface UrgentScan {
  files: FoundFile[];
  done: () => void;
}

/** A file that was seen to have changed. */
export interface ChangedFile extends FoundFile {
  /** Bytes that are not read yet. */
  unread: number;
}

/** How many files differed from what was known. */
export interface Refreshed {
  removed: number;
  changed: number;
}

/**
 * Keeps the index up to date with the files. One thread, the scout, does at once what somebody waits for: comparing
 * the directories and reading single files. The others, one for each text database, read records first, then text,
 * the newest first; what they are given may take a second.
 */
export class Indexer {
  readonly #options: IndexerOptions;
  readonly #scout: Thread;
  readonly #threads: Thread[];
  readonly #toScan: FoundFile[] = [];
  readonly #urgent: UrgentScan[] = [];
  readonly #walks: WaitingWalk[] = [];
  readonly #toIndex: Map<number, TextToIndex>[];
  readonly #toSweep: Set<number>;
  /** Text databases in need of merging, and whether that was begun. */
  readonly #toTidy = new Map<number, { isBegun: boolean }>();
  /** Bytes of sessions indexed since a text database was last merged. */
  readonly #unmergedBytes: number[];
  readonly #shardBytes: number[];
  /** Files that are being read, as they were when that was ordered. */
  readonly #scanning = new Map<string, FoundFile>();
  readonly #toScanAgain = new Map<string, FoundFile>();
  #waiting: (() => void)[] = [];
  #firstFiles = FIRST_FILES;
  #bytesDone = 0;
  #bytesTotal = 0;
  #isStopped = false;
  #idleTimer: NodeJS.Timeout | null = null;

  constructor(options: IndexerOptions) {
    this.#options = options;
    this.#scout = new Thread({ index: options.place });
    this.#threads = Array.from({ length: options.place.shards }, () => new Thread({ index: options.place }));
    // The scout compares the directories, and the first of the others is needed right after that.
    this.#scout.start();
    this.#threads[0]?.start();
    this.#toIndex = this.#threads.map(() => new Map());
    this.#unmergedBytes = this.#threads.map(() => 0);
    this.#toSweep = new Set(options.droppedShards);
    this.#shardBytes = options.shardBytes;
    this.resume(options.unindexed);
  }

  /** Takes up text that is not searchable yet, left over by a former run or by a disk that was full. */
  resume(unindexed: IndexerOptions["unindexed"]): void {
    for (const { shard, ...session } of unindexed) this.#addText(shard, session);
    this.#assignWork();
  }

  get #all(): Thread[] {
    return [this.#scout, ...this.#threads];
  }

  get pendingRecords(): number {
    return this.#toScan.length + this.#scanning.size;
  }

  get pendingTexts(): number {
    return this.#toIndex.reduce((sum, sessions) => sum + sessions.size, 0);
  }

  get bytes(): { done: number; total: number } {
    // An estimate: a file that changes while it waits is counted twice.
    const isDone = this.pendingRecords === 0 && this.pendingTexts === 0;
    return { done: isDone ? this.#bytesTotal : Math.min(this.#bytesDone, this.#bytesTotal), total: this.#bytesTotal };
  }

  /** Compares the directories with the index and waits until the records of all files that differ are read. */
  async refresh(directories: string[]): Promise<Refreshed> {
    const result = await this.#comparison(directories);
    if (this.pendingRecords > 0) await new Promise<void>((resolve) => this.#waiting.push(resolve));
    return result;
  }

  /** One comparison is enough for all that ask before it begins; one under way may have passed a changed folder. */
  #comparison(directories: string[]): Promise<Refreshed> {
    const waiting = this.#walks.find((walk) => isDeepStrictEqual(walk.directories, directories));
    if (waiting !== undefined) return waiting.result;
    const { promise, resolve, reject } = promiseWithResolvers<Refreshed>();
    this.#walks.push({ directories, result: promise, done: resolve, failed: reject });
    this.#assignWork();
    return promise;
  }

  /** Starts the thread that will be needed in a moment. */
  wake(): void {
    if (this.#isStopped || this.#scout.started) return;
    this.#scout.start();
    this.#assignWork();
  }

  /** Reads the records of files before everything else, as well as that can be done. */
  scanNow(files: FoundFile[]): Promise<void> {
    return new Promise((done) => {
      this.#urgent.push({ files, done });
      this.#assignWork();
    });
  }

  /** Reads files that have changed: at once where that is quick. */
  scanChanged(files: ChangedFile[]): void {
    const queued = new Set(this.#toScan.map((file) => file.path));
    const quick: FoundFile[] = [];
    let room = BATCH_BYTES;
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
    const stopped = new AppError(
      "UNAVAILABLE",
      "The service is stopping or builds its index anew; try again in a moment.",
    );
    for (const { failed } of this.#walks.splice(0)) failed(stopped);
    this.#releaseWaiting();
  }

  #assignWork(): void {
    if (this.#isStopped) return;
    this.#stopIdleTimer();
    if (!this.#scout.busy) this.#do(this.#nextForScout());
    for (const [shard, thread] of this.#threads.entries()) {
      const isAwaited = shard === 0 || thread.started || !this.#isFirstPageDue;
      if (!thread.busy && isAwaited) this.#do(this.#nextFor(shard, thread));
    }
    if (this.#all.some((thread) => thread.busy) || !this.#all.some((thread) => thread.started)) return;
    this.#idleTimer = setTimeout(() => {
      for (const thread of this.#all) void thread.stop();
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
    const urgent = this.#urgent.shift();
    if (urgent !== undefined) return this.#scanUrgent(urgent);
    const walk = this.#walks.shift();
    if (walk !== undefined) return this.#walk(walk);
    return this.#isFirstPageDue ? this.#scan(this.#scout, this.#nextBatch()) : null;
  }

  /** Until a list has its first page, two threads that run already are faster than a third that has to start. */
  get #isFirstPageDue(): boolean {
    return this.#firstFiles > 0 && this.#toScan.length > 0;
  }

  #nextFor(shard: number, thread: Thread): Promise<void> | null {
    if (this.#toScan.length > 0) return this.#scan(thread, this.#nextBatch());
    if (this.#toSweep.delete(shard)) return thread.run("sweep", { shard }).then(() => undefined);
    const texts = this.#toIndex[shard];
    if (texts !== undefined && texts.size > 0) return this.#index(thread, shard, texts);
    const merging = this.#toTidy.get(shard);
    return merging === undefined ? null : this.#tidy(thread, shard, merging);
  }

  async #walk(walk: WaitingWalk): Promise<void> {
    try {
      const { changed, removed, problems } = await this.#scout.run("walk", { directories: walk.directories });
      for (const problem of problems) this.#options.log.warn(problem, "A session directory cannot be read");
      if (removed.length > 0) await this.forget(removed);
      const ordered = new Map([...this.#toScan.map((file) => [file.path, file] as const), ...this.#scanning]);
      const fresh = changed.filter(({ path, movedFrom }) => {
        const before = ordered.get(path);
        // The old path of a moved file is forgotten only when the new one is read as such.
        return before === undefined || (movedFrom !== undefined && before.movedFrom !== movedFrom);
      });
      for (const file of fresh) this.#bytesTotal += file.stamp.size;
      this.#toScan.push(...firstSmall(fresh));
      // A file that is being read may have been read before it changed: once more, when that is done.
      for (const file of changed) {
        const before = this.#scanning.get(file.path);
        if (before !== undefined && !sameStamp(before.stamp, file.stamp)) this.#toScanAgain.set(file.path, file);
      }
      walk.done({ removed: removed.length, changed: fresh.length });
    } catch (error) {
      walk.failed(error);
      throw error;
    }
  }

  #nextBatch(): FoundFile[] {
    const batch: FoundFile[] = [];
    const most = this.#firstFiles > 0 ? FIRST_BATCH_BYTES : BATCH_BYTES;
    let bytes = 0;
    for (;;) {
      const next = this.#toScan[0];
      const isFull = batch.length === BATCH_FILES || (batch.length > 0 && bytes + (next?.stamp.size ?? 0) > most);
      if (next === undefined || isFull) break;
      this.#toScan.shift();
      batch.push(next);
      bytes += next.stamp.size;
    }
    this.#firstFiles -= batch.length;
    return batch;
  }

  async #scanUrgent({ files, done }: UrgentScan): Promise<void> {
    try {
      this.#take(await this.#scout.run("scan", { files: files.map((file) => this.#withShard(file)) }));
    } finally {
      done();
    }
  }

  async #scan(thread: Thread, batch: FoundFile[]): Promise<void> {
    for (const file of batch) this.#scanning.set(file.path, file);
    try {
      this.#take(await thread.run("scan", { files: batch.map((file) => this.#withShard(file)) }));
    } catch (error) {
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
    this.#options.log.error({ err: error, path: file.path }, "A session file could not be read");
  }

  async #index(thread: Thread, shard: number, texts: Map<number, TextToIndex>): Promise<void> {
    const sessions = [...texts.values()].slice(0, SESSIONS_PER_INDEX_TASK);
    let indexed: IndexedSession[];
    try {
      indexed = await thread.run("index", { shard, sessions: sessions.map(({ key, path }) => ({ key, path })) });
    } catch (error) {
      // Whatever it was, it must not be tried for ever; the next start tries once more.
      const [first] = sessions;
      if (first !== undefined && !(error instanceof IndexError)) texts.delete(first.key);
      if (error instanceof IndexError) texts.clear();
      throw error;
    }
    const searchable: string[] = [];
    for (const { key, complete, misread } of indexed) {
      const text = texts.get(key);
      if (misread !== null) {
        texts.delete(key);
        this.#toScan.push(misread);
        continue;
      }
      // Another object: the session has grown meanwhile, and the new entries are still to be done.
      if (!complete || text === undefined || !sessions.includes(text)) continue;
      texts.delete(key);
      this.#bytesDone += text.size;
      this.#unmergedBytes[shard] = (this.#unmergedBytes[shard] ?? 0) + text.size;
      searchable.push(text.path);
    }
    this.#options.onSearchable(searchable);
    if ((this.#unmergedBytes[shard] ?? 0) < BYTES_TO_MERGE) return;
    this.#unmergedBytes[shard] = 0;
    this.#toTidy.set(shard, { isBegun: false });
  }

  async #tidy(thread: Thread, shard: number, merging: { isBegun: boolean }): Promise<void> {
    this.#toTidy.delete(shard);
    const isDone = await thread.run("tidy", { shard, isFirst: !merging.isBegun });
    if (!isDone && !this.#toTidy.has(shard)) this.#toTidy.set(shard, { isBegun: true });
  }

  #take(files: ScannedFile[]): void {
    const changes = new Map<string, ListChange>();
    for (const file of files) {
      for (const shard of file.droppedShards) this.#toSweep.add(shard);
      if (file.movedFrom !== null) changes.set(file.movedFrom, "removed");
      if (file.change !== null) changes.set(file.path, file.change);
      if (file.status !== "session") this.#bytesDone += file.size;
      else if (file.unindexed > 0) this.#addText(file.shard, file);
    }
    if (changes.size > 0) this.#options.onListChanges(changes);
  }

  #addText(shard: number, { key, path, size }: TextToIndex): void {
    this.#toIndex[shard]?.set(key, { key, path, size });
  }

  #withShard(file: FoundFile): FileToScan {
    const shard = this.#shardBytes.indexOf(Math.min(...this.#shardBytes));
    this.#shardBytes[shard] = (this.#shardBytes[shard] ?? 0) + file.stamp.size;
    return { ...file, shard };
  }

  #releaseWaiting(): void {
    const waiting = this.#waiting;
    this.#waiting = [];
    for (const resolve of waiting) resolve();
  }
}

/**
 * The newest files of ordinary size first, so that a list has its first page at once; then the large ones, so that at
 * the end no thread waits for another that began one of them last; then all others.
 */
function firstSmall(changed: FoundFile[]): FoundFile[] {
  const isLarge = (file: FoundFile) => file.stamp.size > LARGE_BYTES;
  const small = changed.filter((file) => !isLarge(file));
  return [...small.slice(0, FIRST_FILES), ...changed.filter(isLarge), ...small.slice(FIRST_FILES)];
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
