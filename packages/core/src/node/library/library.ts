import type * as v from "valibot";
import type {
  archiveInput,
  entriesInput,
  exportInput,
  exportStreamInput,
  findInput,
  listInput,
  redactionsInput,
  searchInput,
  statisticsInput,
} from "../../input/library.ts";
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
} from "../../library.ts";
import type { LibraryLog } from "../../library-log.ts";
import type { Requester } from "../../requester.ts";
import type { SessionRecord } from "../../session/record.ts";
import type { SessionStatistics } from "../../statistics.ts";
import type { TagService } from "../../tags.ts";
import type { Work } from "../session-file/work.ts";
import type { UserState } from "../state/ports.ts";
import type { SessionAgents } from "./live-files.ts";

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
  /** Requests of one client that may wait for their turn, see `Requester`; 256 if absent. */
  mostWaiting?: number;
  /** Milliseconds since 1970, by which it is told how long a directory has been missing; the clock if absent. */
  now?: () => number;
  /** Called when the status may have changed. */
  onProgress?: (status: LibraryStatus) => void;
  /** Called for everything that changes, in order. */
  onEvent?: (event: LibraryEvent) => void;
  /** Whether anybody hears of events; while nobody does, many changes are told as lost. Always if absent. */
  hasSubscribers?: () => boolean;
}

/**
 * A library that was opened and has to be closed. Its methods take what the commands of the service take, with the same
 * defaults and limits, and reject with AppError `INVALID_PAYLOAD` where that is not right: `details` names the fields.
 */
export interface Library extends SessionLibrary {
  list(options?: v.InferInput<typeof listInput>): Promise<SessionPage>;
  /** Reads the text of a session file; 256 MiB at most. */
  readText(path: string): Promise<string>;
  entriesJson(options: v.InferInput<typeof entriesInput>, requester?: Requester): Promise<Uint8Array>;
  readEntries(options: v.InferInput<typeof entriesInput>, requester?: Requester): Promise<EntriesPage>;
  find(options: v.InferInput<typeof findInput>, requester?: Requester): Promise<FindPage>;
  /** `name` becomes one line; an empty one takes the name away. */
  rename(path: string, name: string, requester?: Requester): Promise<SessionRecord>;
  /** With `force` also a session that an agent is at work in, and for good. */
  delete(path: string, options?: { force?: boolean | null | undefined }): Promise<DeletedSession>;
  /** Copies the branch that ends with an entry; the newest one if absent. */
  fork(path: string, entryId?: string | null, requester?: Requester): Promise<SessionRecord>;
  exportPieces(options: v.InferInput<typeof exportInput>, requester?: Requester): Promise<ExportedPieces>;
  /** Exports a session as a text; 32 MiB at most. */
  export(options: v.InferInput<typeof exportInput>, requester?: Requester): Promise<ExportedSession>;
  exportStream(options: v.InferInput<typeof exportStreamInput>, requester?: Requester): Promise<ExportStream>;
  exportArchive(options: v.InferInput<typeof archiveInput>, requester?: Requester): Promise<ExportStream>;
  previewRedactions(options: v.InferInput<typeof redactionsInput>, requester?: Requester): Promise<RedactionPreview>;
  search(options: v.InferInput<typeof searchInput>, requester?: Requester): Promise<SearchPage>;
  statistics(options?: v.InferInput<typeof statisticsInput>, requester?: Requester): Promise<SessionStatistics>;
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
