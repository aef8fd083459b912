import { randomInt } from "node:crypto";
import { existsSync, mkdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import { isCorrupt, openDatabase, type SqliteDatabase } from "../sqlite.ts";
import { IndexError } from "./index-error.ts";
import { CATALOG_SQL, INDEX_VERSION, SHARD_SQL } from "./schema.ts";

/** Where an index lies: one catalog of files and records, and the text in as many databases as threads write it. */
export interface IndexPlace {
  directory: string;
  shards: number;
}

/** One thread can write one database; more than four threads would only wait for the disk. */
const MOST_SHARDS = 4;
const MOST_APPLICATION_ID = 2 ** 31 - 1;

function shardsFor(cores: number): number {
  return Math.max(1, Math.min(MOST_SHARDS, cores));
}

/**
 * Makes sure that a usable index is there. Everything in it can be read from the session files again, so a damaged
 * one, one of another version, or one whose parts do not belong together is thrown away.
 *
 * @throws SqliteError when the directory cannot be written, see `isUnwritable`.
 */
export function prepareIndex(
  directory: string,
  cores: number,
): { place: IndexPlace; rebuilt: "damaged" | "other version" | null } {
  mkdirSync(directory, { recursive: true, mode: 0o700 });
  let rebuilt: "damaged" | "other version" | null = null;
  try {
    const shards = existingShards(directory);
    if (shards === "new") return { place: createIndex(directory, cores), rebuilt: null };
    if (shards !== null) return { place: { directory, shards }, rebuilt: null };
    rebuilt = "other version";
  } catch (error) {
    if (!isCorrupt(error)) throw error;
    rebuilt = "damaged";
  }
  removeIndex(directory);
  return { place: createIndex(directory, cores), rebuilt };
}

export function removeIndex(directory: string): void {
  const names = ["index.db", ...Array.from({ length: MOST_SHARDS }, (_, shard) => shardName(shard))];
  for (const name of names) {
    for (const suffix of ["", "-wal", "-shm", "-journal"]) rmSync(join(directory, name + suffix), { force: true });
  }
}

export function catalogPath(place: IndexPlace): string {
  return join(place.directory, "index.db");
}

/** @throws IndexError where the catalog was deleted: opened all the same, it would be made anew, and empty. */
export function openCatalog(place: IndexPlace, queryOnly = false): SqliteDatabase {
  return existing(catalogPath(place), (path) => catalogAt(path, queryOnly));
}

/** @throws IndexError where the text database was deleted. */
export function openShard(place: IndexPlace, shard: number, queryOnly = false): SqliteDatabase {
  return existing(shardPath(place, shard), (path) => shardAt(path, queryOnly));
}

function existing(path: string, open: (path: string) => SqliteDatabase): SqliteDatabase {
  if (!existsSync(path)) throw new IndexError("damaged", `${path} was deleted.`);
  return open(path);
}

function catalogAt(path: string, queryOnly = false): SqliteDatabase {
  return openDatabase(path, { durability: "normal", queryOnly, cacheBytes: 4 * 1024 * 1024, pageBytes: 1024 });
}

function shardAt(path: string, queryOnly = false): SqliteDatabase {
  return openDatabase(path, { durability: "normal", queryOnly, canShrink: true, cacheBytes: 8 * 1024 * 1024 });
}

function shardPath(place: IndexPlace, shard: number): string {
  return join(place.directory, shardName(shard));
}

function shardName(shard: number): string {
  return `index-text-${shard}.db`;
}

/** The number of text databases, "new" where there is no index at all, `null` where it is of no use. */
function existingShards(directory: string): number | "new" | null {
  const catalog = catalogAt(catalogPath({ directory, shards: 0 }));
  try {
    // Checking every page would take longer than the whole start; damage deeper down is found when it is read.
    const version = catalog.pragma("user_version", { simple: true });
    if (version === 0) return "new";
    if (version !== INDEX_VERSION * 16 + shardCountOf(version)) return null;
    const identity = catalog.pragma("application_id", { simple: true });
    const shards = shardCountOf(version);
    for (let number = 0; number < shards; number++) {
      const shard = shardAt(shardPath({ directory, shards }, number));
      try {
        if (shard.pragma("application_id", { simple: true }) !== identity) return null;
      } finally {
        shard.close();
      }
    }
    return shards;
  } finally {
    catalog.close();
  }
}

/** `user_version` holds the version of the index and the number of its text databases. */
function shardCountOf(version: unknown): number {
  return typeof version === "number" ? version % 16 : 0;
}

function createIndex(directory: string, cores: number): IndexPlace {
  removeIndex(directory);
  const place = { directory, shards: shardsFor(cores) };
  const identity = randomInt(1, MOST_APPLICATION_ID);
  for (let shard = 0; shard < place.shards; shard++) create(shardAt(shardPath(place, shard)), SHARD_SQL, identity, 0);
  // Last, since its version says that the whole index is there.
  create(catalogAt(catalogPath(place)), CATALOG_SQL, identity, INDEX_VERSION * 16 + place.shards);
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
