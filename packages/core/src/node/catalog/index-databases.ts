import { randomInt } from "node:crypto";
import { existsSync, mkdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import { IndexError, PAGE_BYTES } from "@sm/text-index/storage";
import type { IndexPlace } from "../storage/index-place.ts";
import {
  DATABASE_SUFFIXES,
  isCorrupt,
  type OpenDatabaseOptions,
  openDatabase,
  type SqliteDatabase,
} from "../storage/sqlite.ts";
import { CATALOG_SQL, CONTENT_VERSION, LAYOUT_VERSION, SHARD_SQL } from "./index-schema.ts";

/** The index that answers, as it was found. */
export interface PreparedIndex {
  place: IndexPlace;
  /** Why one that was there was thrown away; `null` where none was. */
  rebuilt: "damaged" | "other version" | null;
  /** Of another content version: its successor is to be built. */
  isOutdated: boolean;
}

/** One thread can write one database; more than four threads would only wait for the disk. */
const MAX_SHARDS = 4;
const MAX_APPLICATION_ID = 2 ** 31 - 1;
/** `user_version` of a catalog holds the versions of layout and content and the number of text databases. */
const CONTENT_STEP = 16;
const LAYOUT_STEP = 4096 * CONTENT_STEP;

/**
 * Makes sure that a usable index is there. Everything in it can be read from the session files again, so a damaged
 * one, one of another layout, or one whose parts do not belong together is thrown away.
 *
 * An index lies in one of two directories. While one of an older content answers, its successor grows in the other;
 * when that is whole, the older one is removed. Nothing is ever moved, and after a crash the versions tell which is
 * which.
 *
 * @throws SqliteError when the directory cannot be written, see `isUnwritable`.
 */
export function prepareIndex(directory: string, cores: number): PreparedIndex {
  mkdirSync(directory, { recursive: true, mode: 0o700 });
  const found = [directory, otherDirectory(directory)].map(inspect);
  const [answering, successor] = found.filter((one) => one.state === "usable").sort((a, b) => a.content - b.content);
  const isOutdated = answering !== undefined && answering.content !== CONTENT_VERSION;
  for (const one of found) {
    const isKept = one === answering || (isOutdated && one === successor && one.content === CONTENT_VERSION);
    if (!isKept && one.state !== "none") removeIndex(one.place.directory);
  }
  if (answering !== undefined) return { place: answering.place, rebuilt: null, isOutdated };
  const rebuilt = found.find((one) => one.state === "unusable")?.reason ?? null;
  return { place: createIndex(directory, cores), rebuilt, isOutdated: false };
}

/** Goes on with the successor of an index, or begins one. */
export function prepareSuccessor(directory: string, answering: IndexPlace, cores: number): IndexPlace {
  const other = answering.directory === directory ? otherDirectory(directory) : directory;
  mkdirSync(other, { recursive: true, mode: 0o700 });
  const found = inspect(other);
  const isBegun = found.state === "usable" && found.content === CONTENT_VERSION;
  return isBegun ? found.place : createIndex(other, cores);
}

function otherDirectory(directory: string): string {
  return join(directory, "index-successor");
}

/** The catalog goes first: what is left without it is taken for no index. */
export function removeIndex(directory: string): void {
  const names = ["index.db", ...Array.from({ length: MAX_SHARDS }, (_, shard) => shardName(shard))];
  for (const name of names) {
    for (const suffix of DATABASE_SUFFIXES) rmSync(join(directory, name + suffix), { force: true });
  }
}

export function catalogPath(place: IndexPlace): string {
  return join(place.directory, "index.db");
}

type OpenMore = Pick<OpenDatabaseOptions, "waitMs" | "cacheBytes">;

/** @throws IndexError where the catalog was deleted, or names other tables: opened all the same, it would be made anew, and empty. */
export function openCatalog(place: IndexPlace, queryOnly = false, more: OpenMore = {}): SqliteDatabase {
  return existing(catalogPath(place), CATALOG_SQL, (path) => catalogAt(path, { queryOnly, ...more }));
}

/** @throws IndexError where the text database was deleted, or names other tables. */
export function openShard(place: IndexPlace, shard: number, queryOnly = false, more: OpenMore = {}): SqliteDatabase {
  return existing(shardPath(place, shard), SHARD_SQL, (path) => shardAt(path, { queryOnly, ...more }));
}

function existing(path: string, sql: string, open: (path: string) => SqliteDatabase): SqliteDatabase {
  if (!existsSync(path)) throw new IndexError("damaged", `${path} was deleted.`);
  const database = open(path);
  try {
    if (schemaOf(database) === sql.trim().replaceAll(/\n+/g, "\n")) return database;
    throw new IndexError("damaged", `The schema of ${path} has changed.`);
  } catch (error) {
    database.close();
    throw error;
  }
}

/** What made the tables of a database: SQLite keeps it as it was written. */
function schemaOf(database: SqliteDatabase): string {
  const made = "SELECT sql FROM sqlite_schema WHERE sql IS NOT NULL AND name NOT LIKE 'sqlite_%' ORDER BY rowid";
  const statements = database.prepare<[], string>(made).pluck().all();
  return statements.map((sql) => `${sql};`).join("\n");
}

/**
 * Every commit of another thread makes a connection read its pages again, so that small ones are best: with pages of
 * 4 KiB a row that changes costs more than twice the bytes (measured).
 */
function catalogAt(path: string, options: Partial<OpenDatabaseOptions> = {}): SqliteDatabase {
  return openDatabase(path, { durability: "normal", pageBytes: 1024, ...options });
}

function shardAt(path: string, options: Partial<OpenDatabaseOptions> = {}): SqliteDatabase {
  return openDatabase(path, { durability: "normal", pageBytes: PAGE_BYTES, ...options });
}

export function shardPath(place: IndexPlace, shard: number): string {
  return join(place.directory, shardName(shard));
}

function shardName(shard: number): string {
  return `index-text-${shard}.db`;
}

/** What one directory holds. `reason` says why an index cannot be used, where that is worth telling. */
type Found =
  | { state: "usable"; place: IndexPlace; content: number }
  | { state: "unusable"; place: IndexPlace; reason: "damaged" | "other version" | null }
  | { state: "none" };

function inspect(directory: string): Found {
  const place = { directory, shards: 0 };
  if (!existsSync(catalogPath(place))) return { state: "none" };
  try {
    return inspectCatalog(directory);
  } catch (error) {
    if (!isCorrupt(error)) throw error;
    return { state: "unusable", place, reason: "damaged" };
  }
}

function inspectCatalog(directory: string): Found {
  const catalog = catalogAt(catalogPath({ directory, shards: 0 }));
  try {
    // Checking every page would take longer than the whole start; damage deeper down is found when it is read.
    const version = Number(catalog.pragma("user_version", { simple: true }));
    const place = { directory, shards: version % CONTENT_STEP };
    // Killed before it was made.
    if (version === 0) return { state: "unusable", place, reason: null };
    const content = Math.floor((version % LAYOUT_STEP) / CONTENT_STEP);
    const isReadable = Math.floor(version / LAYOUT_STEP) === LAYOUT_VERSION && place.shards <= MAX_SHARDS;
    const identity = catalog.pragma("application_id", { simple: true });
    const isWhole = isReadable && place.shards > 0 && shardsOf(place).every((shard) => isPart(place, shard, identity));
    return isWhole ? { state: "usable", place, content } : { state: "unusable", place, reason: "other version" };
  } finally {
    catalog.close();
  }
}

function shardsOf(place: IndexPlace): number[] {
  return Array.from({ length: place.shards }, (_, shard) => shard);
}

/** A text database says too how many there are: the catalog may be damaged just there. */
function isPart(place: IndexPlace, shard: number, identity: unknown): boolean {
  const database = shardAt(shardPath(place, shard));
  try {
    const isOfIndex = database.pragma("application_id", { simple: true }) === identity;
    return isOfIndex && database.pragma("user_version", { simple: true }) === place.shards;
  } finally {
    database.close();
  }
}

function createIndex(directory: string, cores: number): IndexPlace {
  removeIndex(directory);
  const place = { directory, shards: Math.max(1, Math.min(MAX_SHARDS, cores)) };
  const identity = randomInt(1, MAX_APPLICATION_ID);
  // Nothing is in it that a power cut could take. One that it tears is found out, here or when it is read, and built
  // anew; from the first checkpoint on the disk has it whole. Waiting for the disk would take most of the time.
  for (const shard of shardsOf(place)) {
    create(
      shardAt(shardPath(place, shard), { durability: "none", canShrink: true }),
      SHARD_SQL,
      identity,
      place.shards,
    );
  }
  // Last, since its version says that the whole index is there.
  const version = LAYOUT_VERSION * LAYOUT_STEP + CONTENT_VERSION * CONTENT_STEP + place.shards;
  create(catalogAt(catalogPath(place), { durability: "none" }), CATALOG_SQL, identity, version);
  return place;
}

function create(database: SqliteDatabase, sql: string, identity: number, version: number): void {
  try {
    database.transaction(() => {
      database.exec(sql);
      database.pragma(`application_id = ${identity}`);
      database.pragma(`user_version = ${version}`);
    })();
  } finally {
    database.close();
  }
}
