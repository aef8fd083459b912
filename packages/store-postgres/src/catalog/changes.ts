import { sql } from "drizzle-orm";
import type { Queries } from "../database/database.ts";
import { changes } from "./schema.ts";

/**
 * Servers that tell of changes listen to it; a notice has the user and the number of the last change. Of sessions that
 * are shared it says so, with the project, or that something was shared or taken back.
 */
export const CHANGES_CHANNEL = "session_manager_changes";

/** Instead of a user. */
export const PROJECT_CHANGED = "project";
export const SHARING_CHANGED = "sharing";

export interface SessionChangeRow {
  kind: "added" | "changed" | "removed";
  key: number;
  path: string;
  /** The shared project that it was in before, `null` for none; left out where it still is, or is new. */
  movedFrom?: string | null | undefined;
}

/** For how long changes are kept: who has missed older ones reads everything. */
const KEPT_FOR = "1 day";
/** More at once are a list to be loaded anew. */
export const MOST_CHANGES = 1_000;
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
 *
 * @param isOwn whether they are those of the user's own sessions, which others may read.
 */
export async function addChanges(
  db: Queries,
  added: readonly SessionChangeRow[],
  { isOwn = true } = {},
): Promise<void> {
  if (added.length === 0) return;
  const { userId, last } = await numbered(db, added.length);
  const before = last - added.length;
  await db
    .insert(changes)
    .values(added.map(({ kind, key, path }, place) => ({ kind, sessionKey: key, path, sequence: before + place + 1 })));
  if (Math.floor(before / CHANGES_BETWEEN) !== Math.floor(last / CHANGES_BETWEEN)) {
    await db.execute(sql`DELETE FROM changes WHERE at < now() - ${KEPT_FOR}::interval`);
    await db.execute(
      sql`DELETE FROM project_changes WHERE user_id = own_user_id() AND at < now() - ${KEPT_FOR}::interval`,
    );
  }
  await tellServers(db, `${userId} ${last}`);
  if (isOwn) await addProjectChanges(db, added);
}

/** Leaves out a number: whoever follows the changes reads everything anew. */
export async function skipChange(db: Queries): Promise<void> {
  const { userId, last } = await numbered(db, 1);
  await tellServers(db, `${userId} ${last}`);
}

/** With the end of the transaction. */
export async function tellServers(db: Queries, notice: string): Promise<void> {
  await db.execute(sql`SELECT pg_notify(${CHANGES_CHANNEL}, ${notice})`);
}

async function numbered(db: Queries, count: number): Promise<{ userId: string; last: number }> {
  const { rows } = await db.execute<{ user_id: string; last: string }>(sql`
    INSERT INTO change_counters (last) VALUES (${count})
    ON CONFLICT (user_id) DO UPDATE SET last = change_counters.last + excluded.last RETURNING user_id, last`);
  const { user_id: userId = "", last = "0" } = rows[0] ?? {};
  return { userId, last: Number(last) };
}

/** Takes note of what has happened to sessions that are shared, for those who may read them. */
async function addProjectChanges(db: Queries, added: readonly SessionChangeRow[]): Promise<void> {
  const { rows } = await db.execute<{ key: string; project: string }>(sql`
    SELECT key, shared_project_id AS project FROM sessions
    WHERE user_id = own_user_id() AND key = ANY (${sql.param(added.map(({ key }) => key))}::bigint[])
      AND shared_project_id IS NOT NULL`);
  const projects = new Map(rows.map(({ key, project }) => [Number(key), project]));
  const byProject = new Map<string, SessionChangeRow[]>();
  const add = (project: string, change: SessionChangeRow) => {
    byProject.set(project, [...(byProject.get(project) ?? []), change]);
  };
  for (const change of added) {
    const now = projects.get(change.key);
    const { movedFrom } = change;
    if (typeof movedFrom === "string") add(movedFrom, { ...change, kind: "removed" });
    if (now !== undefined) add(now, movedFrom === undefined ? change : { ...change, kind: "added" });
  }
  for (const [project, told] of byProject) {
    const updated = await db.execute<{ version: string }>(sql`
      UPDATE shared_projects SET version = version + ${told.length}
      WHERE user_id = own_user_id() AND id = ${project} RETURNING version`);
    const before = Number(updated.rows[0]?.version ?? 0) - told.length;
    await db.execute(sql`
      INSERT INTO project_changes (shared_project_id, version, kind, session_key, path)
      SELECT ${project}, ${before} + place, kind, key, path
      FROM unnest(${sql.param(told.map(({ kind }) => kind))}::text[], ${sql.param(told.map(({ key }) => key))}::bigint[],
        ${sql.param(told.map(({ path }) => path))}::text[]) WITH ORDINALITY AS told (kind, key, path, place)`);
    await tellServers(db, `${PROJECT_CHANGED} ${project}`);
  }
}
