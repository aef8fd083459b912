import type { JsonObject } from "./json.ts";

/** The current `models.json` of the agent. */
export interface ModelConfigFile {
  path: string;
  exists: boolean;
  /** `null` if the file does not exist. */
  config: JsonObject | null;
}

/** Backup made by a change of the model configuration; `null` if there was no file. */
export interface ModelConfigChange {
  backup_name: string | null;
}

export interface ModelConfigBackup {
  /** A plain file name. */
  backup_name: string;
  created_at: string;
  size_bytes: number;
}

/**
 * The agent's model configuration: its providers and models. Implemented by `@sm/agent`.
 *
 * Every change saves the previous file as a backup and replaces it atomically. Changes reject with AppError `READ_ONLY`
 * if the file system does not permit writing, `CONFLICT` while another program writes the file, and `INVALID_PAYLOAD`
 * for a configuration that the agent would reject.
 */
export interface ModelConfigStore {
  /** Rejects with AppError `CONFLICT`, with line and column, for invalid JSON. */
  load(): Promise<ModelConfigFile>;
  /** Writes only the changes: keeps comments, unknown fields and order. */
  save(config: JsonObject): Promise<ModelConfigChange>;
  /**
   * Copies the text of another file, with its comments. Rejects with AppError `FORBIDDEN` and `NOT_FOUND` for its path.
   */
  importFrom(path: string): Promise<ModelConfigChange>;
  /** Copies the file. Rejects with AppError `CONFLICT` if the target exists and `overwrite` is not set. */
  exportTo(path: string, options: { overwrite: boolean }): Promise<{ path: string }>;
  /** Newest first. */
  backups(): Promise<ModelConfigBackup[]>;
  /** Rejects with AppError `FORBIDDEN` for anything but a plain file name, `NOT_FOUND` for an unknown one. */
  restore(backupName: string): Promise<ModelConfigChange>;
}
