import { lstat, readFile } from "node:fs/promises";
import { availableParallelism, tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as delay, setImmediate as turn } from "node:timers/promises";
import { AppError } from "../errors.ts";
import type {
  ArchiveOptions,
  DeletedSession,
  DeleteOptions,
  EntriesOptions,
  EntriesPage,
  ExportedSession,
  ExportOptions,
  ExportStream,
  ExportStreamOptions,
  FindOptions,
  FindPage,
  LibraryEvent,
  LibraryStatus,
  ListOptions,
  RedactionOptions,
  RedactionPreview,
  SearchOptions,
  SearchPage,
  SessionLibrary,
  SessionPage,
  TreeEntry,
} from "../library.ts";
import type { SessionRecord } from "../session/record.ts";
import { parseTimestamp } from "../session/timestamp.ts";
import type { SessionStatistics, StatisticsOptions } from "../statistics.ts";
import { isTimeZone, ownTimeZone } from "../stats/time-zone.ts";
import type { TagService } from "../tags.ts";
import { SessionDirectories } from "./directories.ts";
import { LibraryEvents } from "./events.ts";
import { inWords } from "./file-errors.ts";
import { OpenIndex } from "./index/open-index.ts";
import { isInside } from "./index/walk.ts";
import { LARGEST_TEXT, LibraryExports } from "./library-exports.ts";
import type { LibraryLog } from "./library-log.ts";
import { LiveFiles, type SessionAgents } from "./live-files.ts";
import { Marking } from "./marking.ts";
import { type DirectorySurvey, MissingDirectories } from "./missing-directories.ts";
import { flattened, oneAhead, pulled } from "./pieces.ts";
import { searchTask } from "./search/search-task.ts";
import { type FileStamp, sameStamp, stampOf } from "./session-file.ts";
import { openUserState, type UserState } from "./state/user-state.ts";
import { Tagging } from "./tagging.ts";
import { deleteRecoverably } from "./trash.ts";
import { Watching } from "./watching.ts";
import type { Work } from "./work.ts";

const PROGRESS_INTERVAL_MS = 100;
/** Some three milliseconds of the main thread, and fewer cost more altogether (measured). */
const RECORDS_AT_ONCE = 200;
/** Whoever is slow to take the records that a scan gives out, or does not take them, keeps no text waiting. */
const LONGEST_HOLD_MS = 1_000;
/** A disk that does not answer keeps nobody from the sessions of the others. */
const LONGEST_SURVEY_MS = 50;

export interface LibraryOptions {
  /** `~/.pi/agent`, or what `PI_CODING_AGENT_DIR` says. */
  agentDir: string;
  /** `~/.pi`. */
  agentHome: string;
  /** Further directories of sessions, absolute. */
  sessionPaths: string[];
  /** Where the index and the user's tags and favorites are kept. */
  dataDir: string;
  /** The user state of `dataDir` where somebody has opened it; it is then theirs to close, after the library. */
  state?: UserState;
  log: LibraryLog;
  /** Whether changes are noticed as they happen, the default; else only `scan` compares. */
  watch?: boolean;
  /** Milliseconds since 1970, by which it is told how long a directory has been missing; the clock if absent. */
  now?: () => number;
  /** Called when the status may have changed. */
  onProgress?: (status: LibraryStatus) => void;
  /** Called for everything that changes, in order. */
  onEvent?: (event: LibraryEvent) => void;
  /** Whether anybody hears of events; while nobody does, many changes are told as lost. Always if absent. */
  isHeard?: () => boolean;
}

/** A library that was opened and has to be closed. */
export interface Library extends SessionLibrary {
  /** Events of watched directories so far. */
  readonly watchEvents: number;
  readonly tags: TagService;
  /** The working directories of the sessions, the one with the newest session first. */
  projects(): Promise<string[]>;
  /** Takes note of sessions whose tags were changed past `tags`. */
  marksChanged(paths: string[]): void;
  /** Finds a session by a path of a payload. Rejects as every command with a path does. */
  session(path: string): Promise<SessionRecord>;
  /** Says in which sessions agents are at work from now on, by their paths as records have them, and whose these are. */
  setLivePaths(paths: ReadonlySet<string>, agents: SessionAgents): void;
  /** Replaces the configured directories; resolves when their sessions are known. */
  setSessionPaths(paths: string[]): Promise<void>;
  /** What all threads have done to the user's files since they were started. */
  work(): Promise<Work>;
  close(): Promise<void>;
}

/**
 * Opens the sessions below an agent's home. Returns as soon as questions can be answered: the comparison with the
 * directories goes on in the background, see `status`.
 *
 * @throws AppError READ_ONLY when `dataDir` cannot be written, UNAVAILABLE when a newer version has written to it.
 */
export async function openLibrary(options: LibraryOptions): Promise<Library> {
  const library = new NodeLibrary(options);
  await Promise.race([library.start(), delay(LONGEST_SURVEY_MS, undefined, { ref: false })]);
  return library;
}

class NodeLibrary implements Library {
  readonly tags: TagService;
  readonly #options: LibraryOptions;
  readonly #directories: SessionDirectories;
  readonly #state: UserState;
  readonly #index: OpenIndex;
  readonly #exports: LibraryExports;
  readonly #events: LibraryEvents;
  readonly #watching: Watching | null;
  readonly #missing: MissingDirectories;
  readonly #live: LiveFiles;
  readonly #marking: Marking;
  #progressTimer: NodeJS.Timeout | null = null;
  #isClosed = false;

  constructor(options: LibraryOptions) {
    this.#options = options;
    this.#directories = new SessionDirectories(options);
    this.#missing = new MissingDirectories(options.log);
    this.#state = options.state ?? openUserState(options);
    this.#events = new LibraryEvents({
      emit: options.onEvent,
      isHeard: options.isHeard,
      log: options.log,
      records: async (paths) => this.#withMarks(await this.#index.list((listing) => listing.some(paths))),
      followMoves: () => this.#marking.followMoves(),
    });
    this.#live = new LiveFiles((paths) => this.#events.touched(paths));
    this.#marking = new Marking({
      marks: this.#state.marks,
      log: options.log,
      identities: (wanted) => this.#index.list((listing) => listing.identities(wanted)),
      live: () => this.#live.paths,
    });
    this.#index = new OpenIndex({
      directory: options.dataDir,
      fallbackDirectory: join(tmpdir(), `session-manager-index-${process.pid}`),
      cores: availableParallelism(),
      log: options.log,
      now: options.now,
      onChange: () => this.#tellProgress(),
      onListChanges: (changes) => this.#events.listChanged(changes),
      onSearchable: (paths) => this.#events.searchable(paths, this.#index.sessionCounts().unindexed === 0),
      onReset: () => void this.#refresh().catch(() => undefined),
    });
    this.#exports = new LibraryExports({
      index: this.#index,
      directories: this.#directories,
      log: options.log,
      currentPath: (path) => this.#currentPath(path),
      currentRecord: (own) => this.#currentRecord(own),
    });
    this.tags = new Tagging({
      tags: this.#state.tags,
      marks: this.#state.marks,
      session: (path) => this.session(path),
      existing: (paths) => this.#index.list((listing) => new Set(listing.some(paths).map((record) => record.path))),
      touched: (paths) => this.marksChanged(paths),
    });
    this.#watching =
      options.watch === false
        ? null
        : new Watching({
            log: options.log,
            compare: () => {
              this.#state.backUpIfDue();
              return this.#refresh();
            },
            isBehind: () => this.#index.problem !== null || this.#missing.problem !== null,
            look: (paths) => this.#look(paths),
            onEvent: () => this.#index.wake(),
          });
  }

  /** Resolves when the comparison with the directories has been ordered: who opens may be busy from then on. */
  async start(): Promise<void> {
    // What fails is in the log and in the status. Watching begins when lists can be answered: those are waited for.
    const survey = await this.#survey();
    const compared = this.#compare(survey).catch(() => undefined);
    void compared.then(() => this.#watching?.begin());
  }

  async scan(): Promise<AsyncIterable<SessionRecord>> {
    const release = this.#index.holdText();
    try {
      await this.#refresh();
      await this.#events.settled();
    } finally {
      setTimeout(release, LONGEST_HOLD_MS).unref();
    }
    return this.#records(release);
  }

  async list(options: ListOptions): Promise<SessionPage> {
    const { options: unmarked, paths } = await this.#marking.list(options);
    const { records, nextCursor, total } = await this.#index.list((listing) => listing.page(unmarked, paths));
    return {
      sessions: await this.#withMarks(records),
      next_cursor: nextCursor,
      total,
      pending: this.#index.pendingRecords,
    };
  }

  async readText(path: string): Promise<string> {
    const own = await this.#directories.sessionPath(path);
    return inWords("read", own, async () => {
      if ((await lstat(own)).size > LARGEST_TEXT) {
        throw new AppError(
          "PAYLOAD_TOO_LARGE",
          "The session is too large for one answer; download it with GET /api/export?format=jsonl.",
        );
      }
      return readFile(own, "utf8");
    });
  }

  async readEntries(options: EntriesOptions): Promise<EntriesPage> {
    const path = await this.#currentPath(options.path);
    return this.#index.quickly("entries", { ...options, path });
  }

  async find(options: FindOptions): Promise<FindPage> {
    const path = await this.#currentPath(options.path);
    return this.#index.atLength("find", { ...options, path });
  }

  async readTree(path: string): Promise<AsyncIterable<TreeEntry>> {
    const index = this.#index;
    const { stream } = await index.atLength("treeStart", { path: await this.#currentPath(path) });
    const next = () => index.atLength("treeNext", { stream });
    return flattened(pulled(oneAhead(next), () => index.atLength("treeStop", { stream })));
  }

  async rename(path: string, name: string): Promise<SessionRecord> {
    const own = await this.#currentPath(path);
    if (await this.#live.rename(own, name)) {
      const record = await this.#currentRecord(own);
      // Some agents take no orders, and none an empty name.
      if ((record.name ?? "") === name) return record;
    }
    await this.#index.atLength("rename", { path: own, name });
    return this.#currentRecord(own);
  }

  async fork(path: string, entryId: string | null): Promise<SessionRecord> {
    const own = await this.#currentPath(path);
    return this.#currentRecord(await this.#index.atLength("fork", { path: own, entryId }));
  }

  async delete(path: string, { force }: DeleteOptions): Promise<DeletedSession> {
    const own = await this.#directories.sessionPath(path);
    await this.#live.release(own, force);
    const method = await deleteRecoverably(own);
    // The file is gone: whatever fails from here on is mended by the next comparison, and is no failure to delete.
    const forgotten = [this.#index.forget([own]), this.#state.marks.forget([own])];
    for (const outcome of await Promise.allSettled(forgotten)) {
      if (outcome.status === "rejected")
        this.#options.log.error({ err: outcome.reason, path: own }, "Traces of a deleted session are left");
    }
    return { path: own, method };
  }

  export(options: ExportOptions): Promise<ExportedSession> {
    return this.#exports.whole(options);
  }

  exportStream(options: ExportStreamOptions): Promise<ExportStream> {
    return this.#exports.stream(options);
  }

  exportArchive(options: ArchiveOptions): Promise<ExportStream> {
    return this.#exports.archive(options);
  }

  previewRedactions(options: RedactionOptions): Promise<RedactionPreview> {
    return this.#exports.previewRedactions(options);
  }

  async search(options: SearchOptions): Promise<SearchPage> {
    const started = performance.now();
    const own = options.path === undefined ? null : await this.#directories.sessionPath(options.path);
    const marked = await this.#marking.paths(options);
    const paths = own === null ? marked : [own].filter((path) => marked?.includes(path) ?? true);
    const task = await searchTask(options, paths, this.#state.marks, this.#live.paths);
    // Counted before: what was indexed meanwhile may not be among the hits.
    const { indexed, unindexed } = this.#index.sessionCounts();
    const isWhole = unindexed === 0 && this.#index.pendingRecords === 0;
    const found = await this.#index.search(task);
    return {
      ...found,
      total_is_exact: found.total_is_exact && isWhole,
      took_ms: Math.round((performance.now() - started) * 100) / 100,
      indexing: { done: indexed, pending: unindexed },
    };
  }

  async statistics({ since, until, project, time_zone }: StatisticsOptions): Promise<SessionStatistics> {
    const timeZone = time_zone ?? ownTimeZone();
    if (!isTimeZone(timeZone)) {
      throw new AppError("INVALID_PAYLOAD", `There is no time zone called ${timeZone}.`, {
        details: [{ path: "time_zone", message: 'Must be the name of a time zone, such as "Europe/Berlin".' }],
      });
    }
    const { longest, ...sums } = await this.#index.quickly("statistics", {
      since: parseTimestamp(since),
      until: parseTimestamp(until),
      project: project ?? null,
      timeZone,
      now: Date.now(),
    });
    const records = await this.#index.list((listing) => listing.some(longest));
    const byPath = new Map((await this.#withMarks(records)).map((record) => [record.path, record]));
    return { ...sums, longest_sessions: longest.flatMap((path) => byPath.get(path) ?? []) };
  }

  async toggleFavorite(path: string): Promise<{ path: string; is_favorite: boolean }> {
    const record = await this.session(path);
    const isFavorite = await this.#state.marks.toggleFavorite({ path: record.path, id: record.id });
    this.marksChanged([record.path]);
    return { path: record.path, is_favorite: isFavorite };
  }

  projects(): Promise<string[]> {
    return this.#index.list((listing) => listing.projects());
  }

  marksChanged(paths: string[]): void {
    this.#events.touched(paths);
  }

  async session(path: string): Promise<SessionRecord> {
    return this.#currentRecord(await this.#directories.sessionPath(path));
  }

  setLivePaths(paths: ReadonlySet<string>, agents: SessionAgents): void {
    this.#live.set(paths, agents);
  }

  async favorites(): Promise<string[]> {
    const favorites = await this.#state.marks.favorites();
    return this.#index.list((listing) => favorites.filter((path) => listing.one(path) !== null));
  }

  directories(): Promise<string[]> {
    return this.#directories.list();
  }

  async setSessionPaths(paths: string[]): Promise<void> {
    this.#directories.setSessionPaths(paths);
    await this.#refresh();
    // What was being read when the directories changed may be of one that has left.
    await this.#refresh();
    await this.#events.settled();
  }

  get watchEvents(): number {
    return this.#watching?.events ?? 0;
  }

  status(): LibraryStatus {
    const problems = [this.#index.problem, this.#state.problem, this.#watching?.problem, this.#missing.problem];
    const reason = problems.find((problem) => problem != null) ?? null;
    const { indexed, unindexed } = this.#index.sessionCounts();
    const pending = this.#index.pendingRecords + unindexed;
    const working = pending > 0 ? "indexing" : "ready";
    return {
      state: reason !== null ? "degraded" : this.#index.isCompared ? working : "opening",
      reason,
      sessions: indexed + unindexed,
      pending,
      bytes_done: this.#index.bytes.done,
      bytes_total: this.#index.bytes.total,
    };
  }

  work(): Promise<Work> {
    return this.#index.work();
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    if (this.#progressTimer !== null) clearTimeout(this.#progressTimer);
    this.#watching?.close();
    this.#events.close();
    await this.#index.close();
    if (this.#options.state === undefined) await this.#state.close();
  }

  /** Compares the directories with what is known, and waits for the records of all files that differ. */
  async #refresh(): Promise<void> {
    await this.#compare(await this.#survey());
  }

  async #survey(): Promise<DirectorySurvey> {
    const survey = await this.#directories.survey();
    await this.#watching?.cover(survey.existing, survey.missing);
    return survey;
  }

  async #compare(survey: DirectorySurvey): Promise<void> {
    const { existing, missing } = survey;
    const { missing: kept, expired } = await this.#index.refresh(existing, missing);
    this.#missing.update(survey, kept);
    await this.#marking.drop(expired);
    this.#events.startFollowing();
    this.#tellProgress();
  }

  /** Takes note of files that may have changed. */
  async #look(paths: string[]): Promise<void> {
    const seen = await Promise.all(paths.map(async (path) => ({ path, stamp: await stampOfFile(path) })));
    const isAbsent = seen.some(({ stamp }) => stamp === null);
    // What is missing together with its directory is not gone: a comparison decides.
    const { missing } = isAbsent ? await this.#directories.survey() : { missing: [] };
    const isSeen = (path: string) => !missing.some((directory) => isInside(path, directory));
    await this.#index.fileChanges(seen.filter(({ path, stamp }) => stamp !== null || isSeen(path)));
  }

  /** A status costs a count of all sessions, and while files are read there is a new one every few milliseconds. */
  #tellProgress(): void {
    if (this.#options.onProgress === undefined || this.#progressTimer !== null || this.#isClosed) return;
    this.#progressTimer = setTimeout(() => {
      this.#progressTimer = null;
      this.#options.onProgress?.(this.status());
    }, PROGRESS_INTERVAL_MS);
    this.#progressTimer.unref();
  }

  /**
   * Reads all records in pages, so that others have their turn in between. Paths stand for the sessions: whatever
   * changes meanwhile, none of them comes twice, and none is left out.
   */
  async *#records(onEnd: () => void): AsyncGenerator<SessionRecord> {
    const { resets } = this.#index;
    const paths = await this.#index.list((listing) => listing.paths());
    for (let start = 0; start < paths.length; start += RECORDS_AT_ONCE) {
      const page = paths.slice(start, start + RECORDS_AT_ONCE);
      const records = await this.#index.list((listing) => {
        if (this.#index.resets > resets)
          throw new AppError("UNAVAILABLE", "The index is built anew; scan the sessions again.");
        return listing.some(page);
      });
      const byPath = new Map((await this.#withMarks(records)).map((record) => [record.path, record]));
      for (const path of page) {
        const record = byPath.get(path);
        if (record !== undefined) yield record;
      }
      await turn();
    }
    onEnd();
  }

  /** The path as the index knows it, with the index up to date for this file. */
  async #currentPath(path: string): Promise<string> {
    const own = await this.#directories.sessionPath(path);
    await this.#bringUpToDate(own);
    return own;
  }

  async #bringUpToDate(own: string): Promise<void> {
    const stamp = stampOf(await inWords("read", own, () => lstat(own)));
    const known = await this.#index.stamp(own);
    if (known === null || !sameStamp(known, stamp)) await this.#index.scanNow({ path: own, stamp });
  }

  async #currentRecord(own: string): Promise<SessionRecord> {
    await this.#bringUpToDate(own);
    const record = await this.#index.list((listing) => listing.one(own));
    if (record === null) throw new AppError("NOT_FOUND", `${own} holds no session that can be read.`);
    const [marked] = await this.#withMarks([record]);
    return marked ?? record;
  }

  async #withMarks(records: SessionRecord[]): Promise<SessionRecord[]> {
    this.#events.answered(records);
    return this.#marking.marked(records);
  }
}

/** `null` where there is no regular file; links are none. */
async function stampOfFile(path: string): Promise<FileStamp | null> {
  try {
    const stat = await lstat(path);
    return stat.isFile() ? stampOf(stat) : null;
  } catch {
    return null;
  }
}
