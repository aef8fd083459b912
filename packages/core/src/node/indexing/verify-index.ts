import { IndexError } from "@sm/text-index/storage";
import { openCatalog, openShard } from "../catalog/index-databases.ts";
import { SHARD_TABLES, VERIFY_CATALOG_SQL, VERIFY_SHARD_SQL } from "../catalog/index-schema.ts";
import type { IndexPlace } from "../storage/index-place.ts";
import type { SqliteDatabase } from "../storage/sqlite.ts";
import { cacheShare } from "../threads/cache-budget.ts";

/** Nobody locks out readers; where a damaged log does, the thread must be through before a stop would end it. */
const WAIT_MS = 1_000;

/**
 * Looks for damage that nobody meets who reads a row by its key, since only that row is verified then: in the order of
 * tables and their indexes, which hides rows or puts them elsewhere, and in what SQLite alone compares and adds up.
 *
 * Of text databases the postings are left out, nearly all of their bytes: a segment says how many chunks it has, and
 * each is verified with its number.
 *
 * @throws IndexError, or SqliteError, see `isCorrupt`.
 */
export function verifyIndex(place: IndexPlace): void {
  const caches = cacheShare("verification", place.shards);
  verifyDatabase(
    openCatalog(place, true, { waitMs: WAIT_MS, cacheBytes: caches.catalog }),
    ["integrity_check(1)"],
    VERIFY_CATALOG_SQL,
  );
  const checks = ["sqlite_schema", ...SHARD_TABLES].map((table) => `integrity_check(${table})`);
  for (let shard = 0; shard < place.shards; shard++) {
    verifyDatabase(
      openShard(place, shard, true, { waitMs: WAIT_MS, cacheBytes: caches.shard }),
      checks,
      VERIFY_SHARD_SQL,
    );
  }
}

function verifyDatabase(database: SqliteDatabase, checks: readonly string[], statements: readonly string[]): void {
  try {
    for (const check of checks) {
      const said = database.pragma(check, { simple: true });
      if (said !== "ok") throw new IndexError("damaged", `SQLite found damage in the index: ${said}`);
    }
    for (const statement of statements) database.prepare(statement).get();
  } finally {
    database.close();
  }
}
