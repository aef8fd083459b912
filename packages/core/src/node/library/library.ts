import type * as v from "valibot";
import type { ChangeSums, SessionChanges } from "../../changes.ts";
import type { Outbox } from "../../hub/outbox.ts";
import type {
  archiveInput,
  changeSumsInput,
  changesInput,
  conversionInput,
  entriesInput,
  exportInput,
  exportStreamInput,
  findInput,
  listInput,
  namedFilesInput,
  redactionsInput,
  searchInput,
  statisticsInput,
  toolOutputInput,
} from "../../input/library.ts";
import type {
  ConvertedSession,
  DeletedSession,
  EntriesPage,
  ExportedPieces,
  ExportedSession,
  ExportStream,
  FileCounts,
  FindPage,
  LibraryEvent,
  LibraryStatus,
  NamedFile,
  RedactionPreview,
  SearchPage,
  SessionLibrary,
  SessionPage,
  ToolOutput,
  TranscriptPage,
} from "../../library.ts";
import type { LibraryLog } from "../../library-log.ts";
import type { UserPrices } from "../../prices/model-prices.ts";
import type { Requester } from "../../requester.ts";
import type { SessionRecord } from "../../session/record.ts";
import type { SessionStatistics } from "../../statistics.ts";
import type { TagService } from "../../tags.ts";
import type { VaultService, VaultSettings } from "../../vault.ts";
import type { Work } from "../session-file/work.ts";
import type { Move } from "../state/moved-sessions.ts";
import type { SessionIdentity, UserState } from "../state/ports.ts";
import type { LibraryMemory } from "../threads/cache-budget.ts";
import type { AgentCleanup } from "./agent-cleanups.ts";
import type { ChosenPaths } from "./directories.ts";
import type { SessionAgents } from "./live-files.ts";

export interface LibraryOptions {
  /** `~/.pi/agent`, or the value of `PI_CODING_AGENT_DIR`. */
  agentDir: string;
  /** `~/.pi`. */
  agentHome: string;
  /** Additional session directories, absolute paths. */
  sessionPaths: string[];
  /** Session directories of other agents, absolute paths; they may be missing. */
  otherAgentPaths?: string[];
  /** Directories in which agents delete old files. */
  cleanups?: AgentCleanup[];
  /** Prices of models that count instead of those of the price table. */
  prices?: UserPrices;
  /** Directory of the index and of the user's tags and favorites. */
  dataDir: string;
  /** An already opened user state of `dataDir`; the caller closes it, after the library. */
  state?: UserState;
  log: LibraryLog;
  /** What is kept in the vault; default: nothing more than is there. */
  vault?: VaultSettings;
  /** Whether to watch for changes (default); otherwise only `scan` finds them. */
  watch?: boolean;
  /** Maximum waiting requests per client, see `Requester`; default 256. */
  mostWaiting?: number;
  /** Milliseconds since 1970, to measure how long a directory has been missing; default: the clock. */
  now?: () => number;
  /** Called when the status may have changed. */
  onProgress?: (status: LibraryStatus) => void;
  /** Called for every change, in order. */
  onEvent?: (event: LibraryEvent) => void;
  /** Called with the paths of sessions that were deleted on request, before that is answered. Must not reject. */
  onDeleted?: (paths: readonly string[]) => Promise<void>;
  /** Whether events have subscribers; otherwise many changes are reported as lost. Default: always. */
  hasSubscribers?: () => boolean;
}

/**
 * An open library; must be closed. Its methods take the payloads of the service's commands, with the same defaults and
 * limits, and reject with AppError `INVALID_PAYLOAD` if invalid: `details` names the fields.
 */
export interface Library extends SessionLibrary {
  list(options?: v.InferInput<typeof listInput>): Promise<SessionPage>;
  /** Reads the text of a session file; at most 256 MiB. */
  readText(path: string): Promise<string>;
  entriesJson(options: v.InferInput<typeof entriesInput>, requester?: Requester): Promise<Uint8Array>;
  readEntries(options: v.InferInput<typeof entriesInput>, requester?: Requester): Promise<EntriesPage>;
  transcriptJson(options: v.InferInput<typeof entriesInput>, requester?: Requester): Promise<Uint8Array>;
  readTranscript(options: v.InferInput<typeof entriesInput>, requester?: Requester): Promise<TranscriptPage>;
  toolOutputJson(options: v.InferInput<typeof toolOutputInput>, requester?: Requester): Promise<Uint8Array>;
  readToolOutput(options: v.InferInput<typeof toolOutputInput>, requester?: Requester): Promise<ToolOutput>;
  changes(options: v.InferInput<typeof changesInput>, requester?: Requester): Promise<SessionChanges>;
  changeSums(options: v.InferInput<typeof changeSumsInput>, requester?: Requester): Promise<ChangeSums[]>;
  find(options: v.InferInput<typeof findInput>, requester?: Requester): Promise<FindPage>;
  /** `name` is reduced to one line; an empty one removes the name. */
  rename(path: string, name: string, requester?: Requester): Promise<SessionRecord>;
  /** With `force`, also deletes a session with a running agent, permanently. */
  delete(path: string, options?: { force?: boolean | null | undefined }): Promise<DeletedSession>;
  /** Copies the branch that ends with an entry; default: the newest one. */
  fork(path: string, entryId?: string | null, requester?: Requester): Promise<SessionRecord>;
  convert(options: v.InferInput<typeof conversionInput>, requester?: Requester): Promise<ConvertedSession>;
  exportPieces(options: v.InferInput<typeof exportInput>, requester?: Requester): Promise<ExportedPieces>;
  /** Exports a session as text; at most 32 MiB. */
  export(options: v.InferInput<typeof exportInput>, requester?: Requester): Promise<ExportedSession>;
  exportStream(options: v.InferInput<typeof exportStreamInput>, requester?: Requester): Promise<ExportStream>;
  exportArchive(options: v.InferInput<typeof archiveInput>, requester?: Requester): Promise<ExportStream>;
  previewRedactions(options: v.InferInput<typeof redactionsInput>, requester?: Requester): Promise<RedactionPreview>;
  search(options: v.InferInput<typeof searchInput>, requester?: Requester): Promise<SearchPage>;
  namedFiles(options: v.InferInput<typeof namedFilesInput>, requester?: Requester): Promise<NamedFile[]>;
  statistics(options?: v.InferInput<typeof statisticsInput>, requester?: Requester): Promise<SessionStatistics>;
  /**
   * Resolves when every session of the directories is listed and searchable. Rejects with AppError `UNAVAILABLE` if the
   * library is closed before, or the index cannot be written.
   */
  ready(): Promise<void>;
  /** Number of events of watched directories. */
  readonly watchEvents: number;
  /** Bytes of session files indexed so far. */
  readonly indexedBytes: number;
  /** Running threads, and bytes of their caches. */
  readonly memory: LibraryMemory;
  readonly tags: TagService;
  readonly vault: VaultService;
  /** What is sent to a hub; without settings nothing. */
  readonly outbox: Outbox;
  setVaultSettings(settings: VaultSettings): void;
  /** Working directories of the sessions, that of the newest session first. */
  projects(): Promise<string[]>;
  /** Must be called when marks were changed by the configuration. */
  marksChanged(paths: string[]): void;
  /** Finds the files that sessions of a backup have now, where their paths or ids are others. */
  movedSessions(sessions: readonly SessionIdentity[]): Promise<Move[]>;
  /** Finds a session by the path of a payload. Rejects like all commands with a path. */
  session(path: string): Promise<SessionRecord>;
  /** Sets the sessions with running agents, by their paths in records, and the interface to these agents. */
  setLivePaths(paths: ReadonlySet<string>, agents: SessionAgents): void;
  /** Replaces the configured directories and those of other agents; resolves when their sessions are known. */
  setPaths(paths: ChosenPaths): Promise<void>;
  /** Sets the prices that costs are estimated by, besides the price table. Nothing is read again. */
  setPrices(prices: UserPrices): void;
  /** Numbers of files in each directory, which may be part of a scanned one. */
  filesIn(directories: readonly string[]): Promise<FileCounts[]>;
  /** File operations of all threads since their start. */
  work(): Promise<Work>;
  close(): Promise<void>;
}
