import type { DeletedSessionRecord, SessionGeneration, VaultDamageReport, VaultRemovals } from "../../vault.ts";
import type { SessionWithFile } from "../catalog/session-files.ts";
import type { FileStamp } from "../session-file/file-stamp.ts";
import type { CopyProgress, VaultStatus } from "../vault/vault.ts";

export type SessionToKeep = Pick<SessionWithFile, "path" | "format" | "id">;

/** A session that is restored. */
export interface Restoration {
  path: string;
  to: string;
  /** `null`: the newest. */
  generation: number | null;
}

/** How long what nobody wants any more is kept, and how much altogether, see `VaultSettings`. */
export interface Retention {
  deletedMs: number;
  replacedMs: number;
  maxBytes: number | null;
}

/** Tasks of the thread that writes to the vault. */
export type KeepingTasks = {
  /** Of these files, those that have more than the vault. */
  unkept: { input: { files: { path: string; stamp: FileStamp }[] }; output: string[] };
  /**
   * Keeps files and what belongs to them. `unreadable`: paths of what could not be read; `moved`: where sessions were
   * before.
   */
  keep: { input: { sessions: SessionToKeep[] }; output: { unreadable: string[]; moved: string[] } };
  /** Looks which files are gone, or back, that the vault has. @returns paths of sessions that are gone since. */
  survey: { input: null; output: string[] };
  moved: { input: { from: string; to: string }[]; output: null };
  /** Takes note of files that are gone. @returns those of them that are elsewhere. */
  vanished: { input: { paths: string[] }; output: string[] };
  /** Hides what the user has deleted, with what belongs to it, or forgets it for good. @returns whether it can come back. */
  deleted: { input: { path: string; isForever: boolean }; output: boolean };
  /** @returns paths of the sessions that were deleted. */
  undelete: { input: { path: string }; output: string[] };
  deletedSessions: { input: Pick<Retention, "deletedMs">; output: DeletedSessionRecord[] };
  generations: { input: { path: string }; output: SessionGeneration[] };
  restore: { input: Restoration; output: null };
  /** What would be removed. */
  previewPurge: { input: Retention; output: VaultRemovals };
  /** How many parts `verifyVault` checks in all. */
  partsToVerify: { input: null; output: number };
  vaultStatus: { input: null; output: VaultStatus };
  /** Checks the next part. `cursor` and `next`: `null` at the beginning and the end. */
  verifyVault: {
    input: { cursor: string | null };
    output: { checked: number; damaged: VaultDamageReport[]; next: string | null };
  };
  /** Removes what has been kept for long enough. */
  purge: { input: Retention; output: null };
  /** Packs some of what was kept in a hurry better. @returns whether there is more. */
  settle: { input: null; output: boolean };
  /** Begins to copy the vault to a directory, or from one. @returns a stream of steps. */
  copyStart: { input: { directory: string; direction: "export" | "import" }; output: string };
  /** The next step; `null` after the last. */
  copyNext: { input: { stream: string }; output: CopyProgress | null };
};
