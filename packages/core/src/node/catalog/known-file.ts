import type { SessionFormatName } from "../../session/record.ts";
import type { FileStamp } from "../session-file/file-stamp.ts";
import type { ReadProgress } from "../session-file/session-file.ts";

/** What is known of a file. */
export interface KnownFile {
  key: number;
  path: string;
  status: "session" | "skipped" | "unreadable";
  /** A session that is in no list, because its directory is missing. */
  isAway: boolean;
  /** Whether its file was gone when it was read, from the vault. */
  fromVault: boolean;
  stamp: FileStamp;
  progress: ReadProgress;
  shard: number;
  entryCount: number;
  indexedCount: number;
}

/** What a comparison needs to know of a file. */
export type KnownStamp = FileStamp & Pick<KnownFile, "status" | "isAway" | "fromVault">;

/** What is known of a file that is a session, and the name of its format. */
export interface KnownContent extends KnownFile {
  format: SessionFormatName;
}
