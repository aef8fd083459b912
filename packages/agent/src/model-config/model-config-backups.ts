import { mkdir, readdir, rm, stat } from "node:fs/promises";
import { basename, join } from "node:path";
import { AppError, type ModelConfigBackup } from "@sm/core";
import { fileError, readWholeFile, replaceFile } from "@sm/core/files";

/** Maximum number of backups; a configuration has some kilobytes. */
const KEPT = 50;
/** Maximum size of all backups together, except the newest. */
const KEPT_BYTES = 32 * 1024 * 1024;

const NAME = /^models-(\d{4}-\d\d-\d\dT\d\d-\d\d-\d\d-\d{3}Z)(?:-(\d+))?\.json$/;

/** Earlier texts of the model configuration, in files named by their time. */
export class ModelConfigBackups {
  readonly #folder: string;

  readonly #largestBytes: number;

  /** @param largestBytes maximum size of a backup. */
  constructor(folder: string, largestBytes: number) {
    this.#folder = folder;
    this.#largestBytes = largestBytes;
  }

  /** Saves a text and returns its name. Removes the oldest backups above the limits. Not safe for concurrent calls. */
  async add(text: Uint8Array): Promise<string> {
    try {
      // Private: it may contain API keys.
      await mkdir(this.#folder, { recursive: true, mode: 0o700 });
      const names = await this.#names();
      const name = freeName(names);
      // Atomic: a killed process leaves no partial backup.
      await replaceFile(join(this.#folder, name), text, 0o600);
      await this.#removeOldest();
      return name;
    } catch (error) {
      throw fileError(error, "write", this.#folder) ?? error;
    }
  }

  async #removeOldest(): Promise<void> {
    let bytes = 0;
    for (const [place, { backup_name, size_bytes }] of (await this.list()).entries()) {
      bytes += size_bytes;
      const isTooMuch = place >= KEPT || bytes > KEPT_BYTES;
      if (place > 0 && isTooMuch) await rm(join(this.#folder, backup_name), { force: true });
    }
  }

  /** Newest first. */
  async list(): Promise<ModelConfigBackup[]> {
    const backups = (await this.#names()).map(async (name): Promise<ModelConfigBackup[]> => {
      const file = await stat(join(this.#folder, name)).catch(() => null);
      return file === null ? [] : [{ backup_name: name, created_at: timeOf(name), size_bytes: file.size }];
    });
    return (await Promise.all(backups)).flat();
  }

  /** Rejects with AppError `FORBIDDEN` for anything but a plain file name, `NOT_FOUND` for an unknown one. */
  async read(name: string): Promise<Uint8Array> {
    if (name !== basename(name) || name.includes("\\") || name === "" || name === "." || name === "..") {
      throw new AppError("FORBIDDEN", "The name of a backup is a file name from list_model_config_backups.");
    }
    if (!NAME.test(name)) throw unknownBackup(name);
    try {
      return await readWholeFile(join(this.#folder, name), this.#largestBytes);
    } catch (error) {
      const known = fileError(error, "read", join(this.#folder, name));
      throw known?.code === "NOT_FOUND" ? unknownBackup(name) : (known ?? error);
    }
  }

  /** Newest first. */
  async #names(): Promise<string[]> {
    const names = await readdir(this.#folder).catch(() => []);
    return names.filter((name) => NAME.test(name)).sort((a, b) => (orderOf(a) < orderOf(b) ? 1 : -1));
  }
}

function freeName(taken: readonly string[]): string {
  const time = new Date().toISOString().replaceAll(/[:.]/g, "-");
  let name = `models-${time}.json`;
  // Other backups of the same millisecond.
  for (let number = 2; taken.includes(name); number++) name = `models-${time}-${number}.json`;
  return name;
}

function orderOf(name: string): string {
  const [, time = "", count = "1"] = NAME.exec(name) ?? [];
  return `${time}-${count.padStart(9, "0")}`;
}

/** RFC 3339, from a time whose colons and dot were replaced for file systems. */
function timeOf(name: string): string {
  const time = NAME.exec(name)?.[1] ?? "";
  return time.replace(/T(\d\d)-(\d\d)-(\d\d)-(\d{3})Z$/, "T$1:$2:$3.$4Z");
}

function unknownBackup(name: string): AppError {
  return new AppError("NOT_FOUND", `There is no backup ${name}; list_model_config_backups lists all.`);
}
