import { existsSync, mkdirSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { AppError } from "../../errors.ts";
import type { LibraryLog } from "../library-log.ts";
import { isUnwritable, openDatabase, type SqliteDatabase, withFileLock } from "../sqlite.ts";
import { createBackup, listBackups } from "./backups.ts";
import { latestVersion, MIGRATIONS, type Migration, migrate, versionOf } from "./migrations.ts";
import { findDamage, replaceDamaged } from "./repair.ts";

export interface StateOptions {
  /** Made with mode 0700 where it is missing. */
  dataDir: string;
  log: LibraryLog;
}

export interface StateDatabase {
  client: SqliteDatabase;
  path: string;
  /** What was wrong with the file, for people; `null` where nothing was. */
  problem: string | null;
}

const BACKUP_INTERVAL_MS = 24 * 60 * 60 * 1000;

/**
 * Opens `state.db`: checks the whole of it, replaces a damaged one by its latest good backup, backs up, migrates.
 *
 * @throws AppError `READ_ONLY` when the directory cannot be written, `UNAVAILABLE` when a newer program wrote the file.
 */
export function openStateDatabase(options: StateOptions, migrations = MIGRATIONS): StateDatabase {
  const { dataDir } = options;
  try {
    mkdirSync(dataDir, { recursive: true, mode: 0o700 });
    // Two processes that replaced the same damaged file would each go on with a file of their own.
    return withFileLock(join(dataDir, "state.lock"), () => openAlone(options, migrations));
  } catch (error) {
    if (!isRefusal(error) && !isUnwritable(error)) throw error;
    const advice = "make it writable or name another with --data-dir";
    throw new AppError("READ_ONLY", `The data directory ${dataDir} cannot be used (${error.message}); ${advice}.`, {
      cause: error,
    });
  }
}

function openAlone({ dataDir, log }: StateOptions, migrations: readonly Migration[]): StateDatabase {
  const path = join(dataDir, "state.db");
  const backupDirectory = join(dataDir, "backups");
  const latest = latestVersion(migrations);
  let problem: string | null = null;
  const damage = findDamage(path, backupDirectory, latest);
  if (damage !== null) {
    problem = replaceDamaged(path, backupDirectory, damage, latest);
    log.error({ path, damage }, problem);
  }
  const changedAt = lastChange(path);
  // SQLite would make it readable for everybody.
  if (!existsSync(path)) writeFileSync(path, "", { mode: 0o600 });
  const client = openDatabase(path, { durability: "full" });
  try {
    const version = versionOf(client);
    // SQLite says nothing when it opens a file that it may not write, and refuses the first change instead.
    client.exec(`BEGIN IMMEDIATE; PRAGMA user_version = ${version}; ROLLBACK`);
    if (version > 0 && version < latest) {
      createBackup(client, backupDirectory);
      log.info({ path, from: version, to: latest }, "The user state is brought up to date; a backup was made.");
    } else if (version > 0 && damage === null) {
      backUpIfDue(client, backupDirectory, changedAt, log);
    }
    migrate(client, migrations);
    return { client, path, problem };
  } catch (error) {
    client.close();
    throw error;
  }
}

/** Unix time in ms of the last write, in the file or in its write-ahead log. */
function lastChange(path: string): number {
  const stats = [path, `${path}-wal`].map((file) => statSync(file, { throwIfNoEntry: false }));
  return Math.max(0, ...stats.map((stat) => (stat === undefined || stat.size === 0 ? 0 : stat.mtimeMs)));
}

/** Makes the backup of the day. One that cannot be written is no reason to do without the program. */
function backUpIfDue(client: SqliteDatabase, directory: string, changedAt: number, log: LibraryLog): void {
  try {
    const newest = listBackups(directory)[0];
    const madeAt = newest === undefined ? 0 : Date.parse(newest.createdAt);
    if (changedAt > madeAt && Date.now() - madeAt >= BACKUP_INTERVAL_MS) createBackup(client, directory);
  } catch (error) {
    log.warn({ err: error, path: directory }, "The daily backup of the user state could not be written.");
  }
}

/** Whether the file system refused a call. */
function isRefusal(error: unknown): error is NodeJS.ErrnoException {
  return error instanceof Error && "syscall" in error;
}
