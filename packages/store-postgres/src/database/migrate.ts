import { setTimeout as delay } from "node:timers/promises";
import { AppError } from "@sm/core";
import type pg from "pg";
import { LOCKS } from "./locks.ts";

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

/**
 * Takes the steps that are still to be taken, each all or nothing. Of several servers that start together one takes
 * them, and the others wait; readers are not stopped.
 *
 * @throws AppError `UNAVAILABLE` where a newer program has taken a step that this one does not work with.
 */
export async function migrate(pool: pg.Pool, migrations: readonly Migration[]): Promise<void> {
  const client = await pool.connect();
  try {
    await client.query("SELECT pg_advisory_lock($1)", [LOCKS.steps]);
    await client.query(
      "CREATE TABLE IF NOT EXISTS schema_steps (version integer PRIMARY KEY, works_with integer NOT NULL, taken_at timestamptz)",
    );
    const taken = await refuseNewer(client, migrations);
    for (const step of migrations) {
      if (step.version > taken) await take(client, step);
    }
  } finally {
    await client.query("SELECT pg_advisory_unlock($1)", [LOCKS.steps]).then(
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

/**
 * How long a step waits for a table, at its first try and at most. Whoever comes after it waits with it, and servers that
 * work meanwhile take the same tables in another order: it gives up before PostgreSQL ends one of them for that.
 */
const FIRST_LOCK_MS = 100;
const LONGEST_LOCK_MS = 900;
const MOST_TRIES = 200;
/** PostgreSQL's codes for a lock that was not to be had, and for two that wait for each other. */
const IN_THE_WAY: ReadonlySet<unknown> = new Set(["55P03", "40P01"]);

async function take(client: pg.PoolClient, step: Migration): Promise<void> {
  for (let tries = 1, lockMs = FIRST_LOCK_MS; ; tries++, lockMs = Math.min(2 * lockMs, LONGEST_LOCK_MS)) {
    try {
      return await takeNow(client, step, lockMs);
    } catch (error) {
      const isInTheWay = error instanceof Error && "code" in error && IN_THE_WAY.has(error.code);
      if (!isInTheWay || tries === MOST_TRIES) throw error;
    }
    // Others have their turn.
    await delay(lockMs * (1 + Math.random()));
  }
}

async function takeNow(client: pg.PoolClient, { version, worksWith, sql }: Migration, lockMs: number): Promise<void> {
  try {
    await client.query(`BEGIN; SET LOCAL lock_timeout = ${lockMs}`);
    await client.query(sql);
    await client.query("INSERT INTO schema_steps VALUES ($1, $2, now())", [version, worksWith]);
    await client.query("SELECT pg_notify($1, '')", [SCHEMA_CHANNEL]);
    await client.query("COMMIT");
  } catch (error) {
    await client.query("ROLLBACK");
    throw error;
  }
}
