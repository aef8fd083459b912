import type { SessionFormatName } from "../../session/record.ts";
import type { ActivityChunk } from "../../stats/activity-chunk.ts";
import type { ReadProgress } from "../session-file/session-file.ts";

/** A file that is kept elsewhere, as it is now. */
export interface RemoteFile {
  /** Names its content, which only grows: no other one has this number. */
  content: number;
  size: number;
  /** Milliseconds since 1970. */
  modifiedAt: number;
  /** Permission bits. */
  mode: number;
}

export interface BytesAround {
  /** Where they are in the content. */
  start: number;
  bytes: Uint8Array;
}

/** What is known of a session that was read before. */
export interface KnownSession {
  key: number;
  sessionId: string;
  format: SessionFormatName;
  project: string | null;
  /** As `encodeSummary` writes it. */
  summary: string;
  progress: ReadProgress;
  /** Of the file when it was read. */
  size: number;
}

export interface RemoteSession {
  file: RemoteFile;
  /** `null` where nothing is known of this content. */
  known: KnownSession | null;
}

/**
 * Sessions whose files are not in the file system of this service, for somebody who may see them. Worker threads ask for
 * them, and wait for the answer. What is rejected is thrown in the thread.
 */
export interface RemoteSessions {
  /** A session, or a file that belongs to one; `null` where there is none at this path. */
  file(path: string): Promise<RemoteFile | null>;
  session(path: string): Promise<RemoteSession | null>;
  /** The chunks of a session's outline, in order. */
  outline(key: number): Promise<Uint8Array[]>;
  /** A chunk of a session's activity. */
  activity(key: number, place: number): Promise<ActivityChunk | null>;
  /** Bytes of a content: those of a range of it, and around them what is at hand with these. */
  read(content: number, offset: number, length: number): Promise<BytesAround>;
}

/** Files that are kept elsewhere. */
export type RemoteFiles = Pick<RemoteSessions, "file" | "read">;
