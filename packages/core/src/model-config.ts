import type { JsonObject } from "./json.ts";

/** The agent's `models.json` as it stands. */
export interface ModelConfigFile {
  path: string;
  exists: boolean;
  /** `null` where there is no file. */
  config: JsonObject | null;
}

/** What a change of the model configuration has kept of the file before; `null` where there was none. */
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
 * The model configuration of the agent: which providers and models it knows. Implemented by `@sm/agent`.
 *
 * Every change keeps the file before as a backup, and replaces it at once. Changes reject with AppError `READ_ONLY`
 * where the file system refuses them, `CONFLICT` while another program writes the file, and `INVALID_PAYLOAD` for a
 * configuration that the agent would not take.
 */
export interface ModelConfigStore {
  /** Rejects with AppError `CONFLICT`, which names line and column, for a file that is not JSON. */
  load(): Promise<ModelConfigFile>;
  /** Writes what has changed into the file: comments, unknown fields and the order of the rest stay. */
  save(config: JsonObject): Promise<ModelConfigChange>;
  /** Takes the text of another file, with its comments. Rejects with AppError `FORBIDDEN` and `NOT_FOUND`, by its path. */
  importFrom(path: string): Promise<ModelConfigChange>;
  /** Copies the file. Rejects with AppError `CONFLICT` where there is one and `overwrite` is not set. */
  exportTo(path: string, options: { overwrite: boolean }): Promise<{ path: string }>;
  /** The newest first. */
  backups(): Promise<ModelConfigBackup[]>;
  /** Rejects with AppError `FORBIDDEN` for anything but a plain file name, `NOT_FOUND` for an unknown one. */
  restore(backupName: string): Promise<ModelConfigChange>;
}
