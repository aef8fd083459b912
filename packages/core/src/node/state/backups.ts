import { closeSync, fsyncSync, mkdirSync, openSync, readdirSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { errorCode } from "../files/file-errors.ts";
import type { SqliteDatabase } from "../storage/sqlite.ts";

export interface Backup {
  path: string;
  /** RFC 3339. */
  createdAt: string;
}

const KEPT = 5;
const BACKUP_NAME = /^state-(\d{4}-\d\d-\d\dT\d\d)-(\d\d)-(\d\d)-(\d{3}Z)\.db$/;

/** Gives the time as it stands in file names: sortable, and without characters that a file system refuses. */
export function timestampForFileName(time: Date): string {
  return time.toISOString().replaceAll(/[:.]/g, "-");
}

/** Lists the backups in a directory, newest first; none where the directory is missing. */
export function listBackups(directory: string): Backup[] {
  return namesIn(directory)
    .flatMap((name) => {
      const [matched, hour, minute, second, millisecond] = BACKUP_NAME.exec(name) ?? [];
      if (matched === undefined) return [];
      return [{ path: join(directory, name), createdAt: `${hour}:${minute}:${second}.${millisecond}` }];
    })
    .sort((a, b) => (a.createdAt < b.createdAt ? 1 : -1));
}

/**
 * Writes a consistent copy of the database and keeps the newest five. The copy has its name only when all of it is on
 * the disk.
 *
 * @throws SqliteError or an error of the file system, for example when the disk is full.
 */
export function createBackup(client: SqliteDatabase, directory: string): void {
  mkdirSync(directory, { recursive: true, mode: 0o700 });
  const path = join(directory, `state-${timestampForFileName(new Date())}.db`);
  const unfinished = `${path}.unfinished`;
  try {
    // SQLite accepts an empty file as target, and so the copy is private from its first byte.
    writeFileSync(unfinished, "", { mode: 0o600 });
    client.prepare("VACUUM INTO ?").run(unfinished);
    syncFile(unfinished);
    renameDurably(unfinished, path);
  } catch (error) {
    // On a full disk, half a copy would take the room that others wait for.
    rmSync(unfinished, { force: true });
    throw error;
  }
  prune(directory);
}

/** Waits until the contents of a file are on the disk. */
export function syncFile(path: string): void {
  sync(path, "r+");
}

/** Renames a file so that the new name is there after a power cut too. */
export function renameDurably(from: string, to: string): void {
  renameSync(from, to);
  // Windows cannot open a directory.
  if (process.platform !== "win32") sync(dirname(to), "r");
}

function sync(path: string, flags: "r" | "r+"): void {
  const file = openSync(path, flags);
  try {
    fsyncSync(file);
  } finally {
    closeSync(file);
  }
}

function prune(directory: string): void {
  const old = listBackups(directory).slice(KEPT);
  const unfinished = namesIn(directory).filter((name) => name.endsWith(".unfinished"));
  for (const path of [...old.map((backup) => backup.path), ...unfinished.map((name) => join(directory, name))]) {
    rmSync(path, { force: true });
  }
}

function namesIn(directory: string): string[] {
  try {
    return readdirSync(directory);
  } catch (error) {
    if (errorCode(error) === "ENOENT") return [];
    throw error;
  }
}
