import type { Bookmark } from "./bookmarks.ts";
import type { ChangeSums, ChangesOptions, SessionChanges } from "./changes.ts";
import type { JsonObject } from "./json.ts";
import type { Note } from "./notes.ts";
import type { Requester } from "./requester.ts";
import type { SessionFormatName, SessionRecord } from "./session/record.ts";
import type { RedactionCount, TranscriptItem } from "./session/transcript.ts";
import type { SessionStatistics, StatisticsOptions } from "./statistics.ts";

/**
 * A directory tree of sessions and all operations on it. Implemented by `@sm/core/node`.
 *
 * Long operations take a requester: they wait for their turn, and reject with AppError `UNAVAILABLE` if too much of the
 * client is waiting, or with the reason of the requester's signal.
 */
export interface SessionLibrary {
  /**
   * Rescans the directories and waits for new and changed files. Records are ordered newest first and read on demand:
   * each session is returned once, in its state at that time. Can be read once.
   */
  scan(requester?: Requester): Promise<AsyncIterable<SessionRecord>>;
  /** The same as the JSON text of an array in UTF-8, in pieces, which takes the least work of the main thread. */
  scanJson(requester?: Requester): Promise<AsyncIterable<Uint8Array>>;
  /** Lists known sessions without waiting. */
  list(options: ListOptions): Promise<SessionPage>;
  /** Streams the text of a session file up to its current end; at most 256 MiB. Can be read once. */
  textStream(path: string, requester?: Requester): Promise<AsyncIterable<string>>;
  /** Reads a page of a branch: JSON text of an {@link EntriesPage} in UTF-8. */
  entriesJson(options: EntriesOptions, requester?: Requester): Promise<Uint8Array>;
  /** The same page independent of the format: JSON text of a {@link TranscriptPage} in UTF-8. */
  transcriptJson(options: EntriesOptions, requester?: Requester): Promise<Uint8Array>;
  /** The output of a tool that its agent has moved to a file of its own: JSON text of a {@link ToolOutput} in UTF-8. */
  toolOutputJson(options: { path: string; entry_id: string }, requester?: Requester): Promise<Uint8Array>;
  /** Searches one branch from its leaf, page by page. */
  find(options: FindOptions, requester?: Requester): Promise<FindPage>;
  /** The files that a branch has changed, as far as its calls tell. */
  changes(options: ChangesOptions, requester?: Requester): Promise<SessionChanges>;
  /**
   * How much the newest branch of each session has changed, in the order of the paths. Sessions that are unknown or cannot
   * be read are left out.
   */
  changeSums(options: { paths: string[] }, requester?: Requester): Promise<ChangeSums[]>;
  /** All entries in file order, read on demand. Can be read once. */
  readTree(path: string, requester?: Requester): Promise<AsyncIterable<TreeEntry>>;
  rename(path: string, name: string, requester?: Requester): Promise<SessionRecord>;
  delete(path: string, options: DeleteOptions): Promise<DeletedSession>;
  previewDeletion(path: string): Promise<DeletionPreview>;
  fork(path: string, entryId: string | null, requester?: Requester): Promise<SessionRecord>;
  /**
   * Hands one branch of a session over to another agent, or to pi. Rejects with AppError `CONFLICT` for a session without
   * a working directory, which a new session needs.
   */
  convert(options: ConversionOptions, requester?: Requester): Promise<ConvertedSession>;
  /** An export in memory; at most 32 MiB. */
  exportPieces(options: ExportOptions, requester?: Requester): Promise<ExportedPieces>;
  /** The same bytes as `exportPieces`, streamed; `jsonl` is the file itself. */
  exportStream(options: ExportStreamOptions, requester?: Requester): Promise<ExportStream>;
  /**
   * A zip of several exports and an index page. Rejects if a path is not a session; sessions that disappear later are
   * listed in the index page. Reading starts with the first piece.
   */
  exportArchive(options: ArchiveOptions, requester?: Requester): Promise<ExportStream>;
  /** Previews what an export with `redact` would replace. */
  previewRedactions(options: RedactionOptions, requester?: Requester): Promise<RedactionPreview>;
  search(options: SearchOptions, requester?: Requester): Promise<SearchPage>;
  /**
   * Names of files in the arguments of tool calls that begin like this, those of the most sessions first. Archived
   * sessions do not count.
   */
  namedFiles(options: NamedFilesOptions, requester?: Requester): Promise<NamedFile[]>;
  /**
   * Computes statistics of known sessions without waiting. Rejects with AppError `INVALID_PAYLOAD` for an unknown time
   * zone.
   */
  statistics(options: StatisticsOptions, requester?: Requester): Promise<SessionStatistics>;
  toggleFavorite(path: string): Promise<{ path: string; is_favorite: boolean }>;
  /**
   * Archives sessions, or takes them back: lists and searches leave archived ones out, with their subagents. Files are
   * not changed.
   */
  setArchived(paths: readonly string[], isArchived: boolean): Promise<ArchivedChange>;
  /**
   * Writes a note on a session, or on one of its entries, in place of the one before; an empty text removes it. Gives
   * the note, `null` where there is none now. Rejects with AppError `NOT_FOUND` for an unknown entry.
   */
  setNote(path: string, entryId: string | null, text: string): Promise<Note | null>;
  /** Notes of a session, or of all, the newest first, read on demand. Can be read once. */
  notes(path?: string | null): Promise<AsyncIterable<Note>>;
  /**
   * Sets a bookmark on an entry, or removes it. A label is written into the file, an empty one takes it away there;
   * without one the file stays as it is. Rejects with AppError `NOT_FOUND` for an unknown entry, and `CONFLICT` for a
   * label in a file that is only read or that an agent is using.
   */
  setBookmark(
    path: string,
    entryId: string,
    isBookmarked: boolean,
    label?: string | null,
  ): Promise<{ path: string; entry_id: string; bookmarked: boolean }>;
  /** Bookmarks of a session, with the labels of its agent, or the newest 5,000 of all sessions; the newest first. */
  bookmarks(path?: string | null): Promise<Bookmark[]>;
  /** Paths, most recently added first. */
  favorites(): Promise<string[]>;
  /** Scanned directories: existing, absolute, without duplicates and nested ones. */
  directories(): Promise<string[]>;
  status(): LibraryStatus;
}

/** Whether archived sessions are left out, the default; with their subagents. */
export type ArchivedFilter = "exclude" | "include" | "only";

export interface ArchivedChange {
  /** Paths of the sessions that were not so before. */
  changed: string[];
  /** Paths that are not those of sessions, and why. */
  failed: { path: string; error: unknown }[];
}

export type SessionSort = "modified" | "created" | "size" | "messages" | "cost" | "title";

export interface ListOptions {
  query?: string | undefined;
  project?: string | undefined;
  tag_ids?: string[] | undefined;
  favorites_only?: boolean | undefined;
  /** `folded`, the default, leaves out subagents whose parent is in the library. */
  subagents?: "folded" | "all" | undefined;
  /** Only the subagents that this session has started. */
  parent_path?: string | undefined;
  archived?: ArchivedFilter | undefined;
  format?: SessionFormatName | undefined;
  /** Only sessions of the user of the hub with this name. */
  owner?: string | undefined;
  /** Newest message at or after this time (RFC 3339). */
  since?: string | undefined;
  /** Newest message before this time (RFC 3339). */
  until?: string | undefined;
  sort: SessionSort;
  order: "asc" | "desc";
  limit: number;
  cursor?: string | undefined;
  with_total_size?: boolean | undefined;
}

export interface SessionPage {
  sessions: SessionRecord[];
  next_cursor: string | null;
  total: number;
  /** Of the files of all pages; `null` unless asked for. */
  total_size_bytes: number | null;
  /** Files whose record is not known yet. */
  pending: number;
}

export interface EntriesOptions {
  path: string;
  /** Any entry; selects the branch from the root to it. Default: the newest leaf. */
  leaf_id?: string | undefined;
  /** Only entries before this entry id. */
  before?: string | undefined;
  /** Only entries after this entry id. */
  after?: string | undefined;
  limit: number;
}

/** What a page of a branch says besides its entries. */
export interface BranchPage {
  leaf_id: string | null;
  /** The newest entry of each branch, in file order; only the last ones above 1 MiB. */
  leaves: string[];
  /** Labels by entry ID; only the last ones above 1 MiB. */
  labels: Record<string, string>;
  /** Number of entries of the branch. */
  total: number;
  has_more_before: boolean;
  has_more_after: boolean;
  /** Entries of this page that were shortened because of their size. */
  truncated_entries: TruncatedEntry[];
}

export interface EntriesPage extends BranchPage {
  header: JsonObject | null;
  /** Unchanged, root to leaf. Entries of format 1 get the IDs shown by `read_session_tree`. */
  entries: JsonObject[];
}

/** The same page independent of the session's format. */
export interface TranscriptPage extends BranchPage {
  /** Root to leaf, with the context edits of the branch applied. */
  items: TranscriptItem[];
  /** The same entries as `read_session_tree` lists them. */
  entries: TreeEntry[];
}

/** An entry whose long strings are shortened, and its location in the file. */
export interface TruncatedEntry {
  /** `null` for the header. */
  entry_id: string | null;
  /** Byte offset of its line. */
  offset: number;
  size_bytes: number;
}

/** The whole output of a tool, of an entry with `stored_output`. */
export interface ToolOutput {
  /** At most its first 16 MiB. */
  text: string;
  size_bytes: number;
  /** Whether that is all of it. */
  complete: boolean;
}

export interface FindOptions {
  path: string;
  /** Literal text: ignores case, and any white space matches any other. */
  query: string;
  /** Any entry; selects the branch from the root to it. Default: the newest leaf. */
  leaf_id?: string | undefined;
  role: SearchRole;
  /** Maximum entries. */
  limit: number;
  cursor?: string | undefined;
}

/** An entry that contains the text. */
export interface FoundEntry {
  entry_id: string;
  /** Index on the branch, from 0 at the root. */
  place: number;
  /** Number of matches. */
  count: number;
}

export interface FindPage {
  /** Newest first. */
  entries: FoundEntry[];
  leaf_id: string | null;
  /** Number of entries of the branch. */
  total: number;
  /** Number of entries searched, including earlier pages. */
  scanned: number;
  next_cursor: string | null;
}

/** What an entry is, independent of the format: an item, or an entry that says something of the session or another entry. */
export type TreeEntryKind = TranscriptItem["kind"] | "name" | "label" | "context_edit";

export interface TreeEntry {
  id: string;
  parent_id: string | null;
  /** As the format calls it. */
  type: string;
  kind: TreeEntryKind;
  role: string | null;
  /** Whether it is part of the conversation; other entries do not create branches. */
  conversation: boolean;
  preview: string;
  /** The entry that a label or context edit refers to; `null` for others. */
  target_id: string | null;
  timestamp: string | null;
  label: string | null;
  /** Of the result of a call that has started agents, their sessions; not in pages. */
  subagents?: TreeSubagent[] | undefined;
}

/** The session of an agent that a call has started. */
export interface TreeSubagent {
  path: string;
  id: string;
  title: string;
  format: SessionFormatName;
  /** Recorded by the agent. */
  cost_usd: number | null;
  estimated_cost_usd: number | null;
}

export interface DeleteOptions {
  force: boolean;
}

export interface DeletedSession {
  path: string;
  method: "trash" | "permanent" | "vault";
  /** Number of files that belonged to the session and went with it, those of its subagents among them. */
  companions: number;
  /** Paths of files and folders that belong to the session and could not be deleted. */
  left_behind: string[];
}

/** What deleting a session takes along. */
export interface DeletionPreview {
  path: string;
  /** Number of files that belong to the session besides its own. */
  companions: number;
  /** How many of them are sessions of agents that it has started. */
  subagents: number;
  /** Size of these files. */
  companion_bytes: number;
}

export interface ConversionOptions {
  path: string;
  /** Agent that goes on. pi gets a new session, others a brief to begin with. */
  to: SessionFormatName;
  /** The last entry; default: the end of the newest branch. */
  entry_id?: string | undefined;
  /** Words of the user's own to replace in a brief besides secrets. */
  redact_words?: string[] | undefined;
}

/** What another agent goes on with. */
export interface ConvertedSession {
  to: SessionFormatName;
  /** The new session of pi; `null` for other agents. */
  session: SessionRecord | null;
  /** Markdown text with secrets replaced; `null` for pi. */
  brief: string | null;
  /** A file with the brief, for a week. */
  brief_path: string | null;
  /** Starts the agent, in a POSIX shell on the machine of the service. */
  command: string | null;
}

export type ExportFormat = "html" | "markdown" | "json";

/** Color scheme of an HTML export; `system`: the reader's system setting. */
export type ExportTheme = "system" | "light" | "dark";

export interface ExportOptions {
  path: string;
  format: ExportFormat;
  /** Any entry; exports only the branch from the root to it. */
  leaf_id?: string | undefined;
  include_thinking: boolean;
  include_tools: boolean;
  /** Adds the user's notes, which are left out by default: they are private. */
  include_notes?: boolean | undefined;
  /** Replaces secrets and personal data by placeholders. */
  redact: boolean;
  /** Words of the user's own to replace, too; with any, `redact` is implied. */
  redact_words?: string[] | undefined;
  theme: ExportTheme;
  /** Adds the transcripts of its subagents; not with the format `jsonl`, except in archives. */
  include_subagents?: boolean | undefined;
}

export interface ExportedSession {
  format: ExportFormat;
  file_name: string;
  media_type: string;
  content: string;
  /** The redactions made, `null` without redaction. */
  redactions: RedactionCount[] | null;
}

/** An export with UTF-8 `content` in pieces. */
export interface ExportedPieces extends Omit<ExportedSession, "content"> {
  content: Uint8Array[];
}

export interface NamedFilesOptions {
  /** At least two characters, in any case; `src/ap` finds files whose names begin with `ap` in a folder `src`. */
  prefix: string;
  limit: number;
}

/** A name of files, as `file:` in a query finds them. */
export interface NamedFile {
  /** In lower case, with the folders that were asked for. */
  name: string;
  /** `null` where so many names begin like this that not all were looked at. */
  session_count: number | null;
}

export interface RedactionOptions {
  path: string;
  leaf_id?: string | undefined;
  include_thinking: boolean;
  include_tools: boolean;
  include_notes?: boolean | undefined;
  redact_words?: string[] | undefined;
  /** Looks through the subagents that an export has with the same option. */
  include_subagents?: boolean | undefined;
}

export interface RedactionPreview {
  findings: RedactionFinding[];
  /** Of all kinds. */
  total: number;
}

export interface RedactionFinding extends RedactionCount {
  /** At most three examples, with the text around the placeholder. */
  examples: { entry_id: string | null; excerpt: string }[];
}

export interface ExportStreamOptions extends Omit<ExportOptions, "format"> {
  format: ExportFormat | "jsonl";
  /** Offset of the first byte, for `jsonl`; default 0. */
  offset?: number | undefined;
  /** Number of bytes, for `jsonl`; default: all. */
  length?: number | undefined;
}

export interface ArchiveOptions extends Omit<ExportStreamOptions, "path" | "leaf_id" | "offset" | "length"> {
  /** Duplicates are exported once. */
  paths: string[];
  /** Adds the subagents of each session, in a folder with the name of its file. */
  include_subagents?: boolean | undefined;
}

export interface ExportStream {
  file_name: string;
  media_type: string;
  chunks: AsyncIterable<Uint8Array>;
}

export type SearchRole = "all" | "user" | "assistant" | "tool";

export interface SearchOptions {
  query: string;
  role: SearchRole;
  project?: string | undefined;
  since?: string | undefined;
  until?: string | undefined;
  tag_ids?: string[] | undefined;
  format?: SessionFormatName | undefined;
  /** Only sessions of the user of the hub with this name. */
  owner?: string | undefined;
  /** Search only this session and return all of its hits. */
  path?: string | undefined;
  archived?: ArchivedFilter | undefined;
  sort: "relevance" | "newest";
  limit: number;
  cursor?: string | undefined;
  /** Maximum hits per session. */
  per_session: number;
}

/** Kind of a text in a session. */
export type PartKind = "text" | "thinking" | "tool_call" | "tool_result" | "bash" | "summary" | "name" | "label";

export interface SearchHit {
  session_path: string;
  format: SessionFormatName;
  session_id: string;
  session_title: string;
  cwd: string | null;
  entry_id: string;
  /** `null` for summaries, names, labels and messages of extensions. */
  role: "user" | "assistant" | "tool" | null;
  kind: PartKind;
  tool_name: string | null;
  timestamp: string | null;
  snippet: string;
  /** UTF-16 offsets `[start, end]` into `snippet`. */
  highlights: [number, number][];
  /** Higher is better; comparable only within one response. */
  score: number;
}

export interface SearchPage {
  hits: SearchHit[];
  total: number;
  total_is_exact: boolean;
  next_cursor: string | null;
  took_ms: number;
  indexing: { done: number; pending: number };
}

export interface LibraryStatus {
  /** `opening` until the first scan of the directories, also for a rebuilt index; `degraded` has a reason. */
  state: "opening" | "indexing" | "ready" | "degraded";
  reason: string | null;
  sessions: number;
  /** Files still to be indexed. */
  pending: number;
  /** Files that are no sessions: empty, of a format that is not known, or with a name that cannot be listed. */
  skipped_files: number;
  bytes_done: number;
  bytes_total: number;
}

/** Events of a library: changed files, and the resulting changes of records. */
export type LibraryEvent =
  | { type: "files-changed"; changed_paths: string[]; removed_paths: string[] }
  /** Applied in order, these events keep a list identical to the result of `list`. */
  | { type: "records-changed"; added: SessionRecord[]; updated: SessionRecord[]; removed: string[] }
  /** Changes were not reported because there were no subscribers: reload the list. */
  | { type: "changes-lost" };

/** Files in a directory. */
export interface FileCounts {
  sessions: number;
  /** No line is of a known format. */
  skipped: number;
}
