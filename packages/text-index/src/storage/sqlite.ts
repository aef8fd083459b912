/** The part of an SQLite connection that the index uses; implemented by better-sqlite3. */
export interface SqliteDatabase {
  prepare(sql: string): SqliteStatement;
}

/** A prepared statement of such a connection. */
export interface SqliteStatement {
  get(...values: unknown[]): unknown;
  all(...values: unknown[]): unknown[];
  run(...values: unknown[]): { changes: number; lastInsertRowid: number | bigint };
}
