import { setImmediate as turn } from "node:timers/promises";
import type { LibraryEvent } from "../../library.ts";
import type { LibraryLog } from "../../library-log.ts";
import type { SessionRecord } from "../../session/record.ts";
import type { ListChange } from "../catalog/found-files.ts";

/** Records have up to some kilobytes: more in one event would overload a slow subscriber. */
const RECORDS_IN_EVENT = 100;
const PATHS_IN_EVENT = 1_000;
/** During indexing, many sessions become searchable every second. */
const SEARCHABLE_INTERVAL_MS = 500;

export interface LibraryEventsOptions {
  /** `undefined` without subscribers. */
  emit: ((event: LibraryEvent) => void) | undefined;
  /** Whether there are subscribers; default: always. */
  hasSubscribers?: (() => boolean) | undefined;
  log: LibraryLog;
  /** Records of those paths that are sessions. */
  records: (paths: string[]) => Promise<SessionRecord[]>;
  /**
   * Transfers the marks of moved files; returns the paths whose marks changed. Wants the paths that changed since the last
   * time, `null` the first time and after an error.
   */
  followMoves: (changed: readonly string[] | null) => Promise<string[]>;
}

/**
 * Publishes changes of sessions. It receives paths of changed records, and reads the records when it publishes them, so
 * that no event is older than a list returned before it.
 */
export class LibraryEvents {
  readonly #options: LibraryEventsOptions;
  #changes = new Map<string, ListChange>();
  /** Paths of records that changed although their files did not. */
  #touched = new Set<string>();
  /** Sessions that were reported as not searchable yet. */
  readonly #toldUnsearchable = new Set<string>();
  #searchable: string[] = [];
  #searchableTimer: NodeJS.Timeout | null = null;
  /** See {@link LibraryEvents.note}. */
  readonly #notes = new Set<Set<string>>();
  #isFollowing = false;
  #isFollowDue = false;
  /** Whether all have to be compared the next time. */
  #isFollowWhole = false;
  #isTelling = false;
  #telling: Promise<void> = Promise.resolve();
  #isClosed = false;

  constructor(options: LibraryEventsOptions) {
    this.#options = options;
  }

  /** Starts to transfer marks of moved files. Before all files are known, unread ones would seem deleted. */
  startFollowing(): void {
    if (this.#isFollowing) return;
    this.#isFollowing = true;
    this.#isFollowDue = true;
    this.#publishChanges();
  }

  /** Adds to a set the paths of records that change, until the returned function is called. */
  note(paths: Set<string>): () => void {
    this.#notes.add(paths);
    return () => void this.#notes.delete(paths);
  }

  #noteAll(paths: Iterable<string>): void {
    for (const note of this.#notes) for (const path of paths) note.add(path);
  }

  /** Records changes of the list by reading or removing files. */
  listChanged(changes: ReadonlyMap<string, ListChange>): void {
    this.#noteAll([...changes.keys()]);
    for (const [path, change] of changes) this.#changes.set(path, both(this.#changes.get(path), change));
    this.#publishChanges();
  }

  /** Records changes of records whose files did not change. */
  touched(paths: string[]): void {
    this.#noteAll(paths);
    for (const path of paths) this.#touched.add(path);
    this.#publishChanges();
  }

  /** Remembers returned records that are not searchable yet, to report when they are. */
  answered(records: readonly SessionRecord[]): void {
    this.answeredUnsearchable(records.filter(({ indexed }) => !indexed).map(({ path }) => path));
  }

  /** {@link LibraryEvents.answered} by path. */
  answeredUnsearchable(paths: Iterable<string>): void {
    if (this.#options.emit === undefined) return;
    for (const path of paths) this.#toldUnsearchable.add(path);
  }

  /** Records sessions that became searchable; they are published in groups. */
  searchable(paths: string[], areLast: boolean): void {
    this.#noteAll(paths);
    this.#searchable.push(...paths.filter((path) => this.#toldUnsearchable.has(path)));
    if (areLast) this.#tellSearchable();
    else if (this.#searchable.length > 0 && this.#searchableTimer === null && !this.#isClosed) {
      this.#searchableTimer = setTimeout(() => this.#tellSearchable(), SEARCHABLE_INTERVAL_MS);
      this.#searchableTimer.unref();
    }
  }

  /** Resolves when all earlier changes are published and marks are transferred. */
  settled(): Promise<void> {
    return this.#telling;
  }

  close(): void {
    this.#isClosed = true;
    if (this.#searchableTimer !== null) clearTimeout(this.#searchableTimer);
  }

  #tellSearchable(): void {
    if (this.#searchableTimer !== null) clearTimeout(this.#searchableTimer);
    this.#searchableTimer = null;
    this.touched(this.#searchable.splice(0));
  }

  get #hasNews(): boolean {
    return !this.#isClosed && (this.#changes.size > 0 || this.#touched.size > 0 || this.#isFollowDue);
  }

  #publishChanges(): void {
    if (this.#isTelling || !this.#hasNews) return;
    this.#isTelling = true;
    this.#telling = this.#tellAll();
  }

  async #tellAll(): Promise<void> {
    try {
      while (this.#hasNews) await this.#tellOnce();
    } catch (error) {
      if (!this.#isClosed) this.#options.log.error({ err: error }, "Could not publish changes yet");
    } finally {
      this.#isTelling = false;
    }
  }

  async #tellOnce(): Promise<void> {
    const changes = this.#changes;
    const touched = this.#touched;
    this.#changes = new Map();
    this.#touched = new Set();
    await this.#followMoves(changes, touched);
    if (this.#options.emit === undefined) return;
    if (this.#isUnheard(changes.size + touched.size)) return this.#lose(this.#options.emit, changes, touched);
    try {
      for (const paths of inPieces(changes, touched)) {
        const records = await this.#options.records(paths);
        if (this.#isClosed) return;
        this.#emit(this.#options.emit, changes, touched, paths, records);
        for (const path of paths) {
          changes.delete(path);
          touched.delete(path);
        }
        await turn();
      }
    } catch (error) {
      // For example if the index is not available: published with the next change.
      for (const [path, change] of this.#changes) changes.set(path, both(changes.get(path), change));
      for (const path of this.#touched) touched.add(path);
      this.#changes = changes;
      this.#touched = touched;
      throw error;
    }
  }

  /** A few changes are published anyway, for subscribers that reconnect. */
  #isUnheard(changes: number): boolean {
    return changes > RECORDS_IN_EVENT && this.#options.hasSubscribers?.() === false;
  }

  /** Reads no records: subscribers that return reload the list. */
  #lose(
    emit: (event: LibraryEvent) => void,
    changes: ReadonlyMap<string, ListChange>,
    touched: ReadonlySet<string>,
  ): void {
    for (const [path, change] of changes) if (change === "removed") this.#toldUnsearchable.delete(path);
    for (const path of touched) this.#toldUnsearchable.delete(path);
    emit({ type: "changes-lost" });
  }

  /** Before the records are published, so that a moved session has its marks. */
  async #followMoves(changes: Map<string, ListChange>, touched: Set<string>): Promise<void> {
    const isWhole = this.#isFollowDue || this.#isFollowWhole;
    const isDue = this.#isFollowDue || [...changes.values()].some((change) => change !== "changed");
    if (!this.#isFollowing || !isDue) return;
    this.#isFollowDue = false;
    this.#isFollowWhole = false;
    try {
      const moved = await this.#options.followMoves(isWhole ? null : [...changes.keys()]);
      this.#noteAll(moved);
      for (const path of moved) touched.add(path);
    } catch (error) {
      // Next time, with the next change.
      this.#isFollowWhole = true;
      this.#options.log.error({ err: error }, "Could not move the marks of moved sessions");
    }
  }

  #emit(
    emit: (event: LibraryEvent) => void,
    changes: ReadonlyMap<string, ListChange>,
    touched: ReadonlySet<string>,
    paths: readonly string[],
    records: SessionRecord[],
  ): void {
    const present = new Set(records.map((record) => record.path));
    const files = paths.filter((path) => changes.has(path));
    const changed_paths = files.filter((path) => present.has(path));
    const removed_paths = files.filter((path) => !present.has(path));
    for (const path of removed_paths) this.#toldUnsearchable.delete(path);
    if (files.length > 0) emit({ type: "files-changed", changed_paths, removed_paths });
    const isAdded = (record: SessionRecord) => changes.get(record.path) === "added";
    const gone = [...removed_paths];
    const told = records.filter((record) => changes.has(record.path) || touched.has(record.path));
    for (const { path, indexed } of told) if (indexed) this.#toldUnsearchable.delete(path);
    while (told.length > 0 || gone.length > 0) {
      const some = told.splice(0, RECORDS_IN_EVENT);
      emit({
        type: "records-changed",
        added: some.filter(isAdded),
        updated: some.filter((record) => !isAdded(record)),
        removed: gone.splice(0, PATHS_IN_EVENT),
      });
    }
  }
}

/** Paths whose records are read and told together; many that are gone, of which there are no records, apart. */
function inPieces(changes: ReadonlyMap<string, ListChange>, touched: ReadonlySet<string>): string[][] {
  const all = [...new Set([...changes.keys(), ...touched])];
  if (all.length <= RECORDS_IN_EVENT) return all.length === 0 ? [] : [all];
  const isGone = (path: string) => changes.get(path) === "removed";
  return [
    ...chunks(
      all.filter((path) => !isGone(path)),
      RECORDS_IN_EVENT,
    ),
    ...chunks(all.filter(isGone), PATHS_IN_EVENT),
  ];
}

function chunks(paths: readonly string[], size: number): string[][] {
  return Array.from({ length: Math.ceil(paths.length / size) }, (_, n) => paths.slice(n * size, (n + 1) * size));
}

/** Combines two successive changes of a path. */
function both(first: ListChange | undefined, second: ListChange): ListChange {
  if (first === "added" && second === "changed") return "added";
  if (first === "removed" && second === "added") return "changed";
  return second;
}
