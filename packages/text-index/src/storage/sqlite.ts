/** What the index asks of a connection to SQLite; one of better-sqlite3 has it. */
export interface SqliteDatabase {
  prepare(sql: string): SqliteStatement;
}

/** A prepared statement of such a connection. */
export interface SqliteStatement {
  get(...values: unknown[]): unknown;
  all(...values: unknown[]): unknown[];
  run(...values: unknown[]): { changes: number; lastInsertRowid: number | bigint };
}
