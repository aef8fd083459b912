import { chmodSync, existsSync, statSync, writeFileSync } from "node:fs";
// By another name, since what bundles this for the binary declares that one.
import { createRequire as requireOf } from "node:module";
import { dirname, join } from "node:path";
import { addChecksums } from "@sm/text-index/storage";
import type Database from "better-sqlite3";
import { AppError } from "../../errors.ts";
import { errorCode } from "../files/file-errors.ts";

export type SqliteDatabase = Database.Database;
export type SqliteRunResult = Database.RunResult;
export type SqliteStatement<Parameters extends unknown[] = unknown[]> = Database.Statement<Parameters>;

/**
 * `full` survives a power cut (user state), `normal` only a crash of the process (caches); with `none` a power cut may
 * tear the file.
 */
export type Durability = "full" | "normal" | "none";

export interface OpenDatabaseOptions {
  readonly?: boolean;
  durability: Durability;
  /** Page cache of this connection. */
  cacheBytes?: number;
  /** Refuses to write. Unlike `readonly` it reads a write-ahead database that nobody else has open. */
  queryOnly?: boolean;
  /**
   * Makes a new database one that can give unused pages back to the file system. Of another one, which keeps this, it
   * would take the write lock, and wait for whoever has it.
   */
  canShrink?: boolean;
  /** How long it waits at most where another connection locks the database. */
  waitMs?: number;
  /** Of a new database; small pages suit rows of a few hundred bytes. */
  pageBytes?: number;
}

/**
 * Transactions of other connections take a second or two. Shorter than a thread that is to end is waited for (five
 * seconds): SQLite's binding aborts the process when its thread is ended while it waits.
 */
const MAX_WAIT_MS = 4_000;

const SYNCHRONOUS = { full: "FULL", normal: "NORMAL", none: "OFF" } as const;

/** The package, once it was loaded, and where its native library lies. */
let loaded: { Database: typeof Database; native: { nativeBinding?: string } } | null = null;

/**
 * Loads the package when the first database is opened. It is an optional peer dependency: what of `@sm/core/node` opens
 * none works without it.
 *
 * @throws AppError `UNAVAILABLE` where it is not installed.
 */
function loadSqlite() {
  if (loaded !== null) return loaded;
  const require = requireOf(import.meta.url);
  let manifest: string;
  try {
    manifest = require.resolve("better-sqlite3/package.json");
  } catch (error) {
    const message =
      "SQLite (the package better-sqlite3) is not installed, and @sm/core/node keeps its index and the user's tags in it:" +
      " run `npm install better-sqlite3`.";
    throw new AppError("UNAVAILABLE", message, { cause: error });
  }
  // Left to itself, the package looks for its native library in a dozen places, 4 ms in each thread (measured).
  const nativeBinding = join(dirname(manifest), "build", "Release", "better_sqlite3.node");
  loaded = { Database: require("better-sqlite3"), native: existsSync(nativeBinding) ? { nativeBinding } : {} };
  return loaded;
}

function openFile(path: string, options: Database.Options): SqliteDatabase {
  const { Database, native } = loadSqlite();
  return new Database(path, { ...native, timeout: MAX_WAIT_MS, ...options });
}

/** All that SQLite keeps beside a database. */
export const DATABASE_SUFFIXES = ["", "-wal", "-shm", "-journal"] as const;
/** What others than the owner may do. */
const OTHERS = 0o077;

/**
 * Keeps a database for its owner, whatever the umask says: a new one is made so, and what a database has beside it gets
 * its mode from SQLite. Where the file system refuses, SQLite will say so, or another account owns the file.
 */
function keepPrivate(path: string): void {
  if (path === ":memory:") return;
  try {
    if (!existsSync(path)) writeFileSync(path, "", { mode: 0o600, flag: "a" });
    for (const suffix of DATABASE_SUFFIXES) {
      const mode = statSync(path + suffix, { throwIfNoEntry: false })?.mode ?? 0;
      if ((mode & OTHERS) !== 0) chmodSync(path + suffix, mode & 0o7777 & ~OTHERS);
    }
  } catch (error) {
    if (errorCode(error) === "") throw error;
  }
}

/** The write-ahead log is carried over when it has grown to this, and cut back when a transaction has blown it up. */
const WAL_LIMIT_BYTES = 8 * 1024 * 1024;

/**
 * Opens a SQLite database in write-ahead mode, which only its owner may read from then on. This is the only file that loads the native library.
 *
 * @throws AppError `UNAVAILABLE` where SQLite is not installed; SqliteError with `code`, see {@link isCorrupt} and {@link isUnwritable}.
 */
export function openDatabase(path: string, options: OpenDatabaseOptions): SqliteDatabase {
  if (options.readonly !== true) keepPrivate(path);
  const database = openFile(path, { readonly: options.readonly ?? false, timeout: options.waitMs ?? MAX_WAIT_MS });
  try {
    addChecksums(database);
    // First: whatever writes to a new database would wait for the disk, 15 ms.
    database.pragma(`synchronous = ${SYNCHRONOUS[options.durability]}`);
    if (options.pageBytes !== undefined) database.pragma(`page_size = ${options.pageBytes}`);
    if (options.canShrink === true) database.pragma("auto_vacuum = INCREMENTAL");
    // Those that only ask leave it as it is: changing it waits for whoever has just made the database.
    if (options.readonly !== true && options.queryOnly !== true) database.pragma("journal_mode = WAL");
    database.pragma(`wal_autocheckpoint = ${Math.ceil(WAL_LIMIT_BYTES / pageBytes(database))}`);
    database.pragma(`journal_size_limit = ${WAL_LIMIT_BYTES}`);
    database.pragma("foreign_keys = ON");
    if (options.queryOnly === true) database.pragma("query_only = ON");
    if (options.cacheBytes !== undefined) database.pragma(`cache_size = -${Math.ceil(options.cacheBytes / 1024)}`);
    return database;
  } catch (error) {
    database.close();
    throw error;
  }
}

function pageBytes(database: SqliteDatabase): number {
  return Number(database.pragma("page_size", { simple: true }));
}

/** What SQLite says, under its general code, of a damaged number in the header of a database. */
const UNKNOWN_FORMAT = /^unsupported file format/;

/** Whether the file is no database or a damaged one. */
export function isCorrupt(error: unknown): error is Error {
  const code = errorCode(error);
  if (code === "SQLITE_ERROR") return error instanceof Error && UNKNOWN_FORMAT.test(error.message);
  // A short read: the file has been cut off under a connection that knew it longer.
  return code.startsWith("SQLITE_CORRUPT") || code === "SQLITE_NOTADB" || code === "SQLITE_IOERR_SHORT_READ";
}

/** Whether a write failed for want of space or of permission to write. */
export function isUnwritable(error: unknown): error is Error {
  const code = errorCode(error);
  return (
    code === "SQLITE_FULL" ||
    code.startsWith("SQLITE_IOERR") ||
    code.startsWith("SQLITE_READONLY") ||
    code.startsWith("SQLITE_CANTOPEN")
  );
}

/**
 * Runs a transaction that takes the write lock at its start, so that it never has to be repeated. It waits for other
 * writers as long as `openDatabase` says, by the clock: SQLite counts the pauses that it asks for, and signals, such as
 * those of a profiler, end each at once.
 *
 * @throws AppError `UNAVAILABLE` with `retry_after_ms` where they lock it for longer.
 */
export function runWriteTransaction<T>(database: SqliteDatabase, work: () => T): T {
  const until = performance.now() + MAX_WAIT_MS;
  let hasBegun = false;
  const transaction = database.transaction(() => {
    hasBegun = true;
    return work();
  });
  for (;;) {
    try {
      return transaction.immediate();
    } catch (error) {
      if (hasBegun || errorCode(error) !== "SQLITE_BUSY") throw error;
      if (performance.now() < until) continue;
      throw new AppError("UNAVAILABLE", "Another program has locked the database for seconds; try again.", {
        cause: error,
        details: { retry_after_ms: 1_000 },
      });
    }
  }
}

/**
 * Runs `work` while no other process is inside the same lock file; waits for it up to 10 seconds.
 * A process that is killed lets go of it.
 */
export function withDatabaseLock<T>(path: string, work: () => T): T {
  keepPrivate(path);
  const lock = openFile(path, {});
  try {
    lock.exec("BEGIN EXCLUSIVE");
    return work();
  } finally {
    lock.close();
  }
}
