import { statSync } from "node:fs";
import { dirname, join } from "node:path";
import type { LibraryLog } from "../../library-log.ts";
import { type SqliteDatabase, withDatabaseLock } from "../storage/sqlite.ts";
import { createBackup, listBackups } from "./backups.ts";
import { damageIn } from "./check.ts";
import type { StateConnection } from "./connection.ts";
import { MIGRATIONS } from "./migrations/embedded.ts";

const BACKUP_INTERVAL_MS = 24 * 60 * 60 * 1000;
/** Also the wait after a backup has failed. */
const LOOK_INTERVAL_MS = 60 * 60 * 1000;

/** Backs up `state.db` daily while it is open; a backup at start is not enough for a service that runs for weeks. */
export class DailyBackup {
  readonly #connection: StateConnection;
  readonly #log: LibraryLog;
  #lookFrom = Date.now() + LOOK_INTERVAL_MS;

  constructor(connection: StateConnection, log: LibraryLog) {
    this.#connection = connection;
    this.#log = log;
  }

  /** Makes the backup where one is due, and looks for that once an hour at most. */
  makeIfDue(): void {
    const now = Date.now();
    if (now < this.#lookFrom) return;
    this.#lookFrom = now + LOOK_INTERVAL_MS;
    const { path } = this.#connection;
    const backupDirectory = join(dirname(path), "backups");
    try {
      if (!isBackupDue(backupDirectory, lastChange(path))) return;
      this.#connection.checkInPlace();
      // Another process may be making one.
      withStateLocked(dirname(path), () => {
        if (isBackupDue(backupDirectory, lastChange(path))) this.#connection.read(() => this.#copy(backupDirectory));
      });
    } catch (error) {
      warnOfBackup(error, backupDirectory, this.#log);
    }
  }

  /** A copy of what is damaged would take the place of a good one. */
  #copy(backupDirectory: string): void {
    const { client, path } = this.#connection;
    const damage = damageIn(client, MIGRATIONS);
    if (damage !== null) throw new Error(`${path} is damaged (${damage}).`);
    createBackup(client, backupDirectory);
  }
}

/** Runs `work` while no other process opens or copies the user state in this directory. */
export function withStateLocked<T>(dataDir: string, work: () => T): T {
  return withDatabaseLock(join(dataDir, "state.lock"), work);
}

/** Makes the daily backup. A failure is logged only. */
export function backUpIfDue(client: SqliteDatabase, directory: string, changedAt: number, log: LibraryLog): void {
  try {
    if (isBackupDue(directory, changedAt)) createBackup(client, directory);
  } catch (error) {
    warnOfBackup(error, directory, log);
  }
}

/** Unix time in ms of the last write, in the file or in its write-ahead log. */
export function lastChange(path: string): number {
  const stats = [path, `${path}-wal`].map((file) => statSync(file, { throwIfNoEntry: false }));
  return Math.max(0, ...stats.map((stat) => (stat === undefined || stat.size === 0 ? 0 : stat.mtimeMs)));
}

function isBackupDue(directory: string, changedAt: number): boolean {
  const newest = listBackups(directory)[0];
  const madeAt = newest === undefined ? 0 : Date.parse(newest.createdAt);
  return changedAt > madeAt && Date.now() - madeAt >= BACKUP_INTERVAL_MS;
}

function warnOfBackup(error: unknown, path: string, log: LibraryLog): void {
  log.warn({ err: error, path }, "Could not write the daily backup of the user state.");
}
