import { lstat, readFile } from "node:fs/promises";
import { availableParallelism, tmpdir } from "node:os";
import { basename, join } from "node:path";
import { setImmediate as turn } from "node:timers/promises";
import { isDeepStrictEqual } from "node:util";
import { AppError } from "../errors.ts";
import { exportFileName } from "../export/file-name.ts";
import type {
  DeletedSession,
  DeleteOptions,
  EntriesOptions,
  EntriesPage,
  ExportedSession,
  ExportFormat,
  ExportOptions,
  ExportStream,
  ExportStreamOptions,
  LibraryEvent,
  LibraryStatus,
  ListOptions,
  SearchOptions,
  SearchPage,
  SessionLibrary,
  SessionPage,
  TreeEntry,
} from "../library.ts";
import type { SessionRecord } from "../session/record.ts";
import { SessionDirectories } from "./directories.ts";
import { LibraryEvents } from "./events.ts";
import { fileError } from "./file-errors.ts";
import { OpenIndex } from "./index/open-index.ts";
import type { LibraryLog } from "./library-log.ts";
import { bytesOf, flattened, oneAhead, pulled } from "./pieces.ts";
import { searchTask } from "./search/search-task.ts";
import { type FileStamp, sameStamp, stampOf } from "./session-file.ts";
import { openUserState, type UserState } from "./state/user-state.ts";
import { deleteRecoverably } from "./trash.ts";
import { Watching } from "./watching.ts";
import type { Work } from "./work.ts";

/** Larger texts do not fit into one answer; the download has no limit. */
const LARGEST_TEXT = 256 * 1024 * 1024;
const PROGRESS_INTERVAL_MS = 100;
/** Some three milliseconds of the main thread, and fewer cost more altogether (measured). */
const RECORDS_AT_ONCE = 200;

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
  /** Called when the status may have changed. */
  onProgress?: (status: LibraryStatus) => void;
  /** Called for everything that changes, in order. */
  onEvent?: (event: LibraryEvent) => void;
}

/** A library that was opened and has to be closed. */
export interface Library extends SessionLibrary {
  /** Events of watched directories so far. */
  readonly watchEvents: number;
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
  library.start();
  return library;
}

class NodeLibrary implements Library {
  readonly #options: LibraryOptions;
  readonly #directories: SessionDirectories;
  readonly #state: UserState;
  readonly #index: OpenIndex;
  readonly #events: LibraryEvents;
  readonly #watching: Watching | null;
  #progressTimer: NodeJS.Timeout | null = null;
  #isFirstRefreshDone = false;
  #isClosed = false;

  constructor(options: LibraryOptions) {
    this.#options = options;
    this.#directories = new SessionDirectories(options);
    this.#state = options.state ?? openUserState(options);
    this.#events = new LibraryEvents({
      emit: options.onEvent,
      log: options.log,
      records: async (paths) => this.#withMarks(await this.#index.list((listing) => listing.some(paths))),
      followMoves: () => this.#followMoves(),
    });
    this.#index = new OpenIndex({
      directory: options.dataDir,
      fallbackDirectory: join(tmpdir(), `session-manager-index-${process.pid}`),
      cores: availableParallelism(),
      log: options.log,
      onChange: () => this.#tellProgress(),
      onListChanges: (changes) => this.#events.listChanged(changes),
      onSearchable: (paths) => this.#events.searchable(paths, this.#index.sessionCounts().unindexed === 0),
      onReset: () => void this.#refresh().catch(() => undefined),
    });
    this.#watching =
      options.watch === false
        ? null
        : new Watching({
            log: options.log,
            compare: () => this.#refresh(),
            isBehind: () => this.#index.problem !== null,
            look: (paths) => this.#look(paths),
            onEvent: () => this.#index.wake(),
          });
  }

  start(): void {
    // What fails is in the log and in the status. Watching begins when lists can be answered: those are waited for.
    const compared = this.#refresh().catch(() => undefined);
    void compared.then(() => this.#watching?.begin());
  }

  async scan(): Promise<AsyncIterable<SessionRecord>> {
    await this.#refresh();
    await this.#events.settled();
    return this.#records();
  }

  async list(options: ListOptions): Promise<SessionPage> {
    const paths = await this.#pathsWithMarks(options);
    const { records, nextCursor, total } = await this.#index.list((listing) => listing.page(options, paths));
    return {
      sessions: await this.#withMarks(records),
      next_cursor: nextCursor,
      total,
      pending: this.#index.pendingRecords,
    };
  }

  async readText(path: string): Promise<string> {
    const own = await this.#directories.sessionPath(path);
    return inWords(own, async () => {
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

  async readTree(path: string): Promise<AsyncIterable<TreeEntry>> {
    const index = this.#index;
    const { stream } = await index.atLength("treeStart", { path: await this.#currentPath(path) });
    const next = () => index.atLength("treeNext", { stream });
    return flattened(pulled(oneAhead(next), () => index.atLength("treeStop", { stream })));
  }

  async rename(path: string, name: string): Promise<SessionRecord> {
    const own = await this.#currentPath(path);
    await this.#index.atLength("rename", { path: own, name });
    return this.#currentRecord(own);
  }

  async fork(path: string, entryId: string | null): Promise<SessionRecord> {
    const own = await this.#currentPath(path);
    return this.#currentRecord(await this.#index.atLength("fork", { path: own, entryId }));
  }

  async delete(path: string, _options: DeleteOptions): Promise<DeletedSession> {
    const own = await this.#directories.sessionPath(path);
    const record = await this.#index.list((listing) => listing.one(own));
    const method = await deleteRecoverably(own);
    // The file is gone: whatever fails from here on is mended by the next comparison, and is no failure to delete.
    const forgotten = [this.#index.forget([own]), this.#state.marks.forget({ path: own, id: record?.id ?? "" })];
    for (const outcome of await Promise.allSettled(forgotten)) {
      if (outcome.status === "rejected")
        this.#options.log.error({ err: outcome.reason, path: own }, "Traces of a deleted session are left");
    }
    return { path: own, method };
  }

  async export(options: ExportOptions): Promise<ExportedSession> {
    const { format } = options;
    const stream = await this.exportStream(options);
    const chunks: Uint8Array[] = [];
    let bytes = 0;
    for await (const chunk of stream.chunks) {
      bytes += chunk.length;
      if (bytes > LARGEST_TEXT) {
        throw new AppError(
          "PAYLOAD_TOO_LARGE",
          "The export is too large for one answer; download it with GET /api/export.",
        );
      }
      chunks.push(chunk);
    }
    const content = Buffer.concat(chunks).toString("utf8");
    return { format, file_name: stream.file_name, media_type: stream.media_type, content };
  }

  async exportStream(options: ExportStreamOptions): Promise<ExportStream> {
    const { format, ...rest } = options;
    if (format === "jsonl") {
      const own = await this.#directories.sessionPath(options.path);
      return { file_name: basename(own), media_type: "application/x-ndjson", chunks: bytesOf(own) };
    }
    const file = EXPORT_FILES[format];
    if (file === null) {
      throw new AppError("UNAVAILABLE", "Export as HTML is not in this version; use the format markdown or json.");
    }
    const path = await this.#currentPath(options.path);
    const index = this.#index;
    const { stream, title } = await index.atLength("exportStart", { ...rest, format, path });
    const next = () => index.atLength("exportNext", { stream });
    return {
      file_name: exportFileName(title, file.extension),
      media_type: file.mediaType,
      chunks: pulled(next, () => index.atLength("exportStop", { stream })),
    };
  }

  async search(options: SearchOptions): Promise<SearchPage> {
    const started = performance.now();
    const paths = await this.#pathsWithMarks(options);
    const task = await searchTask(options, paths, this.#state.marks);
    // Counted before: what was indexed meanwhile may not be among the hits.
    const { indexed, unindexed } = this.#index.sessionCounts();
    const found = await this.#index.quickly("search", task);
    return {
      ...found,
      took_ms: Math.round((performance.now() - started) * 100) / 100,
      indexing: { done: indexed, pending: unindexed },
    };
  }

  async toggleFavorite(path: string): Promise<{ path: string; is_favorite: boolean }> {
    const record = await this.#currentRecord(await this.#directories.sessionPath(path));
    const isFavorite = await this.#state.marks.toggleFavorite({ path: record.path, id: record.id });
    this.#events.touched([record.path]);
    return { path: record.path, is_favorite: isFavorite };
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
    const reason = this.#index.problem ?? this.#state.problem ?? this.#watching?.problem ?? null;
    const { indexed, unindexed } = this.#index.sessionCounts();
    const pending = this.#index.pendingRecords + unindexed;
    const working = pending > 0 ? "indexing" : "ready";
    return {
      state: reason !== null ? "degraded" : this.#isFirstRefreshDone ? working : "opening",
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
    const { existing, missing } = await this.#directories.survey();
    await this.#watching?.cover(existing, missing);
    await this.#index.refresh(existing);
    this.#isFirstRefreshDone = true;
    this.#events.startFollowing();
    this.#tellProgress();
  }

  /** Takes note of files that may have changed. */
  async #look(paths: string[]): Promise<void> {
    await this.#index.fileChanges(
      await Promise.all(paths.map(async (path) => ({ path, stamp: await stampOfFile(path) }))),
    );
  }

  /** Lets marks follow files that were moved; answers with the paths whose marks are not what they were. */
  async #followMoves(): Promise<string[]> {
    const { marks } = this.#state;
    const marked = await marks.marked();
    if (marked.length === 0) return [];
    const sessions = await this.#index.list((listing) => listing.identities(marked));
    const before = await marks.marks(sessions);
    await marks.follow(sessions);
    const after = await marks.marks(sessions);
    const paths = new Set([...before.keys(), ...after.keys()]);
    return [...paths].filter((path) => !isDeepStrictEqual(before.get(path), after.get(path)));
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
  async *#records(): AsyncGenerator<SessionRecord> {
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
  }

  /** The path as the index knows it, with the index up to date for this file. */
  async #currentPath(path: string): Promise<string> {
    const own = await this.#directories.sessionPath(path);
    await this.#bringUpToDate(own);
    return own;
  }

  async #bringUpToDate(own: string): Promise<void> {
    const stamp = stampOf(await inWords(own, () => lstat(own)));
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
    const marks = await this.#state.marks.marks(records);
    return records.map((record) => ({ ...record, ...marks.get(record.path) }));
  }

  /** The paths that tags and favorites leave over, `null` where neither is asked for. */
  async #pathsWithMarks(options: {
    tag_ids?: string[] | undefined;
    favorites_only?: boolean | undefined;
  }): Promise<string[] | null> {
    const tagIds = options.tag_ids ?? [];
    const tagged = tagIds.length === 0 ? null : await this.#state.marks.sessionsWithTags(tagIds);
    if (options.favorites_only !== true) return tagged === null ? null : [...tagged];
    const favorites = await this.#state.marks.favorites();
    return tagged === null ? favorites : favorites.filter((path) => tagged.has(path));
  }
}

const EXPORT_FILES: Record<ExportFormat, { extension: string; mediaType: string } | null> = {
  html: null,
  markdown: { extension: "md", mediaType: "text/markdown; charset=utf-8" },
  json: { extension: "json", mediaType: "application/json; charset=utf-8" },
};

/** `null` where there is no regular file; links are none. */
async function stampOfFile(path: string): Promise<FileStamp | null> {
  try {
    const stat = await lstat(path);
    return stat.isFile() ? stampOf(stat) : null;
  } catch {
    return null;
  }
}

/** Runs an action on a file; what the file system says is put into words. */
async function inWords<T>(path: string, action: () => Promise<T>): Promise<T> {
  try {
    return await action();
  } catch (error) {
    throw fileError(error, "read", path) ?? error;
  }
}
