import { AppError } from "@sm/core";
import type pg from "pg";

/** One step of the schema. A released step is never edited: a change is a new step. */
export interface Migration {
  /** The version that the database has afterwards; the first is 1. */
  version: number;
  /** Programs that know the steps up to this one work with it too: servers are replaced one after the other. */
  worksWith: number;
  sql: string;
}

/** Servers hear on it that another one has taken a step. */
export const SCHEMA_CHANNEL = "session_manager_schema";

/** Any number that no other program locks. */
const LOCK = 5_213_100_001;

/**
 * Takes the steps that are still to be taken, each all or nothing. Of several servers that start together one takes
 * them, and the others wait; readers are not stopped.
 *
 * @throws AppError `UNAVAILABLE` where a newer program has taken a step that this one does not work with.
 */
export async function migrate(pool: pg.Pool, migrations: readonly Migration[]): Promise<void> {
  const client = await pool.connect();
  try {
    await client.query("SELECT pg_advisory_lock($1)", [LOCK]);
    await client.query(
      "CREATE TABLE IF NOT EXISTS schema_steps (version integer PRIMARY KEY, works_with integer NOT NULL, taken_at timestamptz)",
    );
    const taken = await refuseNewer(client, migrations);
    for (const step of migrations) {
      if (step.version > taken) await take(client, step);
    }
  } finally {
    await client.query("SELECT pg_advisory_unlock($1)", [LOCK]).then(
      () => client.release(),
      // The lock ends with the connection.
      (error: Error) => client.release(error),
    );
  }
}

/**
 * Gives the last step that was taken.
 *
 * @throws AppError `UNAVAILABLE` where it is one that a program with these steps does not work with.
 */
export async function refuseNewer(db: Pick<pg.ClientBase, "query">, migrations: readonly Migration[]): Promise<number> {
  const { rows } = await db.query<{ version: number | null; works_with: number | null }>(
    "SELECT max(version) AS version, max(works_with) AS works_with FROM schema_steps",
  );
  if ((rows[0]?.works_with ?? 0) > (migrations.at(-1)?.version ?? 0)) {
    throw new AppError("UNAVAILABLE", "The database belongs to a newer version of the program; update this one.");
  }
  return rows[0]?.version ?? 0;
}

async function take(client: pg.PoolClient, { version, worksWith, sql }: Migration): Promise<void> {
  try {
    await client.query("BEGIN");
    await client.query(sql);
    await client.query("INSERT INTO schema_steps VALUES ($1, $2, now())", [version, worksWith]);
    await client.query("SELECT pg_notify($1, '')", [SCHEMA_CHANNEL]);
    await client.query("COMMIT");
  } catch (error) {
    await client.query("ROLLBACK");
    throw error;
  }
}
