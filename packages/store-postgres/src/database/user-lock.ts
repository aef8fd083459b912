import { sql } from "drizzle-orm";
import type { PostgresDatabase, Queries } from "./database.ts";
import { OF_USER } from "./locks.ts";

/** Whether nobody else has this lock of the user; then it is this transaction's until its end. */
export async function isUserLocked(db: Queries, lock: number): Promise<boolean> {
  // Without parameters: with some, PostgreSQL keeps the statement's snapshot until the next one, see whileUserLocked.
  const number = sql.raw(String(lock));
  const { rows } = await db.execute<{ locked: boolean }>(
    sql`SELECT pg_try_advisory_xact_lock(${number}, ${OF_USER}) AS locked`,
  );
  return rows[0]?.locked === true;
}

/**
 * Does something while nobody else has this lock of the user; `null` where somebody has it. The transaction that holds it
 * is idle meanwhile and has no snapshot: a vacuum frees what others have removed.
 */
export function whileUserLocked<T>(
  database: PostgresDatabase,
  userId: string,
  lock: number,
  action: () => Promise<T>,
): Promise<T | null> {
  return database.write(userId, async (db) => ((await isUserLocked(db, lock)) ? action() : null));
}
