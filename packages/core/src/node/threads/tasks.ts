import type {
  EntriesOptions,
  ExportOptions,
  FindOptions,
  FindPage,
  RedactionOptions,
  SearchOptions,
  SearchPage,
  TreeEntry,
} from "../../index.ts";
import type { ExportPiece, PreviewPiece } from "../export.ts";
import type { IndexPlace } from "../index/databases.ts";
import type { Misnamed } from "../index/misnamed.ts";
import type { HelpLimits } from "../search/helping-thread.ts";
import type { HelpSetting } from "../search/phrase-help.ts";
import type { FileStamp } from "../session-file.ts";
import type { SessionRoot } from "../session-roots.ts";
import type { FoundStatistics } from "../statistics-reader.ts";
import type { Work } from "../work.ts";
import type { CurrentTask, Unwanted } from "./unwanted.ts";

/** What a thread is started with. `index` is `null` where no index can be kept. */
export interface ThreadSetting {
  index: IndexPlace | null;
  unwanted: Unwanted;
  /** When another thread helps with its searches, where not as usual. */
  help?: HelpLimits;
}

/** Says where session files are opened from now on; `null` is never sent. */
export interface RootsMessage {
  roots: readonly SessionRoot[];
}

/** What a thread may be told before its setting: directories that it will soon have to compare, absolute. */
export interface DirectoriesAhead {
  ahead: string[];
}

/** A file as a walk over the directories finds it. */
export interface FoundFile {
  path: string;
  stamp: FileStamp;
  /** A known path that is gone and seems to have been moved here. */
  movedFrom?: string;
}

/** A file whose record has to be read; `shard` is for a content that is not known yet. */
export interface FileToScan extends FoundFile {
  shard: number;
}

export interface WalkResult {
  /** New and changed files, newest first. */
  changed: FoundFile[];
  /** Known paths that are gone, without those that were moved or whose directory is missing for less than a day. */
  removed: string[];
  /** Of `removed`: what was kept for a day. */
  expired: string[];
  /** Sessions that are no longer listed, because their directory is missing. */
  left: string[];
  /** Sessions that are listed again, as they were. */
  returned: string[];
  /** Directories that are missing, or empty, with known sessions in them. */
  missing: string[];
  /** Directories that cannot be read. */
  problems: { path: string; code: string }[];
  misnamed: Misnamed;
}

/** What a file means for the list of sessions. */
export type ListChange = "added" | "changed" | "removed";

export interface ScannedFile {
  path: string;
  status: "session" | "skipped" | "unreadable" | "gone";
  /** Names the content in the index. */
  key: number;
  shard: number;
  size: number;
  /** Of `size`, estimated by entries: what is not searchable yet. */
  unindexedBytes: number;
  /** Where contents that this one replaces have left their text. */
  droppedShards: number[];
  /** `null`: the session is as it was, or there was and is none. */
  change: ListChange | null;
  /** Where the session was before it was moved to `path`. */
  movedFrom: string | null;
}

export interface SessionKey {
  key: number;
  path: string;
}

export interface IndexedSession extends SessionKey {
  /** That the task has made searchable: up to the last entry that it has read, with what is no entry before it. */
  bytes: number;
  /** `false`: the batch was full before its end. */
  complete: boolean;
}

/** Whether a text database has segments to merge; `later`: when there is no text to index. */
export type MergeNeed = "none" | "later" | "now";

/** A search with what only the main thread knows. All sessions are named by their paths. */
export interface SearchTask extends SearchOptions {
  /** Milliseconds since 1970. */
  now: number;
  /** What the payload's tags leave over, `null` where it has none. */
  paths: readonly string[] | null;
  /** What each `tag:` of the query stands for. */
  tagged: { value: string; prefix: boolean; paths: string[] }[];
  favorite: string[];
  live: string[];
}

/** A question for statistics, with what was left out. */
export interface StatisticsTask {
  /** Milliseconds since 1970, `null` for all that was before. */
  since: number | null;
  until: number | null;
  project: string | null;
  timeZone: string;
  now: number;
}

/** Every task that a thread can be given: input and output. */
export interface Tasks {
  walk: {
    /**
     * `missing` are directories that do not exist; `now` is in milliseconds since 1970. `isReading`: whether the newest
     * changed files are read at once.
     */
    input: { directories: string[]; missing: string[]; now: number; isReading: boolean };
    /** Without the files in `read` among those in `changed`, and these in the order in which they are to be read. */
    output: WalkResult & { read: ScannedFile[] };
  };
  scan: { input: { files: FileToScan[] }; output: ScannedFile[] };
  index: {
    input: { shard: number; sessions: SessionKey[] };
    output: { sessions: IndexedSession[]; merging: MergeNeed };
  };
  /** Removes paths from the catalog; answers with those that were sessions. */
  forget: { input: { paths: string[] }; output: string[] };
  /** Tells what a former run has left to merge. */
  mergeNeed: { input: { shard: number }; output: MergeNeed };
  /** Forgets dropped contents in a text database. */
  sweep: { input: { shard: number }; output: MergeNeed };
  /** Does a step of merging a text database. */
  tidy: { input: { shard: number }; output: MergeNeed };
  /** `wantsHelp`: another thread would have helped with it, see `enlist`. */
  search: { input: SearchTask; output: Omit<SearchPage, "indexing" | "took_ms"> & { wantsHelp: boolean } };
  /** Starts another thread that helps with searches from now on, which come in between. */
  enlist: { input: null; output: null };
  /** Has the thread help another one with searches from now on. */
  help: { input: HelpSetting; output: null };
  statistics: { input: StatisticsTask; output: FoundStatistics };
  /** Looks for damage, see `verifyIndex`. */
  verify: { input: null; output: null };
  /** JSON text of an `EntriesPage`, in UTF-8. */
  entries: { input: EntriesOptions; output: Uint8Array };
  find: { input: FindOptions; output: FindPage };
  treeStart: { input: { path: string }; output: { stream: string } };
  treeNext: { input: { stream: string }; output: TreeEntry[] | null };
  treeStop: { input: { stream: string }; output: null };
  exportStart: { input: ExportOptions; output: { stream: string; title: string; cwd: string | null } };
  exportNext: { input: { stream: string }; output: ExportPiece | null };
  exportStop: { input: { stream: string }; output: null };
  previewStart: { input: RedactionOptions; output: { stream: string } };
  previewNext: { input: { stream: string }; output: PreviewPiece | null };
  previewStop: { input: { stream: string }; output: null };
  rename: { input: { path: string; name: string }; output: null };
  /** Answers with the path of the new file. */
  fork: { input: { path: string; entryId: string | null }; output: string };
  work: { input: null; output: Work };
  /** Whether the thread may end: it has begun nothing that is to go on. */
  isFree: { input: null; output: boolean };
}

export type TaskName = keyof Tasks;

export type TaskHandlers = {
  [Name in TaskName]: (
    input: Tasks[Name]["input"],
    task: CurrentTask,
  ) => Tasks[Name]["output"] | Promise<Tasks[Name]["output"]>;
};
