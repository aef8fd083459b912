import { lstat, mkdir } from "node:fs/promises";
import { join } from "node:path";
import {
  AppError,
  isJsonObject,
  type JsonObject,
  type ModelConfigChange,
  type ModelConfigFile,
  type ModelConfigStore,
  type PayloadIssue,
} from "@sm/core";
import { fileError, readWholeFile, replaceFile, withFileLock } from "@sm/core/files";
import { editedText } from "../commented-json/edit.ts";
import { readWithComments } from "../commented-json/read.ts";
import { ModelConfigBackups } from "./model-config-backups.ts";
import { checkedPath, type OwnPlaces } from "./paths.ts";
import { modelConfigProblems } from "./schema.ts";

export interface ModelConfigOptions extends OwnPlaces {
  /** Directory of `models.json`. */
  agentDir: string;
  /** Where backups are kept. */
  backupDir: string;
  /** Called after every change, with the command that made it. */
  changed(origin: string): Promise<void>;
}

/** Larger files are rejected; the agent's own list of all models has 1 MB. */
const MAX_BYTES = 8 * 1024 * 1024;
/** Private: it may contain API keys. */
const NEW_FILE_MODE = 0o600;

/** Opens the model configuration in the agent's `models.json`. */
export function openModelConfig(options: ModelConfigOptions): ModelConfigStore {
  const { agentDir, backupDir, changed } = options;
  const path = join(agentDir, "models.json");
  const backups = new ModelConfigBackups(backupDir, MAX_BYTES);

  /** Replaces the file's text; `textFrom` receives the current one. */
  async function change(
    origin: string,
    textFrom: (before: Uint8Array | null) => string | Uint8Array,
  ): Promise<ModelConfigChange> {
    await mkdir(agentDir, { recursive: true }).catch((error: unknown) => {
      throw fileError(error, "write", agentDir) ?? error;
    });
    const written = await withFileLock(path, async () => {
      const before = await readBytes(path);
      const text = textFrom(before);
      const backup_name = before === null ? null : await backups.add(before);
      await replaceFile(path, text, NEW_FILE_MODE).catch((error: unknown) => {
        throw fileError(error, "write", path) ?? error;
      });
      return { backup_name };
    });
    await changed(origin);
    return written;
  }

  return {
    async load(): Promise<ModelConfigFile> {
      const bytes = await readBytes(path);
      if (bytes === null) return { path, exists: false, config: null };
      return { path, exists: true, config: parsed(path, bytes, "CONFLICT") };
    },

    async save(config) {
      refuse(modelConfigProblems(config));
      return change("save_model_config", (before) =>
        editedText((before === null ? null : textOf(before)) ?? "", config),
      );
    },

    async importFrom(source) {
      const file = await checkedPath(source, options, path);
      const bytes = await readBytes(file);
      if (bytes === null) throw new AppError("NOT_FOUND", `${source} does not exist.`);
      refuse(modelConfigProblems(parsed(source, bytes, "INVALID_PAYLOAD")));
      return change("import_model_config_from_path", () => bytes);
    },

    async exportTo(target, { overwrite }) {
      const file = await checkedPath(target, options, path);
      const bytes = await readBytes(path);
      if (bytes === null) throw new AppError("NOT_FOUND", `There is no model configuration in ${path} yet.`);
      const present = await lstat(file).catch(() => null);
      if (present !== null && !overwrite) {
        throw new AppError("CONFLICT", `${target} already exists; set "overwrite" to replace it.`);
      }
      // For example a socket.
      if (present?.isFile() === false) throw new AppError("FORBIDDEN", `${target} is not a file; choose another path.`);
      await replaceFile(file, bytes, NEW_FILE_MODE).catch((error: unknown) => {
        throw fileError(error, "write", target) ?? error;
      });
      return { path: target };
    },

    backups: () => backups.list(),

    async restore(backupName) {
      const bytes = await backups.read(backupName);
      return change("restore_model_config_backup", () => bytes);
    },
  };
}

/** `null` if the file does not exist. */
async function readBytes(path: string): Promise<Uint8Array | null> {
  try {
    return await readWholeFile(path, MAX_BYTES);
  } catch (error) {
    const known = fileError(error, "read", path);
    if (known?.code === "NOT_FOUND") return null;
    throw known ?? error;
  }
}

/** `null` if it is not UTF-8. Removes a byte order mark, which editors on Windows write. */
function textOf(bytes: Uint8Array): string | null {
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch {
    return null;
  }
}

function parsed(path: string, bytes: Uint8Array, code: "CONFLICT" | "INVALID_PAYLOAD"): JsonObject {
  const text = textOf(bytes);
  const read = text === null ? { mistake: "1:1: it is not UTF-8" } : readWithComments(text);
  if ("value" in read && isJsonObject(read.value)) return read.value;
  const mistake = "mistake" in read ? read.mistake : '1:1: expected an object, such as {"providers": {}}';
  if (code === "CONFLICT") throw new AppError(code, `${path}:${mistake}. Correct the file, or restore a backup.`);
  throw new AppError(code, `${path}:${mistake}. Correct the file.`, { details: [{ path: "path", message: mistake }] });
}

function refuse(issues: PayloadIssue[]): void {
  const [first] = issues;
  if (first === undefined) return;
  throw new AppError(
    "INVALID_PAYLOAD",
    `The agent would reject this configuration: ${first.path === "" ? "" : `${first.path}: `}${first.message}`,
    {
      details: issues,
    },
  );
}
