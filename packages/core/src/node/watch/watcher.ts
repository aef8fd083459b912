import { type FSWatcher, watch } from "node:fs";
import { lstat, readdir, stat } from "node:fs/promises";
import { basename, dirname, join, sep } from "node:path";
import { isScannedDirectory } from "../catalog/walk.ts";
import { errorCode, isAbsence } from "../files/file-errors.ts";
import { isSessionFileName, isThreadFile } from "../session-file/session-file-name.ts";

/** An agent writes a message in several pieces; they count as one change. */
const QUIET_MS = 100;
/** With many active agents there is no quiet time; changes are reported after this time anyway. */
const MAX_BATCH_MS = 250;
/** The kernel drops events silently when 16,384 wait; long before, a scan is cheaper than single files. */
const MAX_EVENTS_IN_BATCH = 4_096;

/** Changes within a short time. */
export interface WatchBatch {
  /** Session files that were created, written, moved or removed; may be unchanged. */
  paths: Set<string>;
  /** Directories were added or removed, or events may be lost: a scan is needed. */
  directoriesChanged: boolean;
}

export interface WatcherOptions {
  /** Called at every event of a watched directory, before its batch is complete. */
  onEvent: () => void;
  onBatch: (batch: WatchBatch) => void;
  /** Called once per error code until everything is watched; ENOSPC and EMFILE are limits of the system. */
  onError: (error: unknown) => void;
  /** Replaces `watch` of `node:fs` in tests. */
  watchDirectory?: typeof watch;
}

interface Watched {
  watcher: FSWatcher;
  depth: number;
}

/**
 * Watches directories recursively, one watch per directory and none for files. Uses `fs.watch` instead of chokidar,
 * which lists a directory again for every append in it and loses recreated directories, see
 * `docs/adr/0007-watching.md`.
 */
export class Watcher {
  readonly #options: WatcherOptions;
  readonly #watched = new Map<string, Watched>();
  /** Inodes of the roots, to detect replaced ones. */
  readonly #roots = new Map<string, number>();
  /** By missing path: watcher of the directory in which its next component will appear. */
  readonly #awaited = new Map<string, FSWatcher>();
  /** Directories that could not be watched: depth and error code. */
  readonly #failed = new Map<string, { depth: number; code: string }>();
  /** Whether a missing path cannot be awaited. */
  #isAwaitFailed = false;
  readonly #reported = new Set<string>();
  /** Added or removed names, which may be directories. */
  readonly #renamed = new Set<string>();
  #batch: WatchBatch = emptyBatch();
  #batchEvents = 0;
  #batchStart = 0;
  #lastEvent = 0;
  #timer: NodeJS.Timeout | null = null;
  #events = 0;
  #isClosed = false;
  /** Changes of the watched set, sequentially. */
  #changing: Promise<void> = Promise.resolve();

  constructor(options: WatcherOptions) {
    this.#options = options;
  }

  /** Number of events of watched directories. */
  get events(): number {
    return this.#events;
  }

  get directories(): number {
    return this.#watched.size;
  }

  /**
   * Whether some directory is not watched because of resource limits. Unreadable directories contain no known session.
   */
  get isIncomplete(): boolean {
    return this.#isAwaitFailed || [...this.#failed.values()].some(({ code }) => code !== "EACCES");
  }

  /**
   * Watches exactly these directories, and retries earlier failures. Resolves when everything is watched: a subsequent
   * scan misses nothing.
   *
   * @param missing directories that do not exist; their appearance is reported as `directoriesChanged`.
   */
  watch(roots: string[], missing: string[]): Promise<void> {
    return this.#change(async () => {
      for (const root of this.#roots.keys()) {
        if (!roots.includes(root)) this.#forgetRoot(root);
      }
      for (const [path, { depth }] of [...this.#failed]) await this.#descend(path, depth);
      for (const root of roots) await this.#watchRoot(root);
      for (const path of this.#awaited.keys()) this.#stopAwaiting(path);
      this.#isAwaitFailed = false;
      for (const path of missing) await this.#awaitDirectory(path);
      // Removed in the meantime.
      for (const root of roots)
        if (!this.#watched.has(root) && !this.#failed.has(root)) await this.#awaitDirectory(root);
      for (const root of roots) if (this.#failed.get(root)?.code === "EACCES") await this.#awaitDirectory(root, true);
      if (!this.isIncomplete) this.#reported.clear();
    });
  }

  close(): void {
    this.#isClosed = true;
    if (this.#timer !== null) clearTimeout(this.#timer);
    for (const path of this.#awaited.keys()) this.#stopAwaiting(path);
    for (const { watcher } of this.#watched.values()) watcher.close();
    this.#watched.clear();
  }

  #change(change: () => Promise<void>): Promise<void> {
    this.#changing = this.#changing.then(change);
    return this.#changing;
  }

  async #watchRoot(root: string): Promise<void> {
    const inode = await inodeOf(root);
    if (inode !== null && this.#roots.get(root) === inode && this.#watched.has(root)) return;
    this.#forgetRoot(root);
    if (inode === null) return;
    this.#roots.set(root, inode);
    await this.#watchTree(root, 0);
  }

  #forgetRoot(root: string): void {
    this.#roots.delete(root);
    this.#unwatchTree(root);
  }

  async #watchTree(path: string, depth: number): Promise<void> {
    this.#unwatchTree(path);
    await this.#descend(path, depth);
  }

  /** Watches a directory before listing it, so that no new directory is missed. */
  async #descend(path: string, depth: number): Promise<void> {
    if (this.#isClosed) return;
    this.#failed.delete(path);
    this.#watched.get(path)?.watcher.close();
    try {
      const watcher = this.#open(path, (type, name) => this.#onEvent(path, type, name));
      this.#watched.set(path, { watcher, depth });
      for (const entry of await readdir(path, { withFileTypes: true })) {
        const isWanted = entry.isDirectory() && isScannedDirectory(entry.name, depth + 1);
        if (isWanted) await this.#descend(join(path, entry.name), depth + 1);
      }
    } catch (error) {
      this.#fail(path, depth, error);
    }
  }

  #unwatchTree(path: string): void {
    const isInside = (other: string) => other === path || other.startsWith(path.endsWith(sep) ? path : path + sep);
    for (const [other, { watcher }] of this.#watched) {
      if (!isInside(other)) continue;
      watcher.close();
      this.#watched.delete(other);
    }
    for (const other of this.#failed.keys()) if (isInside(other)) this.#failed.delete(other);
  }

  #open(path: string, onEvent: (type: string, name: string | null) => void): FSWatcher {
    const watcher = (this.#options.watchDirectory ?? watch)(path, { persistent: false }, onEvent);
    watcher.on("error", (error) => void this.#lost(path, watcher, error));
    return watcher;
  }

  async #lost(path: string, watcher: FSWatcher, error: unknown): Promise<void> {
    watcher.close();
    const watched = this.#watched.get(path);
    if (watched?.watcher !== watcher) return;
    this.#watched.delete(path);
    // On Windows, watching a removed directory ends with EPERM.
    if ((await inodeOf(path)) !== null) this.#fail(path, watched.depth, error);
  }

  #fail(path: string, depth: number, error: unknown): void {
    const code = errorCode(error);
    // Removed in the meantime; the parent directory reports it.
    if (isAbsence(code)) return;
    this.#failed.set(path, { depth, code });
    if (code !== "EACCES") this.#report(code, error);
  }

  #report(code: string, error: unknown): void {
    if (this.#reported.has(code)) return;
    this.#reported.add(code);
    this.#options.onError(error);
  }

  #onEvent(directory: string, type: string, name: string | null): void {
    this.#events++;
    this.#options.onEvent();
    if (name === null) this.#batch.directoriesChanged = true;
    else {
      const path = join(directory, name);
      if (isSessionFileName(name)) this.#batch.paths.add(path);
      // Which of a thread's files counts is known from all of them.
      if (type === "rename" && isThreadFile(name)) this.#batch.directoriesChanged = true;
      // A directory that becomes readable again reports a change of its mode.
      if (type === "rename" || this.#failed.has(path)) this.#renamed.add(path);
      // The removal of a directory itself is reported with its own name.
      if (type === "rename" && name === basename(directory)) this.#renamed.add(directory);
    }
    if (++this.#batchEvents > MAX_EVENTS_IN_BATCH) this.#batch.directoriesChanged = true;
    this.#arm();
  }

  #arm(): void {
    this.#lastEvent = performance.now();
    if (this.#timer !== null || this.#isClosed) return;
    this.#batchStart = this.#lastEvent;
    this.#wait(QUIET_MS);
  }

  #wait(milliseconds: number): void {
    this.#timer = setTimeout(() => {
      const now = performance.now();
      const end = Math.min(this.#lastEvent + QUIET_MS, this.#batchStart + MAX_BATCH_MS);
      if (now < end) return this.#wait(Math.ceil(end - now));
      this.#timer = null;
      void this.#finishBatch();
    }, milliseconds);
    this.#timer.unref();
  }

  async #finishBatch(): Promise<void> {
    const batch = this.#batch;
    const renamed = [...this.#renamed];
    this.#batch = emptyBatch();
    this.#batchEvents = 0;
    this.#renamed.clear();
    const areDirectories = await Promise.all(renamed.map(isDirectory));
    await this.#change(async () => {
      for (const [place, path] of renamed.entries()) {
        if (await this.#directoryChanged(path, areDirectories[place] === true)) batch.directoriesChanged = true;
      }
    });
    // Files in directories that are no longer watched are left to a scan.
    for (const path of batch.paths) if (!this.#watched.has(dirname(path))) batch.paths.delete(path);
    if (!this.#isClosed && (batch.paths.size > 0 || batch.directoriesChanged)) this.#options.onBatch(batch);
  }

  /**
   * Checks an added or removed name; returns whether it is or was a watched directory. A watched one is watched again
   * even if it still exists: it may be a new directory with the same inode.
   */
  async #directoryChanged(path: string, isThere: boolean): Promise<boolean> {
    if (this.#roots.has(path)) {
      this.#forgetRoot(path);
      await this.#watchRoot(path);
      return true;
    }
    const wasWatched = this.#watched.has(path) || this.#failed.has(path);
    const above = this.#watched.get(dirname(path));
    const isWanted = above !== undefined && isScannedDirectory(basename(path), above.depth + 1);
    if (isWanted && isThere) await this.#watchTree(path, above.depth + 1);
    else if (wasWatched) this.#unwatchTree(path);
    return wasWatched || (isWanted && isThere);
  }

  /**
   * Watches the nearest existing parent of a path for its next component.
   *
   * @param isRefused whether the path exists but is not readable: then a change of its mode is awaited.
   */
  async #awaitDirectory(path: string, isRefused = false): Promise<void> {
    let next = path;
    let above = dirname(path);
    let isThere = isRefused;
    const onEvent = (type: string, name: string | null) => {
      if (type === "rename" && (name === basename(next) || name === basename(above))) this.#requestComparison();
    };
    while (!this.#isClosed && !this.#awaited.has(path)) {
      try {
        this.#awaited.set(path, this.#open(above, onEvent));
      } catch (error) {
        const code = errorCode(error);
        const isAbsent = isAbsence(code);
        if ((!isAbsent && code !== "EACCES") || above === next) {
          this.#isAwaitFailed = true;
          return this.#report(code, error);
        }
        isThere = !isAbsent;
        next = above;
        above = dirname(above);
      }
    }
    // It may have appeared before the watch.
    if (!isThere && (await isDirectory(next))) this.#requestComparison();
  }

  #requestComparison(): void {
    this.#batch.directoriesChanged = true;
    this.#arm();
  }

  #stopAwaiting(path: string): void {
    this.#awaited.get(path)?.close();
    this.#awaited.delete(path);
  }
}

function emptyBatch(): WatchBatch {
  return { paths: new Set(), directoriesChanged: false };
}

async function inodeOf(path: string): Promise<number | null> {
  try {
    return (await stat(path)).ino;
  } catch {
    return null;
  }
}

async function isDirectory(path: string): Promise<boolean> {
  try {
    return (await lstat(path)).isDirectory();
  } catch {
    return false;
  }
}
