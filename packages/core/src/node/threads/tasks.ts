import type { EntriesOptions, EntriesPage, ExportOptions, SearchOptions, SearchPage, TreeEntry } from "../../index.ts";
import type { IndexPlace } from "../index/databases.ts";
import type { FileStamp } from "../session-file.ts";
import type { Work } from "../work.ts";

/** What a thread is started with. `index` is `null` where no index can be kept. */
export interface ThreadSetting {
  index: IndexPlace | null;
}

/** A file as a walk over the directories finds it. */
export interface FoundFile {
  path: string;
  stamp: FileStamp;
  /** A known path that is gone and seems to have been moved here. */
  movedFrom?: string;
  /** A skimmed line was misread: now every line is to be parsed. */
  exact?: true;
}

/** A file whose record has to be read; `shard` is for a content that is not known yet. */
export interface FileToScan extends FoundFile {
  shard: number;
}

export interface WalkResult {
  /** New and changed files, newest first. */
  changed: FoundFile[];
  /** Known paths that are gone, without those that were moved. */
  removed: string[];
  /** Directories that cannot be read. */
  problems: { path: string; code: string }[];
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
  /** Entries whose text is not searchable yet. */
  unindexed: number;
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
  /** `false`: the batch was full before its end. */
  complete: boolean;
  /** The file, where a line turned out to be another than it was skimmed for: its record has to be read anew. */
  misread: FoundFile | null;
}

/** A search with what only the main thread knows: paths that tags and favorites leave over. */
export interface SearchTask extends SearchOptions {
  paths: string[] | null;
}

/** A row of one text table; `place` names table and row in one number. */
export interface RankedRow {
  place: number;
  /** Lower comes first. */
  score: number;
}

/** Every task that a thread can be given: input and output. */
export interface Tasks {
  walk: { input: { directories: string[] }; output: WalkResult };
  scan: { input: { files: FileToScan[] }; output: ScannedFile[] };
  index: { input: { shard: number; sessions: SessionKey[] }; output: IndexedSession[] };
  /** Removes paths from the catalog; answers with those that were sessions. */
  forget: { input: { paths: string[] }; output: string[] };
  /** Removes the text of dropped contents from a text database. */
  sweep: { input: { shard: number }; output: null };
  /** Does a step of merging a text database; answers whether it was the last one. */
  tidy: { input: { shard: number; isFirst: boolean }; output: boolean };
  /** The best rows of one text database: threads rank theirs at the same time. */
  rank: { input: { task: SearchTask; shard: number }; output: RankedRow[] };
  search: { input: { task: SearchTask; ranked: RankedRow[] }; output: Omit<SearchPage, "indexing" | "took_ms"> };
  entries: { input: EntriesOptions; output: EntriesPage };
  tree: { input: { path: string }; output: TreeEntry[] };
  exportStart: { input: ExportOptions; output: { stream: number; title: string } };
  exportNext: { input: { stream: number }; output: Uint8Array | null };
  exportStop: { input: { stream: number }; output: null };
  rename: { input: { path: string; name: string }; output: null };
  /** Answers with the path of the new file. */
  fork: { input: { path: string; entryId: string | null }; output: string };
  work: { input: null; output: Work };
}

export type TaskName = keyof Tasks;

export type TaskHandlers = {
  [Name in TaskName]: (input: Tasks[Name]["input"]) => Tasks[Name]["output"] | Promise<Tasks[Name]["output"]>;
};
