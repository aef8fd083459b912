import { sql } from "drizzle-orm";
import type { Queries } from "../database/database.ts";
import { changes } from "./schema.ts";

/** Servers that tell of changes listen to it; a notice has the user and the number of the last change. */
export const CHANGES_CHANNEL = "session_manager_changes";

export interface SessionChangeRow {
  kind: "added" | "changed" | "removed";
  key: number;
  path: string;
}

/** For how long changes are kept: who has missed older ones reads everything. */
const KEPT_FOR = "1 day";
/** So seldom old ones are removed. */
const CHANGES_BETWEEN = 1_024;

/** Waits until no other transaction of the user tells of changes: what these have done is seen from then on. */
export async function lockChanges(db: Queries): Promise<void> {
  await db.execute(sql`
    INSERT INTO change_counters (last) VALUES (0)
    ON CONFLICT (user_id) DO UPDATE SET last = change_counters.last`);
}

/**
 * Takes note of changes, which others read in the order of their numbers. To be called at the end of a transaction: from
 * then on, no other one of the user takes note of changes.
 */
export async function addChanges(db: Queries, added: readonly SessionChangeRow[]): Promise<void> {
  if (added.length === 0) return;
  const { rows } = await db.execute<{ user_id: string; last: string }>(sql`
    INSERT INTO change_counters (last) VALUES (${added.length})
    ON CONFLICT (user_id) DO UPDATE SET last = change_counters.last + excluded.last RETURNING user_id, last`);
  const { user_id: userId = "", last: text = "0" } = rows[0] ?? {};
  const last = Number(text);
  const before = last - added.length;
  await db
    .insert(changes)
    .values(added.map(({ kind, key, path }, place) => ({ kind, sessionKey: key, path, sequence: before + place + 1 })));
  if (Math.floor(before / CHANGES_BETWEEN) !== Math.floor(last / CHANGES_BETWEEN)) {
    await db.execute(sql`DELETE FROM changes WHERE at < now() - ${KEPT_FOR}::interval`);
  }
  await db.execute(sql`SELECT pg_notify(${CHANGES_CHANNEL}, ${`${userId} ${last}`})`);
}
