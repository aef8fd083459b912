import {
  AppError,
  type ArchivedChange,
  type ArchiveOptions,
  type Bookmark,
  type ChangeSums,
  type ChangesOptions,
  type ConversionOptions,
  type ConvertedSession,
  type DeletedSession,
  type DeletionPreview,
  type EntriesOptions,
  type ExportedPieces,
  type ExportOptions,
  type ExportStream,
  type ExportStreamOptions,
  type FindOptions,
  type FindPage,
  type LibraryEvent,
  type LibraryStatus,
  type ListOptions,
  type NamedFile,
  type NamedFilesOptions,
  type Note,
  type RedactionOptions,
  type RedactionPreview,
  type Requester,
  type SearchOptions,
  type SearchPage,
  type SessionChanges,
  type SessionLibrary,
  type SessionPage,
  type SessionRecord,
  type SessionStatistics,
  type StatisticsOptions,
  type TagService,
  type TreeEntry,
} from "@sm/core";
import {
  Archiving,
  arrayOf,
  Bookmarks,
  Favorites,
  LibraryExports,
  Marking,
  Notes,
  pageOf,
  statisticsTask,
  Tagging,
} from "@sm/core/library-parts";
import { PriceList, type RemoteReaders } from "@sm/core/remote";
import type { LibraryLog, UserState } from "@sm/core/state";
import { CatalogSessions } from "../catalog/catalog-sessions.ts";
import { SessionCounts } from "../catalog/session-counts.ts";
import type { PostgresDatabase } from "../database/database.ts";
import { Snapshot } from "../database/snapshot.ts";
import type { ObjectReader } from "../objects/chunk-objects.ts";
import type { TextSearch } from "../search/text-search.ts";
import { noteSharedChanges } from "../sharing/noted-changes.ts";
import { ReadTrail } from "../sharing/read-trail.ts";
import { CountedSessions } from "../statistics/counted-sessions.ts";
import { FileBytes } from "./file-bytes.ts";
import { HubReading } from "./hub-reading.ts";
import { HubSearch } from "./hub-search.ts";
import { KnownSessions } from "./known-sessions.ts";
import { notFound } from "./not-found.ts";
import { onlyRead } from "./only-read.ts";

export interface HubLibraryOptions {
  userId: string;
  database: PostgresDatabase;
  state: UserState;
  readers: RemoteReaders;
  search: TextSearch;
  /** Default: all bytes are in the database. */
  objects?: ObjectReader;
  log: LibraryLog;
}

const PRICES = new PriceList({});

/** Of the service; how far the sessions of a user are, is told with their lists. */
export const HUB_STATUS: LibraryStatus = {
  state: "ready",
  reason: null,
  ...{ sessions: 0, pending: 0, skipped_files: 0, bytes_done: 0, bytes_total: 0 },
};

/**
 * The sessions that one user may see on a hub. What is here is what machines have sent: it is read, searched and marked,
 * and its files are changed on their machines alone.
 */
export class HubLibrary implements SessionLibrary {
  readonly tags: TagService;
  readonly #options: HubLibraryOptions;
  readonly #known: KnownSessions;
  readonly #reading: HubReading;
  readonly #search: HubSearch;
  readonly #marking: Marking;
  readonly #notes: Notes;
  readonly #bookmarks: Bookmarks;
  readonly #favorites: Favorites;
  readonly #archiving: Archiving;
  readonly #exports: LibraryExports;

  constructor(options: HubLibraryOptions) {
    const { userId, database, objects, state, readers, search, log } = options;
    this.#options = options;
    const files = new CatalogSessions((query) => database.readVisible(userId, query), objects);
    const reader = readers.of(files);
    const counts = new SessionCounts();
    const known = new KnownSessions({ database, userId, prices: PRICES, counts });
    this.#known = known;
    const bytes = new FileBytes(files);
    const trail = new ReadTrail(database, userId);
    const session = (path: string) => this.session(path);
    const existing = (paths: readonly string[]) => this.#known.existing(paths);
    const touched = (paths: string[]) => void this.marksChanged(paths);
    this.#notes = new Notes({
      notes: state.notes,
      session,
      checkEntry: async (path, entryId) => {
        await reader.quickly("entries", { path, leaf_id: entryId, limit: 1 });
      },
      existing,
      touched,
    });
    this.#marking = new Marking({
      marks: state.marks,
      notes: this.#notes,
      bookmarks: state.bookmarks,
      log,
      identities: (wanted) => this.#known.identities(wanted),
      // Agents run on machines, and files go there.
      live: () => NONE,
      expiring: async () => [],
      ended: (outcome) => this.#known.ended(outcome),
    });
    const [marking, notes] = [this.#marking, this.#notes];
    this.#reading = new HubReading({ reader, bytes, known, marking, trail, session });
    this.#search = new HubSearch({ userId, search, files, counts, known, state, marking, notes, trail });
    this.#bookmarks = new Bookmarks({
      bookmarks: state.bookmarks,
      session,
      branch: async (path, leaf_id) =>
        parsed(await reader.quickly("entries", { path, ...(leaf_id !== undefined && { leaf_id }), limit: 1 })),
      label: () => Promise.reject(onlyRead("labelled")),
      existing,
      touched,
    });
    this.#favorites = new Favorites({
      marks: state.marks,
      session,
      existing,
      touched: (paths) => this.marksChanged(paths),
    });
    const own = (path: string) => this.#own(path, "archive");
    this.#archiving = new Archiving({ marks: state.marks, session: own, touched });
    this.tags = new Tagging({
      tags: state.tags,
      marks: state.marks,
      session,
      existing,
      archived: () => this.#marking.archived(),
      touched,
    });
    this.#exports = new LibraryExports({
      reader,
      sessions: {
        place: (given) => this.#reading.path(given, "export_session"),
        places: async (given) => [
          ...new Set(await Promise.all(given.map((path) => this.#reading.path(path, "export_sessions")))),
        ],
        path: (given) => this.#reading.path(given, "export_session"),
        record: session,
        known: (path) => this.#known.one(path),
        existing,
        subagentsBelow: async (path, most) => {
          const found = await this.#known.subagentsBelow(path, most);
          await this.#reading.noted(
            found.map((subagent) => subagent.path),
            "export_session",
          );
          return found;
        },
        bytes: (path, range, requester) => bytes.of(path, range, requester?.signal),
      },
      log,
      names: () => this.#marking.names(),
      notes: async (path) => ({ ...(await this.#notes.of(path)), bookmarks: await this.#bookmarks.of(path) }),
    });
  }

  /** Finds a session by the path of a payload. Rejects with AppError NOT_FOUND. */
  async session(path: string): Promise<SessionRecord> {
    const known = await this.#known.one(path);
    if (known === null) throw notFound(path);
    const [marked = known] = await this.#marked([known]);
    return marked;
  }

  /** Machines send when something has changed: there is nothing to look through. */
  async scan(): Promise<AsyncIterable<SessionRecord>> {
    return this.#all();
  }

  async scanJson(): Promise<AsyncIterable<Uint8Array>> {
    return arrayOf(this.#pages(pageOf));
  }

  async *#all(): AsyncGenerator<SessionRecord, void> {
    for await (const records of this.#pages((page) => page)) yield* records;
  }

  async *#pages<Page>(form: (records: SessionRecord[]) => Page): AsyncGenerator<Page, void> {
    for await (const records of this.#known.pages()) yield form(await this.#marked(records));
  }

  async list(options: ListOptions): Promise<SessionPage> {
    const { options: unmarked, ...marked } = await this.#marking.list(options);
    const { records, nextCursor, total, totalSize, pending } = await this.#known.list(unmarked, marked);
    return {
      sessions: await this.#marked(records),
      next_cursor: nextCursor,
      total,
      total_size_bytes: totalSize,
      pending,
    };
  }

  textStream(path: string, requester?: Requester): Promise<AsyncIterable<string>> {
    return this.#reading.textStream(path, requester);
  }

  entriesJson(options: EntriesOptions, requester?: Requester): Promise<Uint8Array> {
    return this.#reading.entriesJson(options, requester);
  }

  transcriptJson(options: EntriesOptions, requester?: Requester): Promise<Uint8Array> {
    return this.#reading.transcriptJson(options, requester);
  }

  toolOutputJson(options: { path: string; entry_id: string }, requester?: Requester): Promise<Uint8Array> {
    return this.#reading.toolOutputJson(options, requester);
  }

  find(options: FindOptions, requester?: Requester): Promise<FindPage> {
    return this.#reading.find(options, requester);
  }

  changes(options: ChangesOptions, requester?: Requester): Promise<SessionChanges> {
    return this.#reading.changes(options, requester);
  }

  changeSums(options: { paths: string[] }, requester?: Requester): Promise<ChangeSums[]> {
    return this.#reading.changeSums(options, requester);
  }

  readTree(path: string, requester?: Requester): Promise<AsyncIterable<TreeEntry>> {
    return this.#reading.readTree(path, requester);
  }

  convert(options: ConversionOptions, requester?: Requester): Promise<ConvertedSession> {
    return this.#reading.convert(options, requester);
  }

  /** The name is the user's own: the file, which its agent has on its machine, stays as it is. */
  async rename(path: string, name: string): Promise<SessionRecord> {
    const { id } = await this.#own(path, "rename");
    await this.#options.state.marks.setName({ path, id }, name);
    await this.marksChanged([path]);
    return this.session(path);
  }

  async delete(): Promise<DeletedSession> {
    throw onlyRead("deleted");
  }

  async previewDeletion(): Promise<DeletionPreview> {
    throw onlyRead("deleted");
  }

  async fork(): Promise<SessionRecord> {
    throw onlyRead("forked");
  }

  exportPieces(options: ExportOptions, requester?: Requester): Promise<ExportedPieces> {
    return this.#exports.whole(options, requester);
  }

  exportStream(options: ExportStreamOptions, requester?: Requester): Promise<ExportStream> {
    return this.#exports.stream(options, requester);
  }

  exportArchive(options: ArchiveOptions, requester?: Requester): Promise<ExportStream> {
    return this.#exports.archive(options, requester);
  }

  previewRedactions(options: RedactionOptions, requester?: Requester): Promise<RedactionPreview> {
    return this.#exports.previewRedactions(options, requester);
  }

  search(options: SearchOptions, requester?: Requester): Promise<SearchPage> {
    return this.#search.search(options, requester);
  }

  namedFiles(options: NamedFilesOptions, requester?: Requester): Promise<NamedFile[]> {
    return this.#search.namedFiles(options, requester);
  }

  async statistics(options: StatisticsOptions, requester?: Requester): Promise<SessionStatistics> {
    const task = statisticsTask(options, "UTC", {});
    const { readers, database, userId } = this.#options;
    const snapshot = new Snapshot(database, userId);
    const counted = new CountedSessions(async (query) => query(await snapshot.queries()), options.owner);
    try {
      const input = { index: options.owner === undefined ? userId : `${userId} ${options.owner}`, task };
      const { longest, ...sums } = await readers.of(counted).quickly("statisticsRemote", input, requester);
      return { ...sums, longest_sessions: await this.#marked(await this.#known.some(longest)) };
    } finally {
      await snapshot.end();
    }
  }

  async toggleFavorite(path: string): Promise<{ path: string; is_favorite: boolean }> {
    return this.#favorites.toggle(path);
  }

  setArchived(paths: readonly string[], isArchived: boolean): Promise<ArchivedChange> {
    return this.#archiving.set(paths, isArchived);
  }

  setNote(path: string, entryId: string | null, text: string): Promise<Note | null> {
    return this.#notes.set(path, entryId, text);
  }

  notes(path: string | null = null): Promise<AsyncIterable<Note>> {
    return this.#notes.list(path);
  }

  setBookmark(path: string, entryId: string, isBookmarked: boolean, label: string | null = null) {
    return this.#bookmarks.set(path, entryId, isBookmarked, label);
  }

  bookmarks(path: string | null = null): Promise<Bookmark[]> {
    return this.#bookmarks.list(path);
  }

  async favorites(): Promise<string[]> {
    return this.#favorites.paths();
  }

  /** Those of machines are on machines. */
  async directories(): Promise<string[]> {
    return [];
  }

  status(): LibraryStatus {
    return HUB_STATUS;
  }

  /** Tells all servers that records have changed although their files have not. */
  marksChanged(paths: readonly string[]): Promise<void> {
    return this.#known
      .touched(paths)
      .catch((error: unknown) =>
        this.#options.log.warn({ err: error }, "Could not tell that marks of sessions have changed."),
      );
  }

  /** The number of the last change. */
  lastChange(): Promise<number> {
    return this.#known.lastChange();
  }

  /** The changes after a number, as events; `changes-lost` where they are too many or too old. */
  async eventsAfter(sequence: number): Promise<{ events: LibraryEvent[]; last: number }> {
    const { changed, last } = await this.#known.changesAfter(sequence);
    if (changed === null) return { events: [{ type: "changes-lost" }], last };
    const removed = changed.flatMap(({ path, kind }) => (kind === "removed" ? [path] : []));
    const present = changed.filter(({ kind }) => kind !== "removed");
    const records = await this.#marked(await this.#known.some(present.map(({ path }) => path)));
    if (records.length + removed.length === 0) return { events: [], last };
    const isNew = new Set(present.flatMap(({ path, kind }) => (kind === "added" ? [path] : [])));
    const events: LibraryEvent[] = [
      { type: "files-changed", changed_paths: records.map(({ path }) => path), removed_paths: removed },
      {
        type: "records-changed",
        added: records.filter(({ path }) => isNew.has(path)),
        updated: records.filter(({ path }) => !isNew.has(path)),
        removed,
      },
    ];
    return { events, last };
  }

  /** Notes what has happened to sessions of others, for `eventsAfter`; gives ids of the projects they are in. */
  noteSharedChanges(): Promise<ReadonlySet<string>> {
    return noteSharedChanges(this.#options.database, this.#options.userId);
  }

  /** With the user's marks, and with what can be done here: whoever goes on with a session does so on its machine. */
  async #marked(records: SessionRecord[]): Promise<SessionRecord[]> {
    const marked = await this.#marking.marked(records);
    const here = { fork: false, delete: false, start: false };
    const ofOthers = { rename: false, resume_command: null };
    return marked.map((record) => ({
      ...record,
      capabilities: { ...record.capabilities, ...here, ...(record.owner !== null && ofOthers) },
    }));
  }

  /** A session that the user may change. Rejects with AppError FORBIDDEN for one of somebody else. */
  async #own(path: string, what: string): Promise<SessionRecord> {
    const record = await this.session(path);
    if (record.owner === null) return record;
    throw new AppError("FORBIDDEN", `Only ${record.owner} may ${what} this session; it is shared to be read.`);
  }
}

const NONE: ReadonlySet<string> = new Set();

function parsed(json: Uint8Array) {
  return JSON.parse(new TextDecoder().decode(json));
}
