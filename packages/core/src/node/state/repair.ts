import { copyFileSync, existsSync, rmSync, statSync } from "node:fs";
import { AppError } from "../../errors.ts";
import { isCorrupt, openDatabase, type SqliteDatabase } from "../storage/sqlite.ts";
import { type Backup, listBackups, renameDurably, syncFile, timestampForFileName } from "./backups.ts";
import { damageIn } from "./check.ts";
import { latestVersion, type Migration, versionOf } from "./migrate.ts";

const FIRST_WITH_TOKENS = 2;

/**
 * Says what is wrong with the state of earlier runs; `null` where it is good or there was no earlier run.
 *
 * @throws AppError `UNAVAILABLE` when the file has a version after the last of `migrations`.
 */
export function findDamage(path: string, backupDirectory: string, migrations: readonly Migration[]): string | null {
  if (!existsSync(path)) return listBackups(backupDirectory).length > 0 ? "the file is missing" : null;
  // SQLite would take an empty file for a new database.
  if (statSync(path).size === 0) return "the file is empty";
  const { version, damage } = checkDatabase(path, migrations);
  const latest = latestVersion(migrations);
  if (version > latest) {
    const message = `${path} is of version ${version}, from a newer Session Manager than this one, which knows ${latest}`;
    throw new AppError("UNAVAILABLE", `${message}; update this one.`);
  }
  return damage;
}

/** Moves the damaged file aside and puts the latest good backup in its place; gives the sentences that say so. */
export function replaceDamaged(
  path: string,
  backupDirectory: string,
  damage: string,
  migrations: readonly Migration[],
): string {
  const restored = `${path}.restored`;
  const backup = listBackups(backupDirectory).find((candidate) => copyIfGood(candidate, restored, migrations));
  const aside = `${path}.corrupt-${timestampForFileName(new Date())}`;
  // The file itself goes last: a write-ahead log that stayed behind would be played into its successor.
  for (const suffix of ["-wal", "-shm", "-journal", ""]) {
    if (existsSync(path + suffix)) renameDurably(path + suffix, aside + suffix);
  }
  if (backup === undefined) rmSync(restored, { force: true });
  else renameDurably(restored, path);
  const kept = existsSync(aside) ? ` The damaged file is kept as ${aside}.` : "";
  const successor =
    backup === undefined
      ? "There is no good backup, so they start empty."
      : `The backup of ${backup.createdAt} was restored, without API tokens; later changes are lost.`;
  return `The tags, favorites and API tokens in ${path} could not be read: ${damage}.${kept} ${successor}`;
}

/** Checks the copy, so that the backup stays as it is. */
function copyIfGood(backup: Backup, copy: string, migrations: readonly Migration[]): boolean {
  // One that was cut short in the middle would be played into this copy.
  for (const suffix of ["-wal", "-shm"]) rmSync(copy + suffix, { force: true });
  copyFileSync(backup.path, copy);
  const { version, damage } = checkDatabase(copy, migrations);
  if (damage !== null || version < 1 || version > latestVersion(migrations)) return false;
  if (version >= FIRST_WITH_TOKENS) forgetTokens(copy);
  syncFile(copy);
  return true;
}

/** Tokens that were revoked after the backup must not come back. */
function forgetTokens(path: string): void {
  const client = openDatabase(path, { durability: "full" });
  try {
    client.exec("DELETE FROM tokens");
  } finally {
    client.close();
  }
}

function checkDatabase(path: string, migrations: readonly Migration[]): { version: number; damage: string | null } {
  // A reader leaves a damaged file and its write-ahead log as they are. Only a writer can undo a transaction that was
  // cut short before the file had such a log.
  const readonly = !existsSync(`${path}-journal`);
  let client: SqliteDatabase | undefined;
  let version = 0;
  try {
    client = openDatabase(path, { durability: "full", readonly });
    version = versionOf(client);
    return { version, damage: damageIn(client, migrations) };
  } catch (error) {
    if (!isCorrupt(error)) throw error;
    return { version, damage: error.message };
  } finally {
    client?.close();
  }
}
