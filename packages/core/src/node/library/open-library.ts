import { availableParallelism, tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import type * as v from "valibot";
import type { Bookmark } from "../../bookmarks.ts";
import type { ChangeSums, SessionChanges } from "../../changes.ts";
import { formatNamed } from "../../format/formats.ts";
import { onlyReadError } from "../../format/only-read.ts";
import {
  archivedSessionsInput,
  archiveInput,
  bookmarkInput,
  bookmarksInput,
  changeSumsInput,
  type changesInput,
  conversionInput,
  deleteInput,
  type entriesInput,
  exportInput,
  exportStreamInput,
  type findInput,
  forkInput,
  listInput,
  type namedFilesInput,
  noteInput,
  notesInput,
  redactionsInput,
  renameInput,
  type searchInput,
  sessionInput,
  type statisticsInput,
  type toolOutputInput,
} from "../../input/library.ts";
import { validate } from "../../input/validate.ts";
import type {
  ArchivedChange,
  ConvertedSession,
  DeletedSession,
  DeletionPreview,
  EntriesPage,
  ExportedPieces,
  ExportedSession,
  ExportStream,
  FileCounts,
  FindPage,
  LibraryStatus,
  NamedFile,
  RedactionPreview,
  SearchPage,
  SessionPage,
  ToolOutput,
  TranscriptPage,
  TreeEntry,
} from "../../library.ts";
import type { Note } from "../../notes.ts";
import type { UserPrices } from "../../prices/model-prices.ts";
import type { Requester } from "../../requester.ts";
import type { SessionRecord } from "../../session/record.ts";
import type { SessionStatistics } from "../../statistics.ts";
import type { TagService } from "../../tags.ts";
import { DEFAULT_VAULT_SETTINGS, type VaultService, type VaultSettings } from "../../vault.ts";
import { OpenIndex } from "../indexing/open-index.ts";
import { SessionVault } from "../keeping/session-vault.ts";
import { SessionOutbox } from "../sending/session-outbox.ts";
import type { Work } from "../session-file/work.ts";
import type { Move } from "../state/moved-sessions.ts";
import type { SessionIdentity, UserState } from "../state/ports.ts";
import { openUserState } from "../state/user-state.ts";
import type { LibraryMemory } from "../threads/cache-budget.ts";
import { Watching } from "../watch/watched-directories.ts";
import { AgentCleanups } from "./agent-cleanups.ts";
import { Archiving } from "./archiving.ts";
import { Bookmarks } from "./bookmarks.ts";
import { ChangeSumsReader } from "./change-sums.ts";
import { Comparison } from "./comparison.ts";
import { Conversions } from "./conversions.ts";
import { CurrentSessions } from "./current-sessions.ts";
import { Deletion } from "./deletion.ts";
import { type ChosenPaths, SessionDirectories } from "./directories.ts";
import type { Library, LibraryOptions } from "./library.ts";
import { LibraryEvents } from "./library-events.ts";
import { LibraryExports } from "./library-exports.ts";
import { LibraryProgress } from "./library-progress.ts";
import { LibrarySearch } from "./library-search.ts";
import { libraryStatistics } from "./library-statistics.ts";
import { LibraryVault } from "./library-vault.ts";
import { LiveFiles, type SessionAgents } from "./live-files.ts";
import { Marking } from "./marking.ts";
import { Notes } from "./notes.ts";
import { arrayOf, recordsOf } from "./record-array.ts";
import { scannedRecords } from "./scanned-records.ts";
import { SessionReading } from "./session-reading.ts";
import { sessionsToKeep } from "./sessions-to-keep.ts";
import { sessionsToSend } from "./sessions-to-send.ts";
import { Tagging } from "./tagging.ts";
import { TrashedSessions } from "./trashed-sessions.ts";

/** As many as a WebSocket may run concurrently. */
const MAX_WAITING = 256;
/** Reading records for a slow scan client must not delay indexing for longer. */
const MAX_HOLD_MS = 1_000;
/** A disk that does not respond must not block sessions on other disks. */
const MAX_SURVEY_MS = 50;

/**
 * Opens the sessions of an agent's home. Resolves when requests can be answered: the scan of the directories continues
 * in the background, see `status`.
 *
 * @throws AppError READ_ONLY if `dataDir` is not writable, UNAVAILABLE if a newer version has written to it.
 */
export async function openLibrary(options: LibraryOptions): Promise<Library> {
  const library = new NodeLibrary(options);
  await Promise.race([library.start(), delay(MAX_SURVEY_MS, undefined, { ref: false })]);
  return library;
}

class NodeLibrary implements Library {
  readonly tags: TagService;
  readonly vault: VaultService;
  readonly outbox: SessionOutbox;
  readonly #keeping: SessionVault;
  readonly #options: LibraryOptions;
  readonly #directories: SessionDirectories;
  readonly #cleanups: AgentCleanups;
  readonly #state: UserState;
  readonly #index: OpenIndex;
  readonly #exports: LibraryExports;
  readonly #deletion: Deletion;
  readonly #events: LibraryEvents;
  readonly #watching: Watching | null;
  readonly #comparison: Comparison;
  readonly #current: CurrentSessions;
  readonly #progress: LibraryProgress;
  readonly #live: LiveFiles;
  readonly #marking: Marking;
  readonly #archiving: Archiving;
  readonly #notes: Notes;
  readonly #bookmarks: Bookmarks;
  readonly #conversions: Conversions;
  readonly #changeSums: ChangeSumsReader;
  readonly #reading: SessionReading;
  readonly #search: LibrarySearch;

  constructor(options: LibraryOptions) {
    this.#options = options;
    const vaultPath = join(options.dataDir, "vault.db");
    this.#directories = new SessionDirectories({
      ...options,
      vaultPath,
      isKept: async (path) => (await this.#index.known(path))?.fromVault === true,
    });
    this.#cleanups = new AgentCleanups(
      options.cleanups ?? [],
      (directory) => this.#directories.prefixOf(directory),
      (cleaned) => {
        this.#index.cleaned = cleaned;
      },
    );
    this.#keeping = new SessionVault({
      path: vaultPath,
      sessions: sessionsToKeep({ index: () => this.#index, compare: () => this.#comparison.refresh() }),
      settings: options.vault ?? { ...DEFAULT_VAULT_SETTINGS, enabled: false },
      places: () => this.#directories.places,
      log: options.log,
    });
    this.outbox = new SessionOutbox({
      path: join(options.dataDir, "hub.db"),
      sessions: sessionsToSend({ index: () => this.#index, state: () => this.#state }),
      places: () => this.#directories.places,
      log: options.log,
    });
    this.#state = options.state ?? openUserState(options);
    this.#events = new LibraryEvents({
      emit: options.onEvent,
      hasSubscribers: options.hasSubscribers,
      log: options.log,
      records: async (paths) => this.#withMarks(await this.#index.list((listing) => listing.some(paths))),
      followMoves: (changed) => this.#marking.followMoves(changed),
    });
    this.#live = new LiveFiles((paths) => this.#events.touched(paths));
    this.#notes = new Notes({
      notes: this.#state.notes,
      session: (path) => this.session(path),
      checkEntry: async (path, entryId) => {
        await this.#index.quickly("entries", { path, leaf_id: entryId, limit: 1 });
      },
      existing: (paths) => this.#index.list((listing) => listing.existing(paths)),
      touched: (paths) => this.marksChanged(paths),
    });
    this.#marking = new Marking({
      marks: this.#state.marks,
      notes: this.#notes,
      bookmarks: this.#state.bookmarks,
      log: options.log,
      identities: (wanted) => this.#index.list((listing) => listing.identities(wanted)),
      live: () => this.#live.paths,
      expiring: () => this.#index.list((listing) => listing.expiring()),
      ended: (outcome) => this.#index.list((listing) => listing.ended(outcome)),
    });
    this.#index = new OpenIndex({
      directory: options.dataDir,
      fallbackDirectory: join(tmpdir(), `session-manager-index-${process.pid}`),
      cores: availableParallelism(),
      mostWaiting: options.mostWaiting ?? MAX_WAITING,
      log: options.log,
      now: options.now,
      places: () => this.#directories.places,
      onChange: () => this.#progress.changed(),
      onListChanges: (changes) => this.#events.listChanged(changes),
      onFilesRead: (files) => {
        this.#keeping.filesRead(files);
        this.outbox.filesRead(files);
      },
      onRelated: (paths) => this.#events.touched(paths),
      onSearchable: (paths) => this.#events.searchable(paths, this.#index.sessionCounts().unindexed === 0),
      onReset: () => void this.#comparison.refresh().catch(() => undefined),
    });
    this.#index.prices = options.prices ?? {};
    this.#current = new CurrentSessions({
      index: this.#index,
      directories: this.#directories,
      withMarks: (records) => this.#withMarks(records),
    });
    this.#reading = new SessionReading({
      index: this.#index,
      directories: this.#directories,
      current: this.#current,
      names: () => this.#marking.names(),
    });
    this.#search = new LibrarySearch({
      index: this.#index,
      state: this.#state,
      directories: this.#directories,
      cleanups: this.#cleanups,
      live: this.#live,
      marking: this.#marking,
      notes: this.#notes,
    });
    this.#changeSums = new ChangeSumsReader({
      path: (given) => this.#current.path(given),
      stamp: async (path) => (await this.#index.known(path))?.stamp ?? null,
      count: (path, requester) => this.#index.atLength("changeCounts", { path }, requester),
    });
    this.#conversions = new Conversions({
      ...options,
      index: this.#index,
      directories: this.#directories,
      current: this.#current,
    });
    this.#progress = new LibraryProgress({
      status: () => this.status(),
      isCompared: () => this.#index.isCompared,
      failure: () => (this.#index.isStopped ? (this.#index.problem ?? "") : null),
      onProgress: options.onProgress,
    });
    this.#comparison = new Comparison({
      directories: this.#directories,
      index: this.#index,
      log: options.log,
      watch: async (existing, missing) => this.#watching?.cover(existing, missing),
      onCompared: async (expired) => {
        await this.#marking.drop(expired);
        this.#events.startFollowing();
        this.#progress.changed();
      },
    });
    this.#exports = new LibraryExports({
      reader: this.#index,
      sessions: {
        place: (given) => this.#directories.sessionPath(given),
        places: (given) => this.#directories.sessionPaths(given),
        path: (given) => this.#current.path(given),
        record: (path) => this.#current.record(path),
        known: (path) => this.#index.list((listing) => listing.one(path)),
        existing: (paths) => this.#index.list((listing) => listing.existing(paths)),
        subagentsBelow: (path, most) => this.#index.list((listing) => listing.subagentsBelow(path, most)),
        bytes: (path, range, requester) => this.#reading.bytes(path, range, requester),
      },
      log: options.log,
      names: () => this.#marking.names(),
      notes: async (path) => ({ ...(await this.#notes.of(path)), bookmarks: await this.#bookmarks.of(path) }),
    });
    const onDeleted = async (paths: readonly string[]) => {
      this.outbox.deleted(paths);
      await options.onDeleted?.(paths);
    };
    this.vault = new LibraryVault({
      vault: this.#keeping,
      index: this.#index,
      directories: this.#directories,
      current: this.#current,
      trash: new TrashedSessions(this.#directories),
      onDeleted,
    });
    this.#deletion = new Deletion({
      vault: this.#keeping,
      index: this.#index,
      directories: this.#directories,
      current: this.#current,
      live: this.#live,
      marks: this.#state.marks,
      onDeleted,
      log: options.log,
    });
    this.tags = new Tagging({
      tags: this.#state.tags,
      marks: this.#state.marks,
      session: (path) => this.session(path),
      existing: (paths) => this.#index.list((listing) => listing.existing(paths)),
      archived: () => this.#marking.archived(),
      touched: (paths) => this.marksChanged(paths),
    });
    this.#bookmarks = new Bookmarks({
      bookmarks: this.#state.bookmarks,
      session: (path) => this.session(path),
      branch: (path, leaf_id) => this.readEntries({ path, leaf_id, limit: 1 }),
      label: (path, entryId, label) => this.#index.atLength("label", { path, entryId, label }),
      existing: (paths) => this.#index.list((listing) => listing.existing(paths)),
      touched: (paths) => this.marksChanged(paths),
    });
    this.#archiving = new Archiving({
      marks: this.#state.marks,
      session: (path) => this.session(path),
      touched: (paths) => this.marksChanged(paths),
    });
    this.#watching =
      options.watch === false
        ? null
        : new Watching({
            log: options.log,
            compare: async () => {
              this.#state.backUpIfDue();
              await this.#comparison.refresh();
            },
            isBehind: () => this.#index.problem !== null || this.#comparison.problem !== null,
            look: (paths) => this.#comparison.filesChanged(paths),
            onEvent: () => this.#index.wake(),
          });
  }

  /** Resolves when the scan was started, because the caller may be busy afterwards. */
  async start(): Promise<void> {
    // Errors are logged and in the status. Watching starts after the first lists, which clients wait for.
    const [survey] = await Promise.all([this.#comparison.survey(), this.#cleanups.current()]);
    const compared = this.#comparison.compare(survey).catch(() => undefined);
    void compared.then(() => this.#watching?.begin());
    void compared.then(() => this.#keeping.catchUpSoon());
    void compared.then(() => this.outbox.catchUp());
  }

  async scan(requester?: Requester): Promise<AsyncIterable<SessionRecord>> {
    return recordsOf(await this.#scan(requester));
  }

  async scanJson(requester?: Requester): Promise<AsyncIterable<Uint8Array>> {
    return arrayOf(await this.#scan(requester));
  }

  async #scan(requester: Requester | undefined): Promise<AsyncIterable<Uint8Array>> {
    await this.#cleanups.current();
    const release = this.#index.holdText();
    try {
      // If records did not fit on a full disk, an incomplete list would look complete.
      if (!(await this.#comparison.refresh())) throw this.#index.notNow();
      const { resets } = this.#index;
      await this.#events.settled();
      return scannedRecords({
        index: this.#index,
        resets,
        events: this.#events,
        marked: (sessions) => this.#marking.keys(sessions),
        withMarks: (records) => this.#withMarks(records),
        requester,
        onEnd: release,
      });
    } finally {
      setTimeout(release, MAX_HOLD_MS).unref();
    }
  }

  async list(options: v.InferInput<typeof listInput> = {}): Promise<SessionPage> {
    const given = validate(listInput, options);
    const parent = given.parent_path === undefined ? undefined : await this.#directories.sessionPath(given.parent_path);
    await this.#cleanups.current();
    const { options: unmarked, ...marked } = await this.#marking.list({ ...given, parent_path: parent });
    // Owners have names on hubs only.
    if (given.owner !== undefined) marked.paths = [];
    const names = await this.#marking.names();
    const archived = await this.#marking.archived();
    const { records, nextCursor, total, totalSize } = await this.#index.list((listing) => {
      listing.setNames(names);
      listing.setArchived(archived);
      return listing.page(unmarked, marked);
    });
    return {
      sessions: await this.#withMarks(records),
      next_cursor: nextCursor,
      total,
      total_size_bytes: totalSize,
      pending: this.#index.pendingRecords,
    };
  }

  async textStream(given: string, requester?: Requester): Promise<AsyncIterable<string>> {
    return this.#reading.text(given, requester);
  }

  async readText(given: string): Promise<string> {
    let text = "";
    for await (const piece of await this.textStream(given)) text += piece;
    return text;
  }

  async entriesJson(given: v.InferInput<typeof entriesInput>, requester?: Requester): Promise<Uint8Array> {
    return this.#reading.entries(given, requester);
  }

  async readEntries(given: v.InferInput<typeof entriesInput>, requester?: Requester): Promise<EntriesPage> {
    return JSON.parse(new TextDecoder().decode(await this.entriesJson(given, requester)));
  }

  async transcriptJson(given: v.InferInput<typeof entriesInput>, requester?: Requester): Promise<Uint8Array> {
    return this.#reading.transcript(given, requester);
  }

  async readTranscript(given: v.InferInput<typeof entriesInput>, requester?: Requester): Promise<TranscriptPage> {
    return JSON.parse(new TextDecoder().decode(await this.transcriptJson(given, requester)));
  }

  async toolOutputJson(given: v.InferInput<typeof toolOutputInput>, requester?: Requester): Promise<Uint8Array> {
    return this.#reading.toolOutput(given, requester);
  }

  async readToolOutput(given: v.InferInput<typeof toolOutputInput>, requester?: Requester): Promise<ToolOutput> {
    return JSON.parse(new TextDecoder().decode(await this.toolOutputJson(given, requester)));
  }

  async find(given: v.InferInput<typeof findInput>, requester?: Requester): Promise<FindPage> {
    return this.#reading.find(given, requester);
  }

  async changes(given: v.InferInput<typeof changesInput>, requester?: Requester): Promise<SessionChanges> {
    return this.#reading.changes(given, requester);
  }

  async changeSums(given: v.InferInput<typeof changeSumsInput>, requester?: Requester): Promise<ChangeSums[]> {
    const { paths } = validate(changeSumsInput, given);
    return this.#changeSums.of(paths, requester);
  }

  async readTree(given: string, requester?: Requester): Promise<AsyncIterable<TreeEntry>> {
    return this.#reading.tree(given, requester);
  }

  async rename(givenPath: string, givenName: string, requester?: Requester): Promise<SessionRecord> {
    const { path, name } = validate(renameInput, { path: givenPath, name: givenName });
    const own = await this.#current.path(path);
    requester?.signal?.throwIfAborted();
    if (await this.#live.rename(own, name)) {
      const record = await this.#current.record(own);
      // Some agents cannot be controlled, and none accepts an empty name.
      if ((record.name ?? "") === name) return record;
    }
    // One that cannot be read has no record; writing into it says why.
    const known = await this.#index.list((listing) => listing.one(own));
    if (known !== null && (known.source === "vault" || formatNamed(known.format).writer === null)) {
      await this.#state.marks.setName({ path: own, id: known.id }, name);
      this.marksChanged([own]);
      return this.#current.record(own);
    }
    await this.#index.atLength("rename", { path: own, name }, requester);
    return this.#current.record(own);
  }

  async fork(givenPath: string, entryId: string | null = null, requester?: Requester): Promise<SessionRecord> {
    const { path, entry_id } = validate(forkInput, { path: givenPath, entry_id: entryId });
    const source = await this.session(path);
    if (!source.capabilities.fork) throw onlyReadError(source, "forked");
    return this.#current.record(
      await this.#index.atLength("fork", { path: source.path, entryId: entry_id ?? null }, requester),
    );
  }

  async convert(given: v.InferInput<typeof conversionInput>, requester?: Requester): Promise<ConvertedSession> {
    const options = validate(conversionInput, given);
    return this.#conversions.convert(await this.session(options.path), options, requester);
  }

  async delete(givenPath: string, options: { force?: boolean | null | undefined } = {}): Promise<DeletedSession> {
    const { path, force } = validate(deleteInput, { ...options, path: givenPath });
    return this.#deletion.delete(path, force);
  }

  async previewDeletion(given: string): Promise<DeletionPreview> {
    const { path } = validate(sessionInput, { path: given });
    return this.#deletion.preview(path);
  }

  async exportPieces(options: v.InferInput<typeof exportInput>, requester?: Requester): Promise<ExportedPieces> {
    return this.#exports.whole(validate(exportInput, options), requester);
  }

  async export(options: v.InferInput<typeof exportInput>, requester?: Requester): Promise<ExportedSession> {
    const { content, ...exported } = await this.exportPieces(options, requester);
    return { ...exported, content: Buffer.concat(content).toString("utf8") };
  }

  async exportStream(options: v.InferInput<typeof exportStreamInput>, requester?: Requester): Promise<ExportStream> {
    return this.#exports.stream(validate(exportStreamInput, options), requester);
  }

  async exportArchive(options: v.InferInput<typeof archiveInput>, requester?: Requester): Promise<ExportStream> {
    return this.#exports.archive(validate(archiveInput, options), requester);
  }

  async previewRedactions(
    options: v.InferInput<typeof redactionsInput>,
    requester?: Requester,
  ): Promise<RedactionPreview> {
    return this.#exports.previewRedactions(validate(redactionsInput, options), requester);
  }

  async search(given: v.InferInput<typeof searchInput>, requester?: Requester): Promise<SearchPage> {
    return this.#search.search(given, requester);
  }

  async namedFiles(given: v.InferInput<typeof namedFilesInput>, requester?: Requester): Promise<NamedFile[]> {
    return this.#search.namedFiles(given, requester);
  }

  async statistics(
    options: v.InferInput<typeof statisticsInput> = {},
    requester?: Requester,
  ): Promise<SessionStatistics> {
    const withMarks = (records: SessionRecord[]) => this.#withMarks(records);
    return libraryStatistics({ index: this.#index, comparison: this.#comparison, withMarks }, options, requester);
  }

  setVaultSettings(settings: VaultSettings): void {
    this.#keeping.settings = settings;
  }

  setPrices(prices: UserPrices): void {
    this.#index.prices = prices;
  }

  async toggleFavorite(path: string): Promise<{ path: string; is_favorite: boolean }> {
    const record = await this.session(path);
    const isFavorite = await this.#state.marks.toggleFavorite({ path: record.path, id: record.id });
    this.marksChanged([record.path]);
    return { path: record.path, is_favorite: isFavorite };
  }

  async setArchived(paths: readonly string[], isArchived: boolean): Promise<ArchivedChange> {
    return this.#archiving.set(validate(archivedSessionsInput, { paths: [...paths] }).paths, isArchived);
  }

  async setNote(givenPath: string, entryId: string | null, givenText: string): Promise<Note | null> {
    const { path, entry_id, text } = validate(noteInput, { path: givenPath, entry_id: entryId, text: givenText });
    return this.#notes.set(path, entry_id ?? null, text);
  }

  async notes(given: string | null = null): Promise<AsyncIterable<Note>> {
    return this.#notes.list(validate(notesInput, { path: given }).path ?? null);
  }

  async setBookmark(givenPath: string, entryId: string, isBookmarked: boolean, givenLabel: string | null = null) {
    const given = { path: givenPath, entry_id: entryId, bookmarked: isBookmarked, label: givenLabel };
    const { path, entry_id, bookmarked, label } = validate(bookmarkInput, given);
    return this.#bookmarks.set(path, entry_id, bookmarked, label ?? null);
  }

  async bookmarks(given: string | null = null): Promise<Bookmark[]> {
    return this.#bookmarks.list(validate(bookmarksInput, { path: given }).path ?? null);
  }

  projects(): Promise<string[]> {
    return this.#index.list((listing) => listing.projects());
  }

  marksChanged(paths: string[]): void {
    this.#events.touched(paths);
    this.outbox.marksChanged(paths);
  }

  movedSessions(sessions: readonly SessionIdentity[]): Promise<Move[]> {
    return this.#marking.moved(sessions);
  }

  async session(given: string): Promise<SessionRecord> {
    const { path } = validate(sessionInput, { path: given });
    await this.#cleanups.current();
    return this.#current.record(await this.#directories.sessionPath(path));
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

  async filesIn(directories: readonly string[]): Promise<FileCounts[]> {
    const prefixes = await Promise.all(directories.map((directory) => this.#directories.prefixOf(directory)));
    // No path begins with NUL.
    return this.#index.list((listing) => listing.countBelow(prefixes.map((prefix) => prefix ?? "\0")));
  }

  async setPaths(paths: ChosenPaths): Promise<void> {
    this.#directories.setPaths(paths);
    this.#cleanups.set(paths.cleanups ?? []);
    await this.#comparison.refresh();
    // A file read during the change may be in a removed directory.
    await this.#comparison.refresh();
    await this.#events.settled();
  }

  get indexedBytes(): number {
    return this.#index.indexedBytes;
  }

  get memory(): LibraryMemory {
    return this.#index.memory;
  }

  get watchEvents(): number {
    return this.#watching?.events ?? 0;
  }

  status(): LibraryStatus {
    const { problem, silence } = this.#index;
    const problems = [
      problem,
      silence,
      this.#state.problem,
      this.#keeping.problem,
      this.#watching?.problem,
      this.#comparison.problem,
    ];
    const reason = problems.find((problem) => problem != null) ?? null;
    const { indexed, unindexed } = this.#index.sessionCounts();
    const pending = this.#index.pendingRecords + unindexed;
    const working = pending > 0 ? "indexing" : "ready";
    return {
      state: reason !== null ? "degraded" : this.#index.isCompared ? working : "opening",
      reason,
      sessions: indexed + unindexed,
      pending,
      skipped_files: this.#index.skippedFiles() + this.#comparison.misnamedFiles,
      bytes_done: this.#index.bytes.done,
      bytes_total: this.#index.bytes.total,
    };
  }

  work(): Promise<Work> {
    return this.#index.work();
  }

  ready(): Promise<void> {
    return this.#progress.ready();
  }

  async close(): Promise<void> {
    this.#progress.close();
    this.#watching?.close();
    this.#events.close();
    await this.#keeping.close();
    await this.outbox.close();
    await this.#index.close();
    if (this.#options.state === undefined) await this.#state.close();
  }

  async #withMarks(records: SessionRecord[]): Promise<SessionRecord[]> {
    this.#events.answered(records);
    return this.#marking.marked(records);
  }
}
