import type { SessionIdentity } from "@sm/core/state";
import { type SQL, sql } from "drizzle-orm";
import type { Queries } from "../database/database.ts";
import { markedSessions } from "./schema.ts";
import { storable } from "./user-connection.ts";

/** A list as one parameter: PostgreSQL takes 65,535 of them. */
export function listOf(values: readonly string[]): SQL {
  return sql`${sql.param(values.map(storable))}::text[]`;
}

export function numbersOf(values: readonly number[]): SQL {
  return sql`${sql.param([...values])}::bigint[]`;
}

export function isPathOf(paths: readonly string[]): SQL {
  return sql`${markedSessions.path} = ANY (${listOf(paths)})`;
}

/** Makes sure that marks of these sessions can be kept. */
export async function markSessions(db: Queries, sessions: readonly SessionIdentity[]): Promise<void> {
  const last = new Map(sessions.map(({ path, id }) => [path, id]));
  await db.execute(sql`
    INSERT INTO marked_sessions (path, session_id)
    SELECT * FROM unnest(${listOf([...last.keys()])}, ${listOf([...last.values()])})
    ON CONFLICT (user_id, path) DO UPDATE SET session_id = excluded.session_id`);
}

/** Gives the key under which marks of a session are kept. */
export async function markSession(db: Queries, { path, id }: SessionIdentity): Promise<number> {
  const found = await db.execute<{ key: string }>(sql`
    INSERT INTO marked_sessions (path, session_id) VALUES (${storable(path)}, ${storable(id)})
    ON CONFLICT (user_id, path) DO UPDATE SET session_id = excluded.session_id RETURNING key`);
  return Number(found.rows[0]?.key);
}

/** Forgets those of these sessions that have lost their last mark. */
export async function forgetUnmarked(db: Queries, keys: readonly number[]): Promise<void> {
  if (keys.length === 0) return;
  await db.execute(sql`
    DELETE FROM marked_sessions WHERE key = ANY (${numbersOf(keys)})
    AND NOT EXISTS (SELECT 1 FROM session_tags WHERE session_key = marked_sessions.key)
    AND NOT EXISTS (SELECT 1 FROM session_names WHERE session_key = marked_sessions.key)
    AND NOT EXISTS (SELECT 1 FROM bookmarks WHERE session_key = marked_sessions.key)
    AND NOT EXISTS (SELECT 1 FROM notes WHERE session_key = marked_sessions.key)
    AND NOT EXISTS (SELECT 1 FROM archived_sessions WHERE session_key = marked_sessions.key)
    AND NOT EXISTS (SELECT 1 FROM favorites WHERE session_key = marked_sessions.key)`);
}
