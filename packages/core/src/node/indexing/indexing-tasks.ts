import type { FoundFile, ListChange, SessionKey, WalkResult } from "../catalog/found-files.ts";
import type { DirectoriesToWalk } from "../catalog/walk.ts";

/** A file whose record has to be read; `shard` is for a content that is not known yet. */
export interface FileToScan extends FoundFile {
  shard: number;
}

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
  /** Whether its file is gone, and it was read from the vault. */
  fromVault: boolean;
  /** Where the session was before it was moved to `path`. */
  movedFrom: string | null;
}

interface RelatedSessions {
  /** Paths of sessions whose records have changed with others: parents, subagents, forks. */
  related: string[];
}

export interface IndexedSession extends SessionKey {
  /** That the task has made searchable: up to the last entry that it has read, with what is no entry before it. */
  bytes: number;
  /** `false`: the batch was full before its end. */
  complete: boolean;
}

/** Whether a text database has segments to merge; `later`: when there is no text to index. */
export type MergeNeed = "none" | "later" | "now";

/** What threads do for the index. */
export type IndexingTasks = {
  walk: {
    /** `isReading`: whether the newest changed files are read at once; `most`: changed files to tell in one answer. */
    input: DirectoriesToWalk & { isReading: boolean; most: number };
    /**
     * Without the files in `read` among those in `changed`, and these in the order in which they are to be read.
     * `more`: a stream of the others.
     */
    output: WalkResult & RelatedSessions & { read: ScannedFile[]; more: string | null };
  };
  /** The next of the changed files that a walk has found; `null` after the last. */
  walkNext: { input: { stream: string }; output: FoundFile[] | null };
  scan: { input: { files: FileToScan[] }; output: RelatedSessions & { files: ScannedFile[] } };
  index: {
    input: { shard: number; sessions: SessionKey[] };
    output: { sessions: IndexedSession[]; merging: MergeNeed };
  };
  /** Removes paths from the catalog; answers with those that were sessions. */
  forget: { input: { paths: string[] }; output: RelatedSessions & { sessions: string[] } };
  /** Tells what a former run has left to merge. */
  mergeNeed: { input: { shard: number }; output: MergeNeed };
  /** Forgets dropped contents in a text database. */
  sweep: { input: { shard: number }; output: MergeNeed };
  /** Does a step of merging a text database. */
  tidy: { input: { shard: number }; output: MergeNeed };
  /** Looks for damage, see `verifyIndex`. */
  verify: { input: null; output: null };
};
