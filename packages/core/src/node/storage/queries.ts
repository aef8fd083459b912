import { BetterSQLiteSession } from "drizzle-orm/better-sqlite3/session";
import { BaseSQLiteDatabase, SQLiteSyncDialect } from "drizzle-orm/sqlite-core";
import type { SqliteDatabase, SqliteRunResult } from "./sqlite.ts";

/** Builds and runs queries of one connection. */
export type QueryBuilder = BaseSQLiteDatabase<"sync", SqliteRunResult>;

/**
 * Puts Drizzle on a connection. Its own `drizzle()` does the same, but imports SQLite with the module, and
 * `@sm/core/node` has to load where SQLite is not installed.
 */
export function queriesOn(client: SqliteDatabase): QueryBuilder {
  const dialect = new SQLiteSyncDialect();
  return new BaseSQLiteDatabase("sync", dialect, new BetterSQLiteSession(client, dialect, undefined), undefined);
}
