import type { SessionFormatName, SessionRecord } from "./session/record.ts";

/** What is kept, and for how long. */
export interface VaultSettings {
  /** Whether sessions are kept; what is kept already can be read in any case. */
  enabled: boolean;
  /** Formats whose sessions are not kept. */
  excludedFormats: readonly SessionFormatName[];
  /** Sessions of these directories, and those below, are not kept: absolute paths. */
  excludedProjects: readonly string[];
  /** How much the vault takes on disk at most; `null`: no limit. */
  maxBytes: number | null;
  /** How many days what the user has deleted can be brought back. */
  deletedDays: number;
  /** How many days the earlier content of a rewritten file is kept. */
  replacedDays: number;
}

export const DEFAULT_VAULT_SETTINGS: VaultSettings = {
  enabled: true,
  excludedFormats: [],
  excludedProjects: [],
  maxBytes: null,
  deletedDays: 30,
  replacedDays: 30,
};

/** The state of the vault. Times are RFC 3339 in UTC. */
export interface VaultStatus {
  enabled: boolean;
  /** What is not kept, see {@link VaultSettings}. */
  exclude_formats: SessionFormatName[];
  exclude_projects: string[];
  /** Sessions in it, without deleted ones. */
  sessions: number;
  /** Those whose files are gone. */
  only_here: number;
  /** Sessions that are still to be kept. */
  pending: number;
  /** Of the vault on disk. */
  bytes: number;
  /** Of all that is kept, before it was packed. */
  original_bytes: number;
  /** Since when the oldest of it is kept; `null` if it is empty. */
  oldest_at: string | null;
  /** What keeps it from its work, for people. */
  problems: string[];
}

/** A state of a session's file: as it grew until it was rewritten. */
export interface SessionGeneration {
  /** Names it in `restore`. */
  generation: number;
  size_bytes: number;
  /** When it was kept first, and last. */
  started_at: string;
  kept_at: string;
  /** When another content took its place; `null` for the newest. */
  replaced_at: string | null;
}

/** A session that was deleted and can be brought back. */
export interface DeletedSessionRecord {
  path: string;
  id: string | null;
  format: SessionFormatName | null;
  title: string;
  size_bytes: number;
  deleted_at: string;
  /** When it goes for good; `null` in the trash, which does not say. */
  expires_at: string | null;
  /** Where it is. */
  source: "vault" | "trash";
}

/** A part of the vault that is not what was kept. */
export interface VaultDamageReport {
  /** Of the session, or of the file that belongs to one. */
  path: string;
  /** Whether it was taken again from the original. */
  is_repaired: boolean;
}

export interface VaultVerification {
  checked: number;
  damaged: VaultDamageReport[];
}

/** Limits of the vault; what is left out is as in force. */
export type VaultLimits = Partial<Pick<VaultSettings, "maxBytes" | "deletedDays" | "replacedDays">>;

/** What limits would remove from the vault at once. */
export interface VaultRemovals {
  sessions: number;
  /** Of sessions, of what belongs to them, and earlier ones. */
  generations: number;
  /** By which the vault would become smaller. */
  bytes: number;
}

/** What was copied to or from a directory. */
export interface VaultCopy {
  directory: string;
  sessions: number;
  /** Bytes that were written; what is there already is not written again. */
  written_bytes: number;
  /** Paths of files that were left out, because a part of them is damaged. */
  damaged: string[];
}

/**
 * Bytes of sessions that outlive their files. Implemented by `@sm/core/node`. Paths are those of records; methods with a
 * path reject with AppError `NOT_FOUND` if the vault has nothing of it.
 */
export interface VaultService {
  status(): Promise<VaultStatus>;
  /** Tells what limits would remove, and removes nothing. */
  previewLimits(limits: VaultLimits): Promise<VaultRemovals>;
  /** Of a session, newest first. */
  generations(path: string): Promise<SessionGeneration[]>;
  /**
   * Writes a session's file again, with what belongs to it, to its place or another one in a session directory. Rejects
   * with AppError `CONFLICT` if a file is there.
   */
  restore(options: { path: string; to?: string | undefined; generation?: number | undefined }): Promise<SessionRecord>;
  /** Removes a session from the vault for good; its file, if there is one, is not touched. */
  forget(path: string): Promise<{ path: string; forgotten: true }>;
  /** The latest first. */
  deleted(): Promise<DeletedSessionRecord[]>;
  /** Brings back a deleted session. */
  undelete(path: string): Promise<SessionRecord>;
  /**
   * Reads all of it, and takes what is damaged from the original where that has it.
   *
   * @param onProgress called with what was checked, of how much.
   */
  verify(onProgress?: (checked: number, total: number) => void, signal?: AbortSignal): Promise<VaultVerification>;
  /** Copies what a directory lacks of the vault into it. */
  exportTo(directory: string): Promise<VaultCopy>;
  /** Adds what such a directory has. */
  importFrom(directory: string): Promise<VaultCopy>;
}
