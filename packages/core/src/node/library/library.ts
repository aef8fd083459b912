import { lstat } from "node:fs/promises";
import { availableParallelism, tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as delay, setImmediate as turn } from "node:timers/promises";
import type * as v from "valibot";
import type { Asker } from "../../asker.ts";
import { AppError } from "../../errors.ts";
import {
  archiveInput,
  deleteInput,
  entriesInput,
  exportInput,
  exportStreamInput,
  findInput,
  forkInput,
  listInput,
  redactionsInput,
  renameInput,
  searchInput,
  sessionInput,
  statisticsInput,
} from "../../input/library.ts";
import { validate } from "../../input/validate.ts";
import type {
  DeletedSession,
  EntriesPage,
  ExportedPieces,
  ExportedSession,
  ExportStream,
  FindPage,
  LibraryEvent,
  LibraryStatus,
  RedactionPreview,
  SearchPage,
  SessionLibrary,
  SessionPage,
  TreeEntry,
} from "../../library.ts";
import type { LibraryLog } from "../../library-log.ts";
import type { SessionRecord } from "../../session/record.ts";
import { parseTimestamp } from "../../session/timestamp.ts";
import type { SessionStatistics } from "../../statistics.ts";
import { ownTimeZone } from "../../stats/time-zone.ts";
import type { TagService } from "../../tags.ts";
import type { Listing } from "../catalog/listing.ts";
import { describeFileErrors } from "../files/file-errors.ts";
import { isInside } from "../files/open-file.ts";
import { deleteRecoverably } from "../files/trash.ts";
import { OpenIndex } from "../indexing/open-index.ts";
import { bytesOf, flattened, oneAhead, pulled, textOf } from "../reading/pieces.ts";
import { type FileStamp, sameStamp, stampOf } from "../session-file/session-file.ts";
import type { Work } from "../session-file/work.ts";
import type { UserState } from "../state/ports.ts";
import { openUserState } from "../state/user-state.ts";
import { Watching } from "../watch/watched-directories.ts";
import { SessionDirectories } from "./directories.ts";
import { LibraryEvents } from "./library-events.ts";
import { LibraryExports } from "./library-exports.ts";
import { LiveFiles, type SessionAgents } from "./live-files.ts";
import { Marking } from "./marking.ts";
import { MisnamedFiles } from "./misnamed-files.ts";
import { type DirectorySurvey, MissingDirectories } from "./missing-directories.ts";
import { searchTask } from "./search-task.ts";
import { Tagging } from "./tagging.ts";

const PROGRESS_INTERVAL_MS = 100;
/** As many as a WebSocket may have under way. */
const MOST_WAITING = 256;
/** Some three milliseconds of the main thread, and fewer cost more altogether (measured). */
const RECORDS_AT_ONCE = 200;
/** Whoever is slow to take the records that a scan gives out, or does not take them, keeps no text waiting. */
const LONGEST_HOLD_MS = 1_000;
/** Of a session that is read as a text: clients, which hold all of it, have no longer strings than 512 MB. */
const LARGEST_TEXT = 256 * 1024 * 1024;
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
  /** Requests of one client that may wait for their turn, see `Asker`; 256 if absent. */
  mostWaiting?: number;
  /** Milliseconds since 1970, by which it is told how long a directory has been missing; the clock if absent. */
  now?: () => number;
  /** Called when the status may have changed. */
  onProgress?: (status: LibraryStatus) => void;
  /** Called for everything that changes, in order. */
  onEvent?: (event: LibraryEvent) => void;
  /** Whether anybody hears of events; while nobody does, many changes are told as lost. Always if absent. */
  isHeard?: () => boolean;
}

/**
 * A library that was opened and has to be closed. Its methods take what the commands of the service take, with the same
 * defaults and limits, and reject with AppError `INVALID_PAYLOAD` where that is not right: `details` names the fields.
 */
export interface Library extends SessionLibrary {
  list(options?: v.InferInput<typeof listInput>): Promise<SessionPage>;
  /** Reads the text of a session file; 256 MiB at most. */
  readText(path: string): Promise<string>;
  entriesJson(options: v.InferInput<typeof entriesInput>, asker?: Asker): Promise<Uint8Array>;
  readEntries(options: v.InferInput<typeof entriesInput>, asker?: Asker): Promise<EntriesPage>;
  find(options: v.InferInput<typeof findInput>, asker?: Asker): Promise<FindPage>;
  /** `name` becomes one line; an empty one takes the name away. */
  rename(path: string, name: string, asker?: Asker): Promise<SessionRecord>;
  /** With `force` also a session that an agent is at work in, and for good. */
  delete(path: string, options?: { force?: boolean | null | undefined }): Promise<DeletedSession>;
  /** Copies the branch that ends with an entry; the newest one if absent. */
  fork(path: string, entryId?: string | null, asker?: Asker): Promise<SessionRecord>;
  exportPieces(options: v.InferInput<typeof exportInput>, asker?: Asker): Promise<ExportedPieces>;
  /** Exports a session as a text; 32 MiB at most. */
  export(options: v.InferInput<typeof exportInput>, asker?: Asker): Promise<ExportedSession>;
  exportStream(options: v.InferInput<typeof exportStreamInput>, asker?: Asker): Promise<ExportStream>;
  exportArchive(options: v.InferInput<typeof archiveInput>, asker?: Asker): Promise<ExportStream>;
  previewRedactions(options: v.InferInput<typeof redactionsInput>, asker?: Asker): Promise<RedactionPreview>;
  search(options: v.InferInput<typeof searchInput>, asker?: Asker): Promise<SearchPage>;
  statistics(options?: v.InferInput<typeof statisticsInput>, asker?: Asker): Promise<SessionStatistics>;
  /**
   * Resolves when every session of the directories is listed and all of its text can be found. Rejects with AppError
   * `UNAVAILABLE` when the library is closed before that, or when the index cannot be written.
   */
  ready(): Promise<void>;
  /** Events of watched directories so far. */
  readonly watchEvents: number;
  /** Bytes of session files whose text was made searchable so far, however they were noticed. */
  readonly indexedBytes: number;
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
  readonly #misnamed: MisnamedFiles;
  readonly #live: LiveFiles;
  readonly #marking: Marking;
  #progressTimer: NodeJS.Timeout | null = null;
  #awaitingReady: { resolve(): void; reject(error: AppError): void }[] = [];
  #isClosed = false;

  constructor(options: LibraryOptions) {
    this.#options = options;
    this.#directories = new SessionDirectories(options);
    this.#missing = new MissingDirectories(options.log);
    this.#misnamed = new MisnamedFiles(options.log);
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
      mostWaiting: options.mostWaiting ?? MOST_WAITING,
      log: options.log,
      now: options.now,
      roots: () => this.#directories.roots,
      onChange: () => this.#changed(),
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
            compare: async () => {
              this.#state.backUpIfDue();
              await this.#refresh();
            },
            isBehind: () => this.#index.problem !== null || this.#missing.problem !== null,
            look: (paths) => this.#noticeChanges(paths),
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
      // Some records have found no room on a full disk: a list without them would look complete.
      if (!(await this.#refresh())) throw this.#index.notNow();
      const { resets } = this.#index;
      await this.#events.settled();
      return this.#records(resets, release);
    } finally {
      setTimeout(release, LONGEST_HOLD_MS).unref();
    }
  }

  async list(options: v.InferInput<typeof listInput> = {}): Promise<SessionPage> {
    const { options: unmarked, paths } = await this.#marking.list(validate(listInput, options));
    const { records, nextCursor, total } = await this.#index.list((listing) => listing.page(unmarked, paths));
    return {
      sessions: await this.#withMarks(records),
      next_cursor: nextCursor,
      total,
      pending: this.#index.pendingRecords,
    };
  }

  async textStream(given: string, asker?: Asker): Promise<AsyncIterable<string>> {
    const { path } = validate(sessionInput, { path: given });
    const own = await this.#directories.sessionPath(path);
    const file = { path: own, isAllowed: (real: string) => this.#directories.isPlace(own, real) };
    return textOf(bytesOf(file, { largest: LARGEST_TEXT, signal: asker?.signal }));
  }

  async readText(given: string): Promise<string> {
    let text = "";
    for await (const piece of await this.textStream(given)) text += piece;
    return text;
  }

  async entriesJson(given: v.InferInput<typeof entriesInput>, asker?: Asker): Promise<Uint8Array> {
    const options = validate(entriesInput, given);
    const path = await this.#currentPath(options.path);
    return this.#index.quickly("entries", { ...options, path }, asker);
  }

  async readEntries(given: v.InferInput<typeof entriesInput>, asker?: Asker): Promise<EntriesPage> {
    return JSON.parse(new TextDecoder().decode(await this.entriesJson(given, asker)));
  }

  async find(given: v.InferInput<typeof findInput>, asker?: Asker): Promise<FindPage> {
    const options = validate(findInput, given);
    const path = await this.#currentPath(options.path);
    return this.#index.atLength("find", { ...options, path }, asker);
  }

  async readTree(given: string, asker?: Asker): Promise<AsyncIterable<TreeEntry>> {
    const { path } = validate(sessionInput, { path: given });
    const index = this.#index;
    const { stream } = await index.atLength("treeStart", { path: await this.#currentPath(path) }, asker);
    const next = () => index.atLength("treeNext", { stream }, asker);
    return flattened(pulled(oneAhead(next), () => index.stopStream("treeStop", stream), asker?.signal));
  }

  async rename(givenPath: string, givenName: string, asker?: Asker): Promise<SessionRecord> {
    const { path, name } = validate(renameInput, { path: givenPath, name: givenName });
    const own = await this.#currentPath(path);
    asker?.signal?.throwIfAborted();
    if (await this.#live.rename(own, name)) {
      const record = await this.#currentRecord(own);
      // Some agents take no orders, and none an empty name.
      if ((record.name ?? "") === name) return record;
    }
    await this.#index.atLength("rename", { path: own, name }, asker);
    return this.#currentRecord(own);
  }

  async fork(givenPath: string, entryId: string | null = null, asker?: Asker): Promise<SessionRecord> {
    const { path, entry_id } = validate(forkInput, { path: givenPath, entry_id: entryId });
    const own = await this.#currentPath(path);
    return this.#currentRecord(await this.#index.atLength("fork", { path: own, entryId: entry_id ?? null }, asker));
  }

  async delete(givenPath: string, options: { force?: boolean | null | undefined } = {}): Promise<DeletedSession> {
    const { path, force } = validate(deleteInput, { ...options, path: givenPath });
    const own = await this.#directories.sessionPath(path);
    await this.#live.release(own, force);
    // The agent may have taken seconds to let it go.
    const current = await this.#directories.sessionPath(own);
    const method = await deleteRecoverably(current, (real) => this.#directories.isPlace(current, real));
    // The file is gone: whatever fails from here on is mended by the next comparison, and is no failure to delete.
    const forgotten = [this.#index.forget([own]), this.#state.marks.forget([own])];
    for (const outcome of await Promise.allSettled(forgotten)) {
      if (outcome.status === "rejected")
        this.#options.log.error({ err: outcome.reason, path: own }, "Could not remove all data of a deleted session");
    }
    return { path: own, method };
  }

  async exportPieces(options: v.InferInput<typeof exportInput>, asker?: Asker): Promise<ExportedPieces> {
    return this.#exports.whole(validate(exportInput, options), asker);
  }

  async export(options: v.InferInput<typeof exportInput>, asker?: Asker): Promise<ExportedSession> {
    const { content, ...exported } = await this.exportPieces(options, asker);
    return { ...exported, content: Buffer.concat(content).toString("utf8") };
  }

  async exportStream(options: v.InferInput<typeof exportStreamInput>, asker?: Asker): Promise<ExportStream> {
    return this.#exports.stream(validate(exportStreamInput, options), asker);
  }

  async exportArchive(options: v.InferInput<typeof archiveInput>, asker?: Asker): Promise<ExportStream> {
    return this.#exports.archive(validate(archiveInput, options), asker);
  }

  async previewRedactions(options: v.InferInput<typeof redactionsInput>, asker?: Asker): Promise<RedactionPreview> {
    return this.#exports.previewRedactions(validate(redactionsInput, options), asker);
  }

  async search(given: v.InferInput<typeof searchInput>, asker?: Asker): Promise<SearchPage> {
    const started = performance.now();
    const options = validate(searchInput, given);
    const own = options.path === undefined ? null : await this.#directories.sessionPath(options.path);
    const marked = await this.#marking.paths(options);
    const paths = own === null ? marked : [own].filter((path) => marked?.includes(path) ?? true);
    const task = await searchTask(options, paths, this.#state.marks, this.#live.paths);
    // Counted before: what was indexed meanwhile may not be among the hits.
    const { indexed, unindexed } = this.#index.sessionCounts();
    const isWhole = unindexed === 0 && this.#index.pendingRecords === 0;
    const found = await this.#index.quickly("search", task, asker);
    return {
      ...found,
      total_is_exact: found.total_is_exact && isWhole,
      took_ms: Math.round((performance.now() - started) * 100) / 100,
      indexing: { done: indexed, pending: unindexed },
    };
  }

  async statistics(options: v.InferInput<typeof statisticsInput> = {}, asker?: Asker): Promise<SessionStatistics> {
    const { since, until, project, time_zone } = validate(statisticsInput, options);
    const question = {
      since: parseTimestamp(since),
      until: parseTimestamp(until),
      project: project ?? null,
      timeZone: time_zone ?? ownTimeZone(),
      now: Date.now(),
    };
    const { longest, ...sums } = await this.#index.quickly("statistics", question, asker);
    const records = await this.#index.list((listing) => listing.some(longest));
    const byPath = new Map((await this.#withMarks(records)).map((record) => [record.path, record]));
    const skipped_files = sums.skipped_files + this.#misnamed.count;
    return { ...sums, skipped_files, longest_sessions: longest.flatMap((path) => byPath.get(path) ?? []) };
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

  async session(given: string): Promise<SessionRecord> {
    const { path } = validate(sessionInput, { path: given });
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

  get indexedBytes(): number {
    return this.#index.indexedBytes;
  }

  get watchEvents(): number {
    return this.#watching?.events ?? 0;
  }

  status(): LibraryStatus {
    const { problem, silence } = this.#index;
    const problems = [problem, silence, this.#state.problem, this.#watching?.problem, this.#missing.problem];
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

  ready(): Promise<void> {
    return new Promise((resolve, reject) => {
      this.#awaitingReady.push({ resolve, reject });
      this.#tellReady();
    });
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    this.#tellReady();
    if (this.#progressTimer !== null) clearTimeout(this.#progressTimer);
    this.#watching?.close();
    this.#events.close();
    await this.#index.close();
    if (this.#options.state === undefined) await this.#state.close();
  }

  /**
   * Compares the directories with what is known, and waits for the records of all files that differ.
   *
   * @returns whether the index has them all.
   */
  async #refresh(): Promise<boolean> {
    return this.#compare(await this.#survey());
  }

  async #survey(): Promise<DirectorySurvey> {
    const survey = await this.#directories.survey();
    await this.#watching?.cover(survey.existing, survey.missing);
    return survey;
  }

  async #compare(survey: DirectorySurvey): Promise<boolean> {
    const { existing, missing } = survey;
    const { missing: kept, expired, misnamed, isWhole } = await this.#index.refresh(existing, missing);
    this.#missing.update(survey, kept);
    this.#misnamed.update(misnamed);
    await this.#marking.drop(expired);
    this.#events.startFollowing();
    this.#changed();
    return isWhole;
  }

  /** Takes note of files that may have changed. */
  async #noticeChanges(paths: string[]): Promise<void> {
    const seen = await Promise.all(paths.map(async (path) => ({ path, stamp: await stampOfFile(path) })));
    const isAbsent = seen.some(({ stamp }) => stamp === null);
    // What is missing together with its directory is not gone: a comparison decides.
    const { missing } = isAbsent ? await this.#directories.survey() : { missing: [] };
    const isSeen = (path: string) => !missing.some((directory) => isInside(path, directory));
    await this.#index.fileChanges(seen.filter(({ path, stamp }) => stamp !== null || isSeen(path)));
  }

  #changed(): void {
    this.#tellReady();
    this.#tellProgress();
  }

  /** Answers who waits for everything to be searchable, if that can be answered now. */
  #tellReady(): void {
    if (this.#awaitingReady.length === 0) return;
    const { isStopped, problem } = this.#index;
    const isReady = this.#index.isCompared && !this.#isClosed && this.status().pending === 0;
    if (!isReady && !this.#isClosed && !isStopped) return;
    const waiting = this.#awaitingReady;
    this.#awaitingReady = [];
    const message = this.#isClosed ? "The library was closed." : (problem ?? "");
    for (const { resolve, reject } of waiting) {
      if (isReady) resolve();
      else reject(new AppError("UNAVAILABLE", message));
    }
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
  async *#records(resets: number, onEnd: () => void): AsyncGenerator<SessionRecord> {
    const read = <T>(from: (listing: Listing) => T) =>
      this.#index.list((listing) => {
        if (this.#index.resets > resets)
          throw new AppError("UNAVAILABLE", "The index is being rebuilt; scan the sessions again.");
        return from(listing);
      });
    const paths = await read((listing) => listing.paths());
    for (let start = 0; start < paths.length; start += RECORDS_AT_ONCE) {
      const page = paths.slice(start, start + RECORDS_AT_ONCE);
      const records = await read((listing) => listing.some(page));
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
    const stamp = stampOf(await describeFileErrors("read", own, () => lstat(own)));
    const known = await this.#index.stamp(own);
    if (known === null || !sameStamp(known, stamp)) await this.#index.scanNow({ path: own, stamp });
  }

  async #currentRecord(own: string): Promise<SessionRecord> {
    await this.#bringUpToDate(own);
    const record = await this.#index.list((listing) => listing.one(own));
    if (record === null) throw new AppError("NOT_FOUND", `${own} contains no readable session.`);
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
