import { availableParallelism, tmpdir } from "node:os";
import { join } from "node:path";
import type { SessionRecord } from "../../session/record.ts";
import type { TagService } from "../../tags.ts";
import { DEFAULT_VAULT_SETTINGS, type VaultService } from "../../vault.ts";
import { OpenIndex } from "../indexing/open-index.ts";
import { SessionVault } from "../keeping/session-vault.ts";
import { SessionOutbox } from "../sending/session-outbox.ts";
import type { UserState } from "../state/ports.ts";
import { openUserState } from "../state/user-state.ts";
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
import { Favorites } from "./favorites.ts";
import type { LibraryOptions } from "./library.ts";
import { LibraryEvents } from "./library-events.ts";
import { LibraryExports } from "./library-exports.ts";
import { LibraryLists } from "./library-lists.ts";
import { LibraryProgress } from "./library-progress.ts";
import { LibrarySearch } from "./library-search.ts";
import { libraryStatus } from "./library-status.ts";
import { LibraryVault } from "./library-vault.ts";
import { LiveFiles } from "./live-files.ts";
import { Marking } from "./marking.ts";
import { Notes } from "./notes.ts";
import { SessionReading } from "./session-reading.ts";
import { SessionWriting } from "./session-writing.ts";
import { sessionsToKeep } from "./sessions-to-keep.ts";
import { sessionsToSend } from "./sessions-to-send.ts";
import { Tagging } from "./tagging.ts";
import { TrashedSessions } from "./trashed-sessions.ts";

/** As many as a WebSocket may run concurrently. */
const MAX_WAITING = 256;

/** What an open library consists of, each part with what it needs of the others. */
export class LibraryServices {
  readonly tags: TagService;
  readonly vault: VaultService;
  readonly outbox: SessionOutbox;
  readonly keeping: SessionVault;
  readonly directories: SessionDirectories;
  readonly cleanups: AgentCleanups;
  readonly state: UserState;
  readonly index: OpenIndex;
  readonly exports: LibraryExports;
  readonly deletion: Deletion;
  readonly events: LibraryEvents;
  readonly watching: Watching | null;
  readonly comparison: Comparison;
  readonly current: CurrentSessions;
  readonly progress: LibraryProgress;
  readonly live: LiveFiles;
  readonly lists: LibraryLists;
  readonly marking: Marking;
  readonly favorites: Favorites;
  readonly archiving: Archiving;
  readonly notes: Notes;
  readonly bookmarks: Bookmarks;
  readonly conversions: Conversions;
  readonly changeSums: ChangeSumsReader;
  readonly reading: SessionReading;
  readonly writing: SessionWriting;
  readonly search: LibrarySearch;
  readonly #options: LibraryOptions;

  constructor(options: LibraryOptions) {
    this.#options = options;
    const vaultPath = join(options.dataDir, "vault.db");
    this.directories = new SessionDirectories({
      ...options,
      vaultPath,
      isKept: async (path) => (await this.index.known(path))?.fromVault === true,
    });
    this.cleanups = new AgentCleanups(
      options.cleanups ?? [],
      (directory) => this.directories.prefixOf(directory),
      (cleaned) => {
        this.index.cleaned = cleaned;
      },
    );
    this.keeping = new SessionVault({
      path: vaultPath,
      sessions: sessionsToKeep({ index: () => this.index, compare: () => this.comparison.refresh() }),
      settings: options.vault ?? { ...DEFAULT_VAULT_SETTINGS, enabled: false },
      places: () => this.directories.places,
      log: options.log,
    });
    this.outbox = new SessionOutbox({
      path: join(options.dataDir, "hub.db"),
      sessions: sessionsToSend({ index: () => this.index, state: () => this.state }),
      places: () => this.directories.places,
      log: options.log,
    });
    this.state = options.state ?? openUserState(options);
    this.events = new LibraryEvents({
      emit: options.onEvent,
      hasSubscribers: options.hasSubscribers,
      log: options.log,
      records: async (paths) => this.withMarks(await this.index.list((listing) => listing.some(paths))),
      followMoves: (changed) => this.marking.followMoves(changed),
    });
    this.live = new LiveFiles((paths) => this.events.touched(paths));
    this.notes = new Notes({
      notes: this.state.notes,
      session: (path) => this.current.session(path),
      checkEntry: async (path, entryId) => {
        await this.index.quickly("entries", { path, leaf_id: entryId, limit: 1 });
      },
      existing: (paths) => this.index.list((listing) => listing.existing(paths)),
      touched: (paths) => this.marksChanged(paths),
    });
    this.marking = new Marking({
      marks: this.state.marks,
      notes: this.notes,
      bookmarks: this.state.bookmarks,
      log: options.log,
      identities: (wanted) => this.index.list((listing) => listing.identities(wanted)),
      live: () => this.live.paths,
      expiring: () => this.index.list((listing) => listing.expiring()),
      ended: (outcome) => this.index.list((listing) => listing.ended(outcome)),
    });
    this.index = new OpenIndex({
      directory: options.dataDir,
      fallbackDirectory: join(tmpdir(), `session-manager-index-${process.pid}`),
      cores: availableParallelism(),
      mostWaiting: options.mostWaiting ?? MAX_WAITING,
      log: options.log,
      now: options.now,
      places: () => this.directories.places,
      onChange: () => this.progress.changed(),
      onListChanges: (changes) => this.events.listChanged(changes),
      onFilesRead: (files) => {
        this.keeping.filesRead(files);
        this.outbox.filesRead(files);
      },
      onRelated: (paths) => this.events.touched(paths),
      onSearchable: (paths) => this.events.searchable(paths, this.index.sessionCounts().unindexed === 0),
      onReset: () => void this.comparison.refresh().catch(() => undefined),
    });
    this.index.prices = options.prices ?? {};
    this.current = new CurrentSessions({
      index: this.index,
      directories: this.directories,
      cleanups: this.cleanups,
      withMarks: (records) => this.withMarks(records),
    });
    this.reading = new SessionReading({
      index: this.index,
      directories: this.directories,
      current: this.current,
      names: () => this.marking.names(),
    });
    this.search = new LibrarySearch({
      index: this.index,
      state: this.state,
      directories: this.directories,
      cleanups: this.cleanups,
      live: this.live,
      marking: this.marking,
      notes: this.notes,
    });
    this.writing = new SessionWriting({
      index: this.index,
      current: this.current,
      live: this.live,
      marks: this.state.marks,
      touched: (paths) => this.marksChanged(paths),
    });
    this.changeSums = new ChangeSumsReader({
      path: (given) => this.current.path(given),
      stamp: async (path) => (await this.index.known(path))?.stamp ?? null,
      count: (path, requester) => this.index.atLength("changeCounts", { path }, requester),
    });
    this.conversions = new Conversions({
      ...options,
      index: this.index,
      directories: this.directories,
      current: this.current,
    });
    this.progress = new LibraryProgress({
      status: () => libraryStatus(this),
      isCompared: () => this.index.isCompared,
      failure: () => (this.index.isStopped ? (this.index.problem ?? "") : null),
      onProgress: options.onProgress,
    });
    this.comparison = new Comparison({
      directories: this.directories,
      index: this.index,
      log: options.log,
      watch: async (existing, missing) => this.watching?.cover(existing, missing),
      onCompared: async (expired) => {
        await this.marking.drop(expired);
        this.events.startFollowing();
        this.progress.changed();
      },
    });
    this.lists = new LibraryLists({
      index: this.index,
      directories: this.directories,
      cleanups: this.cleanups,
      comparison: this.comparison,
      events: this.events,
      marking: this.marking,
      withMarks: (records) => this.withMarks(records),
    });
    this.exports = new LibraryExports({
      reader: this.index,
      sessions: {
        place: (given) => this.directories.sessionPath(given),
        places: (given) => this.directories.sessionPaths(given),
        path: (given) => this.current.path(given),
        record: (path) => this.current.record(path),
        known: (path) => this.index.list((listing) => listing.one(path)),
        existing: (paths) => this.index.list((listing) => listing.existing(paths)),
        subagentsBelow: (path, most) => this.index.list((listing) => listing.subagentsBelow(path, most)),
        bytes: (path, range, requester) => this.reading.bytes(path, range, requester),
      },
      log: options.log,
      names: () => this.marking.names(),
      notes: async (path) => ({ ...(await this.notes.of(path)), bookmarks: await this.bookmarks.of(path) }),
    });
    const onDeleted = async (paths: readonly string[]) => {
      this.outbox.deleted(paths);
      await options.onDeleted?.(paths);
    };
    this.vault = new LibraryVault({
      vault: this.keeping,
      index: this.index,
      directories: this.directories,
      current: this.current,
      trash: new TrashedSessions(this.directories),
      onDeleted,
    });
    this.deletion = new Deletion({
      vault: this.keeping,
      index: this.index,
      directories: this.directories,
      current: this.current,
      live: this.live,
      marks: this.state.marks,
      onDeleted,
      log: options.log,
    });
    this.tags = new Tagging({
      tags: this.state.tags,
      marks: this.state.marks,
      session: (path) => this.current.session(path),
      existing: (paths) => this.index.list((listing) => listing.existing(paths)),
      archived: () => this.marking.archived(),
      touched: (paths) => this.marksChanged(paths),
    });
    this.bookmarks = new Bookmarks({
      bookmarks: this.state.bookmarks,
      session: (path) => this.current.session(path),
      branch: async (path, leaf_id) => {
        const page = await this.reading.entries({ path, leaf_id, limit: 1 });
        return JSON.parse(new TextDecoder().decode(page));
      },
      label: (path, entryId, label) => this.index.atLength("label", { path, entryId, label }),
      existing: (paths) => this.index.list((listing) => listing.existing(paths)),
      touched: (paths) => this.marksChanged(paths),
    });
    this.favorites = new Favorites({
      marks: this.state.marks,
      session: (path) => this.current.session(path),
      existing: (paths) => this.index.list((listing) => listing.existing(paths)),
      touched: (paths) => this.marksChanged(paths),
    });
    this.archiving = new Archiving({
      marks: this.state.marks,
      session: (path) => this.current.session(path),
      touched: (paths) => this.marksChanged(paths),
    });
    this.watching =
      options.watch === false
        ? null
        : new Watching({
            log: options.log,
            compare: async () => {
              this.state.backUpIfDue();
              await this.comparison.refresh();
            },
            isBehind: () => this.index.problem !== null || this.comparison.problem !== null,
            look: (paths) => this.comparison.filesChanged(paths),
            onEvent: () => this.index.wake(),
          });
  }

  /** Resolves when the scan was started, because the caller may be busy afterwards. */
  async start(): Promise<void> {
    // Errors are logged and in the status. Watching starts after the first lists, which clients wait for.
    const [survey] = await Promise.all([this.comparison.survey(), this.cleanups.current()]);
    const compared = this.comparison.compare(survey).catch(() => undefined);
    void compared.then(() => this.watching?.begin());
    void compared.then(() => this.keeping.catchUpSoon());
    void compared.then(() => this.outbox.catchUp());
  }

  /** Moves on to other directories; resolves when their sessions are known. */
  async setPaths(paths: ChosenPaths): Promise<void> {
    this.directories.setPaths(paths);
    this.cleanups.set(paths.cleanups ?? []);
    await this.comparison.refresh();
    // A file read during the change may be in a removed directory.
    await this.comparison.refresh();
    await this.events.settled();
  }

  marksChanged(paths: string[]): void {
    this.events.touched(paths);
    this.outbox.marksChanged(paths);
  }

  async withMarks(records: SessionRecord[]): Promise<SessionRecord[]> {
    this.events.answered(records);
    return this.marking.marked(records);
  }

  async close(): Promise<void> {
    this.progress.close();
    this.watching?.close();
    this.events.close();
    await this.keeping.close();
    await this.outbox.close();
    await this.index.close();
    if (this.#options.state === undefined) await this.state.close();
  }
}
