import type { JsonObject } from "./json.ts";
import type { Requester } from "./requester.ts";
import type { SessionFormatName, SessionRecord } from "./session/record.ts";
import type { RedactionCount } from "./session/transcript.ts";
import type { SessionStatistics, StatisticsOptions } from "./statistics.ts";

/**
 * A directory tree of sessions and everything that can be done with them. Implemented by `@sm/core/node`.
 *
 * What may take long is told who asks: it waits for its turn, and rejects with AppError `UNAVAILABLE` where too much of
 * the client waits already, or with the reason of the requester's signal.
 */
export interface SessionLibrary {
  /**
   * Compares the directories with what is known and waits for new and changed files. The records come the newest first
   * and are read while they are taken: a session that changes meanwhile comes once, as it is then. To be taken once.
   */
  scan(): Promise<AsyncIterable<SessionRecord>>;
  /** Answers from what is known, without waiting. */
  list(options: ListOptions): Promise<SessionPage>;
  /** Reads the text of a session file piece by piece, as far as it reaches now; 256 MiB at most. To be taken once. */
  textStream(path: string, requester?: Requester): Promise<AsyncIterable<string>>;
  /** Reads a page of a branch: JSON text of an {@link EntriesPage} in UTF-8. */
  entriesJson(options: EntriesOptions, requester?: Requester): Promise<Uint8Array>;
  /** Looks for text in one branch, from its leaf on, some of it at a time. */
  find(options: FindOptions, requester?: Requester): Promise<FindPage>;
  /** Every entry in the order of the file, read while they are taken. To be taken once. */
  readTree(path: string, requester?: Requester): Promise<AsyncIterable<TreeEntry>>;
  rename(path: string, name: string, requester?: Requester): Promise<SessionRecord>;
  delete(path: string, options: DeleteOptions): Promise<DeletedSession>;
  fork(path: string, entryId: string | null, requester?: Requester): Promise<SessionRecord>;
  /** An export that is held in memory; 32 MiB at most. */
  exportPieces(options: ExportOptions, requester?: Requester): Promise<ExportedPieces>;
  /** The same bytes as `exportPieces` while they are made; `jsonl` gives the file itself. */
  exportStream(options: ExportStreamOptions, requester?: Requester): Promise<ExportStream>;
  /**
   * Many exports and an index page in one zip. Rejects where one of the paths is no session; one that vanishes later
   * is told in the index page. Nothing is read before the first piece is asked for.
   */
  exportArchive(options: ArchiveOptions, requester?: Requester): Promise<ExportStream>;
  /** Tells what an export with `redact` would replace. */
  previewRedactions(options: RedactionOptions, requester?: Requester): Promise<RedactionPreview>;
  search(options: SearchOptions, requester?: Requester): Promise<SearchPage>;
  /** Adds up what is known, without waiting. Rejects with AppError `INVALID_PAYLOAD` for an unknown time zone. */
  statistics(options: StatisticsOptions, requester?: Requester): Promise<SessionStatistics>;
  toggleFavorite(path: string): Promise<{ path: string; is_favorite: boolean }>;
  /** Paths, the newest favorite first. */
  favorites(): Promise<string[]>;
  /** Directories that are scanned: existing, absolute, without duplicates and nested ones. */
  directories(): Promise<string[]>;
  status(): LibraryStatus;
}

export type SessionSort = "modified" | "created" | "size" | "messages" | "cost" | "title";

export interface ListOptions {
  query?: string | undefined;
  project?: string | undefined;
  tag_ids?: string[] | undefined;
  favorites_only?: boolean | undefined;
  format?: SessionFormatName | undefined;
  /** Newest message at or after this time (RFC 3339). */
  since?: string | undefined;
  /** Newest message before this time (RFC 3339). */
  until?: string | undefined;
  sort: SessionSort;
  order: "asc" | "desc";
  limit: number;
  cursor?: string | undefined;
}

export interface SessionPage {
  sessions: SessionRecord[];
  next_cursor: string | null;
  total: number;
  /** Files whose record is not read yet. */
  pending: number;
}

export interface EntriesOptions {
  path: string;
  /** Any entry; the branch from it to its root is shown. The newest leaf where absent. */
  leaf_id?: string | undefined;
  /** Only entries before this entry id. */
  before?: string | undefined;
  /** Only entries after this entry id. */
  after?: string | undefined;
  limit: number;
}

export interface EntriesPage {
  header: JsonObject | null;
  /** As stored, root to leaf. Entries of format 1 get the ids that `read_session_tree` shows. */
  entries: JsonObject[];
  leaf_id: string | null;
  /** The newest entry of each branch, in file order; the last of them where they would be more than 1 MiB. */
  leaves: string[];
  /** Entry id to label; the last of them where they would be more than 1 MiB. */
  labels: Record<string, string>;
  /** Entries of this branch. */
  total: number;
  has_more_before: boolean;
  has_more_after: boolean;
  /** What of this page is not as stored, since it is too large. */
  truncated_entries: TruncatedEntry[];
}

/** An entry of which the beginnings of long strings are given alone, and where all of it stands in the file. */
export interface TruncatedEntry {
  /** `null` for the header. */
  entry_id: string | null;
  /** Of its first byte. */
  offset: number;
  size_bytes: number;
}

export interface FindOptions {
  path: string;
  /** Text as it stands, without a language: case does not matter, and white space is any white space. */
  query: string;
  /** Any entry; the branch from it to its root is looked through. The newest leaf where absent. */
  leaf_id?: string | undefined;
  role: SearchRole;
  /** Entries at most. */
  limit: number;
  cursor?: string | undefined;
}

/** An entry with text that was looked for. */
export interface FoundEntry {
  entry_id: string;
  /** Its place on the branch, from 0 at the root. */
  place: number;
  /** How often the text is in it. */
  count: number;
}

export interface FindPage {
  /** The newest first. */
  entries: FoundEntry[];
  leaf_id: string | null;
  /** Entries of this branch. */
  total: number;
  /** Of them, those that have been looked at, the pages before included. */
  scanned: number;
  next_cursor: string | null;
}

export interface TreeEntry {
  id: string;
  parent_id: string | null;
  type: string;
  role: string | null;
  preview: string;
  /** The entry that a label is put on, or of which a context edit changes what the model sees; `null` for others. */
  target_id: string | null;
  timestamp: string | null;
  label: string | null;
}

export interface DeleteOptions {
  force: boolean;
}

export interface DeletedSession {
  path: string;
  method: "trash" | "permanent";
}

export type ExportFormat = "html" | "markdown" | "json";

/** Colours of an HTML export; `system`: as the reader's system is set. */
export type ExportTheme = "system" | "light" | "dark";

export interface ExportOptions {
  path: string;
  format: ExportFormat;
  /** Any entry; only the branch from it to its root is exported. */
  leaf_id?: string | undefined;
  include_thinking: boolean;
  include_tools: boolean;
  /** Replaces secrets and what names a person by placeholders. */
  redact: boolean;
  theme: ExportTheme;
}

export interface ExportedSession {
  format: ExportFormat;
  file_name: string;
  media_type: string;
  content: string;
  /** What was replaced, `null` where nothing was to be redacted. */
  redactions: RedactionCount[] | null;
}

/** An export whose `content` is UTF-8 in pieces. */
export interface ExportedPieces extends Omit<ExportedSession, "content"> {
  content: Uint8Array[];
}

export interface RedactionOptions {
  path: string;
  leaf_id?: string | undefined;
  include_thinking: boolean;
  include_tools: boolean;
}

export interface RedactionPreview {
  findings: RedactionFinding[];
  /** Of all kinds. */
  total: number;
}

export interface RedactionFinding extends RedactionCount {
  /** At most three places, with the text around the placeholder. */
  examples: { entry_id: string | null; excerpt: string }[];
}

export interface ExportStreamOptions extends Omit<ExportOptions, "format"> {
  format: ExportFormat | "jsonl";
  /** First byte of the file that is wanted, for `jsonl`; 0 if absent. */
  offset?: number | undefined;
  /** Bytes of the file that are wanted, for `jsonl`; all that follow if absent. */
  length?: number | undefined;
}

export interface ArchiveOptions extends Omit<ExportStreamOptions, "path" | "leaf_id" | "offset" | "length"> {
  /** A session that is named twice is exported once. */
  paths: string[];
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
  /** Search only this session and return all of its hits. */
  path?: string | undefined;
  sort: "relevance" | "newest";
  limit: number;
  cursor?: string | undefined;
  /** Hits of one session at most. */
  per_session: number;
}

/** What a text in a session is; part of every hit. */
export type PartKind = "text" | "thinking" | "tool_call" | "tool_result" | "bash" | "summary" | "name" | "label";

export interface SearchHit {
  session_path: string;
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
  /** Higher is better; comparable within one answer only. */
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
  /** `opening` until the first comparison of the index with the directories, also of one built anew; `degraded` has a reason. */
  state: "opening" | "indexing" | "ready" | "degraded";
  reason: string | null;
  sessions: number;
  /** Files still to be indexed. */
  pending: number;
  bytes_done: number;
  bytes_total: number;
}

/** What a library tells on its own: files that were read anew, and the records that follow from them. */
export type LibraryEvent =
  | { type: "files-changed"; changed_paths: string[]; removed_paths: string[] }
  /** Applied in order to a list, these keep it as `list` would answer it. */
  | { type: "records-changed"; added: SessionRecord[]; updated: SessionRecord[]; removed: string[] }
  /** More has changed than was told, because nobody listened: a list from before is to be read anew. */
  | { type: "changes-lost" };
