import type { JsonObject } from "../../json.ts";
import type { LibraryLog } from "../../library-log.ts";
import type { Note } from "../../notes.ts";
import type { Tag, TagChanges, TagOptions } from "../../tags.ts";
import type { TokenStore } from "../../tokens.ts";

// What is published of the user state: without types of SQLite, which a consumer need not have.

/** A session file and the id in it. Records have both. */
export interface SessionIdentity {
  path: string;
  id: string;
}

/** Sessions whose files came or went: their paths, and the ids of those that exist. */
export interface NearSessions {
  paths: readonly string[];
  ids: readonly string[];
}

/** What the user has attached to a session. */
export interface SessionMarks {
  tag_ids: string[];
  is_favorite: boolean;
  /** `null` if it is not archived. */
  archived_at: string | null;
  /** Notes on the session and its entries. */
  note_count: number;
}

/**
 * What the user has said about sessions, kept apart from what can be read from the files again.
 *
 * Marks belong to a path. Where a path is gone, they follow the session id to the file that has it now, see `follow`.
 * A copy of a file has the same id and stays without marks until it gets its own; deleting it leaves those of the
 * original alone.
 *
 * Methods reject with AppError `READ_ONLY` when the file system refuses a change, and `UNAVAILABLE` when the disk is
 * full and when the database is damaged or was replaced under the running program.
 */
export interface StateStore {
  /** Gives the marks of these sessions by path; a session without marks is not in the map. */
  marks(sessions: readonly Pick<SessionIdentity, "path">[]): Promise<Map<string, SessionMarks>>;
  /** Turns the favorite flag over and gives its new value. */
  toggleFavorite(session: SessionIdentity): Promise<boolean>;
  /** Names a session apart from its file; an empty name removes the name. */
  setName(session: SessionIdentity, name: string): Promise<void>;
  /**
   * Gives the names of all sessions that have one apart from their files, by path. Asked for again, it gives the same
   * map until a name has changed.
   */
  names(): Promise<ReadonlyMap<string, string>>;
  /**
   * Archives sessions, or takes them back where `at` is `null`. Gives the paths of those that were not so before; an
   * archived one keeps its time.
   */
  setArchived(sessions: readonly SessionIdentity[], at: string | null): Promise<string[]>;
  /**
   * Gives the paths of all archived sessions, those of missing files too. Asked for again, it gives the same set until
   * one has changed.
   */
  archived(): Promise<ReadonlySet<string>>;
  /** Gives the paths of all favorites, the newest first, those of missing files too. */
  favorites(): Promise<string[]>;
  /**
   * Gives the paths of the sessions that have every one of these tags, each once; none where no tag is given. Asked for
   * the same again, it gives the same array until marks have changed.
   */
  sessionsWithTags(tagIds: readonly string[]): Promise<readonly string[]>;
  /** Gives the paths of the sessions that have a tag of this name, whatever its case, or one below such a tag. */
  sessionsUnderTag(name: TagName): Promise<Set<string>>;
  /**
   * Lists the sessions that have marks, whether or not they exist, as they were when they were marked. Of `near`, those
   * with one of the paths or ids, and those with the same ids as these.
   */
  marked(near?: NearSessions): Promise<SessionIdentity[]>;
  /** Removes the marks of sessions that were deleted. */
  forget(paths: readonly string[]): Promise<void>;
  /**
   * Carries marks along with files that were moved: marks of a file that is gone go to a session with the same id, to
   * one without marks if there is one, else beside the marks that it has. Wants all sessions that exist with a path
   * or an id of `marked`, by default all; to be called after a scan and when files came or went. Gives the paths that
   * have got marks.
   */
  follow(sessions: readonly SessionIdentity[], marked?: readonly SessionIdentity[]): Promise<string[]>;
}

/** A tag as a search names it. */
export interface TagName {
  value: string;
  /** `value` is the beginning of what is wanted. */
  prefix: boolean;
}

/** A tag as it is kept. */
export type StoredTag = Omit<Tag, "session_count">;

/**
 * The tree of tags and what it is attached to. Methods reject as those of `TagService` and of `StateStore` do.
 */
export interface TagStore {
  /** In the order of their names. */
  list(): Promise<StoredTag[]>;
  /** Every assignment, those of missing files too. */
  assignments(): Promise<{ tagId: string; path: string }[]>;
  create(options: TagOptions): Promise<StoredTag>;
  update(id: string, changes: TagChanges): Promise<StoredTag>;
  /**
   * Takes a tag off so many sessions, whichever, where more than those have it: of all at once others would have to
   * wait. Gives their paths; none where `delete` takes the rest off at once.
   */
  takeOff(id: string, most: number): Promise<string[]>;
  /** Gives the paths of the sessions that still had it. */
  delete(id: string): Promise<string[]>;
  assign(sessions: readonly SessionIdentity[], tagId: string): Promise<void>;
  remove(sessions: readonly SessionIdentity[], tagId: string): Promise<void>;
}

/** What the user has written about sessions and their entries. Methods reject as those of `StateStore` do. */
export interface NoteStore {
  /** Writes a note in place of the one before; `entryId` is `null` for the session itself. An empty text removes it. */
  set(session: SessionIdentity, entryId: string | null, text: string, at: string): Promise<void>;
  /** Gives the notes of a session, or of all, those of missing files too: the newest first, a few at a time. */
  pages(path: string | null): AsyncIterable<Note[]>;
  /** Gives the paths of all sessions with notes, those of missing files too. */
  paths(): Promise<string[]>;
}

/** A bookmark as it is kept. */
export interface StoredBookmark {
  path: string;
  entryId: string;
  createdAt: string;
}

/** Most bookmarks in a list: to read them takes some milliseconds. */
export const MOST_BOOKMARKS = 5_000;

/** Entries of sessions to come back to. Methods reject as those of `StateStore` do. */
export interface BookmarkStore {
  /** Sets a bookmark, or removes it where `at` is `null`. Gives whether that has changed anything. */
  set(session: SessionIdentity, entryId: string, at: string | null): Promise<boolean>;
  /** Gives those of a session, or of all, those of missing files too: the newest 5,000. */
  list(path: string | null): Promise<StoredBookmark[]>;
  /** Gives the paths of all sessions with bookmarks, those of missing files too. */
  paths(): Promise<string[]>;
}

/** What is known of a configuration without reading it. */
export interface ConfigVersionRecord {
  id: string;
  /** From then on it was in force. */
  created_at: string;
  /** What made it: the name of a command, or `external` for somebody who has edited a file. */
  origin: string;
  /** As JSON. */
  size_bytes: number;
  /** Of the canonical JSON, as hexadecimal digits: equal ones are equal. */
  sha256: string;
}

/** A configuration as it was from `created_at` on. */
export interface ConfigVersion extends ConfigVersionRecord {
  bundle: JsonObject;
}

/** The configurations that the service has had. Methods reject as those of `StateStore` do. */
export interface ConfigVersionStore {
  /**
   * Keeps a configuration, unless it equals the newest one: then that one is given, which is not `isNew`. The newest
   * 200 are kept, of large ones as many as have 32 MiB together, and the newest whatever its size.
   */
  add(version: { bundle: JsonObject; origin: string }): Promise<{ id: string; created_at: string; isNew: boolean }>;
  /** Gives the newest one; `null` where there is none yet. */
  latest(): Promise<ConfigVersion | null>;
  /** The newest first. */
  list(): Promise<ConfigVersionRecord[]>;
  /** `null` where there is none of this id. */
  get(id: string): Promise<ConfigVersion | null>;
}

/** Most marks of a kind in a backup: they are added in one transaction, while everybody waits. */
export const MAX_MARKS = 20_000;

/** What the user has said about sessions, as it is kept in a backup: each kind in the order in which it was made. */
export interface BackedUpMarks {
  notes: (MarkOfSession & { entry_id: string | null; text: string; updated_at: string })[];
  bookmarks: (MarkOfSession & { entry_id: string; created_at: string })[];
  archived: (MarkOfSession & { archived_at: string })[];
  favorites: MarkOfSession[];
  /** Those that are kept apart from files. */
  names: (MarkOfSession & { name: string })[];
  tagged: (MarkOfSession & { tag_id: string })[];
}

interface MarkOfSession {
  path: string;
  session_id: string;
}

/** A configuration that is to be in force, as far as `state.db` holds it. */
export interface ConfigurationChange {
  /** The id that its version will have. */
  versionId: string;
  origin: string;
  /** All of it, for the version. */
  bundle: JsonObject;
  tags: readonly StoredTag[];
  values: JsonObject;
  /** To be added to those that there are; part of no version. */
  marks?: BackedUpMarks | null;
}

/** What of the configuration has no file, and the marks that can be kept with it. Methods reject as those of `StateStore` do. */
export interface ConfigurationState {
  values(): Promise<JsonObject>;
  /**
   * Puts a configuration in force: tags, values and a new version, all or nothing. Files are replaced by `putFiles`,
   * within the same transaction: where it throws, nothing is changed here either. A change is complete as soon as its
   * version can be found. Gives the paths of the sessions that have lost a tag or may have
   * got marks.
   */
  change(change: ConfigurationChange, putFiles: () => void): Promise<string[]>;
  /** Gives all marks, those of missing files too. Rejects with AppError `PAYLOAD_TOO_LARGE` where they are too many. */
  marks(): Promise<BackedUpMarks>;
  /**
   * Adds marks to those that there are, all or nothing: of two notes on the same thing the newer stays, and nothing is
   * removed. Gives the paths of the sessions that may have got some.
   */
  addMarks(marks: BackedUpMarks): Promise<string[]>;
}

export interface StateOptions {
  /** Made with mode 0700 where it is missing. */
  dataDir: string;
  log: LibraryLog;
}

/** What only the user knows and no file can tell again, in `state.db`. */
export interface UserState {
  /** Which sessions have tags and names, are favorites and archived. */
  readonly marks: StateStore;
  readonly tags: TagStore;
  readonly notes: NoteStore;
  readonly bookmarks: BookmarkStore;
  readonly tokens: TokenStore;
  readonly versions: ConfigVersionStore;
  readonly configuration: ConfigurationState;
  /** What is or was wrong with the stored state, for people; `null` where nothing is. */
  readonly problem: string | null;
  /** Makes the backup of the day where one is due. To be called now and then; a warning in the log where it fails. */
  backUpIfDue(): void;
  close(): Promise<void>;
}
