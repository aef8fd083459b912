import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { AppError } from "../../errors.ts";
import { isUnwritable, openDatabase } from "../storage/sqlite.ts";
import { cacheShare } from "../threads/cache-budget.ts";
import { createBackup } from "./backups.ts";
import type { StateDatabase } from "./connection.ts";
import { backUpIfDue, lastChange, withStateLocked } from "./daily-backup.ts";
import { latestVersion, type Migration, migrate, versionOf } from "./migrate.ts";
import { MIGRATIONS } from "./migrations/embedded.ts";
import type { StateOptions } from "./ports.ts";
import { findDamage, replaceDamaged } from "./repair.ts";

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
    return withStateLocked(dataDir, () => openAlone(options, migrations));
  } catch (error) {
    if (!isRefusal(error) && !isUnwritable(error)) throw error;
    const advice = "make it writable or choose another with --data-dir";
    throw new AppError("READ_ONLY", `Could not use the data directory ${dataDir} (${error.message}); ${advice}.`, {
      cause: error,
    });
  }
}

function openAlone({ dataDir, log }: StateOptions, migrations: readonly Migration[]): StateDatabase {
  const path = join(dataDir, "state.db");
  const backupDirectory = join(dataDir, "backups");
  const latest = latestVersion(migrations);
  let problem: string | null = null;
  const damage = findDamage(path, backupDirectory, migrations);
  if (damage !== null) {
    problem = replaceDamaged(path, backupDirectory, damage, migrations);
    log.error({ path, damage }, problem);
  }
  const changedAt = lastChange(path);
  const client = openDatabase(path, { durability: "full", cacheBytes: cacheShare("state", 0).catalog });
  try {
    const version = versionOf(client);
    // SQLite says nothing when it opens a file that it may not write, and refuses the first change instead.
    client.exec(`BEGIN IMMEDIATE; PRAGMA user_version = ${version}; ROLLBACK`);
    if (version > 0 && version < latest) {
      createBackup(client, backupDirectory);
      log.info({ path, from: version, to: latest }, "Migrating the user state; a backup was made.");
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

/** Whether the file system refused a call. */
function isRefusal(error: unknown): error is NodeJS.ErrnoException {
  return error instanceof Error && "syscall" in error;
}
