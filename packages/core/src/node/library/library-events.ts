import type { LibraryEvent } from "../../library.ts";
import type { LibraryLog } from "../../library-log.ts";
import type { SessionRecord } from "../../session/record.ts";
import type { ListChange } from "../catalog/found-files.ts";

/** A record is up to some kilobytes: more of them would be a burst for a slow subscriber. */
const RECORDS_IN_EVENT = 100;
const PATHS_IN_EVENT = 1_000;
/** While text is indexed, many sessions become searchable every second. */
const SEARCHABLE_INTERVAL_MS = 500;

export interface LibraryEventsOptions {
  /** `undefined` where nobody listens. */
  emit: ((event: LibraryEvent) => void) | undefined;
  /** Whether anybody hears what is emitted; always if absent. */
  hasSubscribers?: (() => boolean) | undefined;
  log: LibraryLog;
  /** Records as a list has them, of those of these paths that are sessions. */
  records: (paths: string[]) => Promise<SessionRecord[]>;
  /** Carries marks along with files that were moved; answers with the paths whose marks are not what they were. */
  followMoves: () => Promise<string[]>;
}

/**
 * Tells what has changed. It is given paths by whoever has changed the index or the marks, and reads what they have
 * become when it tells of them, so that no event is older than a list that was answered before it.
 */
export class LibraryEvents {
  readonly #options: LibraryEventsOptions;
  #changes = new Map<string, ListChange>();
  /** Paths of records that have changed although their files have not. */
  #touched = new Set<string>();
  /** Sessions that somebody was told are not searchable yet. */
  readonly #toldUnsearchable = new Set<string>();
  #searchable: string[] = [];
  #searchableTimer: NodeJS.Timeout | null = null;
  #isFollowing = false;
  #isFollowDue = false;
  #isTelling = false;
  #telling: Promise<void> = Promise.resolve();
  #isClosed = false;

  constructor(options: LibraryEventsOptions) {
    this.#options = options;
  }

  /** Begins to let marks follow files. Until all files are known, those that are not read yet would seem to be gone. */
  startFollowing(): void {
    if (this.#isFollowing) return;
    this.#isFollowing = true;
    this.#isFollowDue = true;
    this.#publishChanges();
  }

  /** Takes note of what reading or forgetting files has done to the list of sessions. */
  listChanged(changes: ReadonlyMap<string, ListChange>): void {
    for (const [path, change] of changes) this.#changes.set(path, both(this.#changes.get(path), change));
    this.#publishChanges();
  }

  /** Takes note of records that have changed although their files have not. */
  touched(paths: string[]): void {
    for (const path of paths) this.#touched.add(path);
    this.#publishChanges();
  }

  /** Takes note of records that are given out: who has seen that one is not searchable hears when it is. */
  answered(records: SessionRecord[]): void {
    if (this.#options.emit === undefined) return;
    for (const { path, indexed } of records) if (!indexed) this.#toldUnsearchable.add(path);
  }

  /** Takes note of sessions that have become searchable; they are told together unless these are the last. */
  searchable(paths: string[], areLast: boolean): void {
    this.#searchable.push(...paths.filter((path) => this.#toldUnsearchable.has(path)));
    if (areLast) this.#tellSearchable();
    else if (this.#searchable.length > 0 && this.#searchableTimer === null && !this.#isClosed) {
      this.#searchableTimer = setTimeout(() => this.#tellSearchable(), SEARCHABLE_INTERVAL_MS);
      this.#searchableTimer.unref();
    }
  }

  /** Resolves when everything that was noticed before is told, and marks have followed their files. */
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
      const records = await this.#options.records([...new Set([...changes.keys(), ...touched])]);
      if (!this.#isClosed) this.#emit(this.#options.emit, changes, touched, records);
    } catch (error) {
      // The index is not available, for example: told with the next change.
      for (const [path, change] of this.#changes) changes.set(path, both(changes.get(path), change));
      for (const path of this.#touched) touched.add(path);
      this.#changes = changes;
      this.#touched = touched;
      throw error;
    }
  }

  /** A few changes are told all the same, for those who were disconnected for a moment. */
  #isUnheard(changes: number): boolean {
    return changes > RECORDS_IN_EVENT && this.#options.hasSubscribers?.() === false;
  }

  /** Reads no records: whoever listens again reads the list anew. */
  #lose(
    emit: (event: LibraryEvent) => void,
    changes: ReadonlyMap<string, ListChange>,
    touched: ReadonlySet<string>,
  ): void {
    for (const [path, change] of changes) if (change === "removed") this.#toldUnsearchable.delete(path);
    for (const path of touched) this.#toldUnsearchable.delete(path);
    emit({ type: "changes-lost" });
  }

  /** Before records are told: a session that was moved has its marks from the beginning. */
  async #followMoves(changes: Map<string, ListChange>, touched: Set<string>): Promise<void> {
    const isDue = this.#isFollowDue || [...changes.values()].some((change) => change !== "changed");
    if (!this.#isFollowing || !isDue) return;
    this.#isFollowDue = false;
    try {
      for (const path of await this.#options.followMoves()) touched.add(path);
    } catch (error) {
      this.#options.log.error({ err: error }, "Could not move tags and favorites to moved sessions");
    }
  }

  #emit(
    emit: (event: LibraryEvent) => void,
    changes: ReadonlyMap<string, ListChange>,
    touched: ReadonlySet<string>,
    records: SessionRecord[],
  ): void {
    const present = new Set(records.map((record) => record.path));
    const changed = [...changes.keys()].filter((path) => present.has(path));
    const removed = [...changes.keys()].filter((path) => !present.has(path));
    for (const path of removed) this.#toldUnsearchable.delete(path);
    for (let start = 0; start < Math.max(changed.length, removed.length); start += PATHS_IN_EVENT) {
      const end = start + PATHS_IN_EVENT;
      emit({
        type: "files-changed",
        changed_paths: changed.slice(start, end),
        removed_paths: removed.slice(start, end),
      });
    }
    const isAdded = (record: SessionRecord) => changes.get(record.path) === "added";
    const gone = [...removed];
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

/** What two changes of a path, one after the other, come to. */
function both(first: ListChange | undefined, second: ListChange): ListChange {
  if (first === "added" && second === "changed") return "added";
  if (first === "removed" && second === "added") return "changed";
  return second;
}
