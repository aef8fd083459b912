import { cacheShare, type RemoteSessions, type RemoteTasks, Thread } from "@sm/core/remote";
import type { Queries } from "../database/database.ts";
import type { WrittenSession } from "./session-rows.ts";

const IDLE_MS = 60_000;

/** A session whose entries are made searchable, from one on. */
export interface SessionToSearch {
  key: number;
  path: string;
  format: WrittenSession["format"];
  firstEntry: number;
  entryCount: number;
  /** How much of its file was read. */
  bytes: number;
  /** `null`: it is private. */
  sharedProjectId: string | null;
}

/** What reads the sessions of a transaction as they are in it. */
export interface IndexingTools {
  thread: Pick<Thread<RemoteTasks>, "run">;
  files: RemoteSessions;
}

/** Makes the text of sessions searchable, and writes down of how many entries, in the transaction that has written them. */
export type IndexTexts = (db: Queries, sessions: readonly SessionToSearch[], tools: IndexingTools) => Promise<void>;

/** A thread that reads what is to be indexed. @param options `isBackground`: others go first. */
export function newIndexingThread(options: { isBackground?: boolean } = {}): Thread<RemoteTasks> {
  const setting = { index: null, caches: cacheShare("indexing", 1) };
  return new Thread<RemoteTasks>(setting, { asks: true, idleMs: IDLE_MS, ...options });
}
