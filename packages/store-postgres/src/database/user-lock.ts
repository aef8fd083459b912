import { sql } from "drizzle-orm";
import type { Queries } from "./database.ts";
import { OF_USER } from "./locks.ts";

/** Whether nobody else has this lock of the user; then it is this transaction's until its end. */
export async function isUserLocked(db: Queries, lock: number): Promise<boolean> {
  const { rows } = await db.execute<{ locked: boolean }>(
    sql`SELECT pg_try_advisory_xact_lock(${lock}, ${OF_USER}) AS locked`,
  );
  return rows[0]?.locked === true;
}
