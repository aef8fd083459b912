import { sql } from "drizzle-orm";
import { addChanges, lockChanges, MOST_CHANGES, type SessionChangeRow, skipChange } from "../catalog/changes.ts";
import type { PostgresDatabase, Queries } from "../database/database.ts";

/** How far the changes of each project are noted, by id. */
type Noted = ReadonlyMap<string, number>;

interface Found {
  before: Noted;
  now: Noted;
  /** `null`: all is to be loaded anew. */
  changes: SessionChangeRow[] | null;
}

/**
 * Notes what has happened to sessions that others share with a user among the user's own changes, from which events are
 * made. It is noted once, whichever servers do so at the same time, and only while somebody listens: nobody writes rows
 * of somebody else.
 *
 * @returns ids of the projects that others share with the user.
 */
export async function noteSharedChanges(database: PostgresDatabase, userId: string): Promise<ReadonlySet<string>> {
  const found = await database.readVisible(userId, unnoted);
  const { before, now, changes } = found;
  if (!isSame(before, now)) {
    await database.write(userId, async (db) => {
      await lockChanges(db);
      // Another server was quicker: it has told of it, too.
      if (!isSame(await notedBefore(db), before)) return;
      if (changes === null) await skipChange(db);
      else await addChanges(db, changes, { isOwn: false });
      await db.execute(sql`DELETE FROM noted_projects WHERE user_id = own_user_id()`);
      await db.execute(sql`
        INSERT INTO noted_projects (shared_project_id, version)
        SELECT * FROM unnest(${sql.param([...now.keys()])}::uuid[], ${sql.param([...now.values()])}::bigint[])`);
    });
  }
  return new Set(now.keys());
}

async function unnoted(db: Queries): Promise<Found> {
  const before = await notedBefore(db);
  const { rows } = await db.execute<{ id: string; version: string }>(
    sql`SELECT id, version FROM shared_projects WHERE user_id <> own_user_id()`,
  );
  const now = new Map(rows.map(({ id, version }) => [id, Number(version)]));
  if (isSame(before, now)) return { before, now, changes: [] };
  // Sessions have come or gone of which no change tells.
  const hasOthers = before.size !== now.size || [...now.keys()].some((id) => !before.has(id));
  if (hasOthers) return { before, now, changes: null };
  const missed = [...now].reduce((sum, [id, version]) => sum + version - (before.get(id) ?? 0), 0);
  if (missed > MOST_CHANGES) return { before, now, changes: null };
  const found = await db.execute<{ kind: SessionChangeRow["kind"]; key: string; path: string; is_there: boolean }>(sql`
    SELECT c.kind, c.session_key AS key, c.path,
      EXISTS (SELECT FROM sessions s WHERE s.user_id = c.user_id AND s.path = c.path AND s.removed_at IS NULL) AS is_there
    FROM unnest(${sql.param([...before.keys()])}::uuid[], ${sql.param([...before.values()])}::bigint[]) AS n (id, version)
    JOIN project_changes c ON c.shared_project_id = n.id AND c.version > n.version
    ORDER BY c.at, c.version`);
  if (found.rows.length !== missed) return { before, now, changes: null };
  const changes = found.rows.map(({ kind, key, path, is_there: isThere }): SessionChangeRow => {
    // It has gone on to another project that is shared with the same user, or away from all.
    const become = isThere ? (kind === "removed" ? "changed" : kind) : "removed";
    return { kind: become, key: Number(key), path };
  });
  return { before, now, changes };
}

async function notedBefore(db: Queries): Promise<Noted> {
  const { rows } = await db.execute<{ id: string; version: string }>(
    sql`SELECT shared_project_id AS id, version FROM noted_projects WHERE user_id = own_user_id()`,
  );
  return new Map(rows.map(({ id, version }) => [id, Number(version)]));
}

function isSame(a: Noted, b: Noted): boolean {
  return a.size === b.size && [...a].every(([id, version]) => b.get(id) === version);
}
