import { existsSync } from "node:fs";
// By another name, since what bundles this for the binary declares that one.
import { createRequire as requireOf } from "node:module";
import { dirname, join } from "node:path";
import Database from "better-sqlite3";
import { errorCode } from "./file-errors.ts";

export type SqliteDatabase = Database.Database;
export type SqliteStatement = Database.Statement;

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
  /** A new database can give unused pages back to the file system. */
  canShrink?: boolean;
  /** Of a new database; small pages suit rows of a few hundred bytes. */
  pageBytes?: number;
}

const SYNCHRONOUS = { full: "FULL", normal: "NORMAL", none: "OFF" } as const;

/**
 * Where the native library was built or put on installation. Left to itself, the binding looks for it in a dozen places,
 * 4 ms in each thread (measured); it does so where there is none here.
 */
const native = nativeOption();

function nativeOption(): { nativeBinding?: string } {
  try {
    const manifest = requireOf(import.meta.url).resolve("better-sqlite3/package.json");
    const nativeBinding = join(dirname(manifest), "build", "Release", "better_sqlite3.node");
    return existsSync(nativeBinding) ? { nativeBinding } : {};
  } catch {
    return {};
  }
}

/** The write-ahead log is carried over when it has grown to this, and cut back when a transaction has blown it up. */
const WAL_LIMIT_BYTES = 8 * 1024 * 1024;

/**
 * Opens a SQLite database in write-ahead mode. This is the only file that loads the native library.
 *
 * @throws SqliteError with `code`, see {@link isCorrupt} and {@link isUnwritable}.
 */
export function openDatabase(path: string, options: OpenDatabaseOptions): SqliteDatabase {
  const database = new Database(path, { ...native, readonly: options.readonly ?? false, timeout: 10_000 });
  try {
    // First: whatever writes to a new database would wait for the disk, 15 ms.
    database.pragma(`synchronous = ${SYNCHRONOUS[options.durability]}`);
    if (options.pageBytes !== undefined) database.pragma(`page_size = ${options.pageBytes}`);
    if (options.canShrink === true) database.pragma("auto_vacuum = INCREMENTAL");
    if (options.readonly !== true) database.pragma("journal_mode = WAL");
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
 * Runs `work` while no other process is inside the same lock file; waits for it up to 10 seconds.
 * A process that is killed lets go of it.
 */
export function withFileLock<T>(path: string, work: () => T): T {
  const lock = new Database(path, { ...native, timeout: 10_000 });
  try {
    lock.exec("BEGIN EXCLUSIVE");
    return work();
  } finally {
    lock.close();
  }
}
