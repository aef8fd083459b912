import type { FileStamp } from "../session-file/file-stamp.ts";
import type { Misnamed } from "./misnamed-entries.ts";

/** A file as a walk over the directories finds it. */
export interface FoundFile {
  path: string;
  stamp: FileStamp;
  /** A known path that is gone and seems to have been moved here. */
  movedFrom?: string;
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

export interface SessionKey {
  key: number;
  path: string;
}
