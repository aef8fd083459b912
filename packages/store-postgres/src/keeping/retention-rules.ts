import { type SQL, sql } from "drizzle-orm";
import { trimmedFolder } from "../catalog/project-place.ts";
import type { Queries } from "../database/database.ts";
import { storable } from "../state/user-connection.ts";

/** For how long sessions are kept that nobody goes on with. */
export interface RetentionRule {
  /** A working directory, with those below it; `null`: all others. */
  project: string | null;
  /** `null`: for ever. */
  days: number | null;
  /** Whether favorites, and sessions with notes or bookmarks, go too. */
  include_marked: boolean;
}

/** The user's own rules, the one for all first. */
export async function retentionRules(db: Queries): Promise<RetentionRule[]> {
  const { rows } = await db.execute<{ project: string | null; days: number | null; include_marked: boolean }>(sql`
    SELECT project, days, includes_marked AS include_marked FROM retention_rules
    WHERE user_id = own_user_id() ORDER BY project NULLS FIRST`);
  return rows;
}

/** Of whoever has no rule for all; `null`: for ever. */
export async function defaultRetention(db: Queries): Promise<number | null> {
  const { rows } = await db.execute<{ days: number | null }>(sql`SELECT retention_days AS days FROM hub`);
  return rows[0]?.days ?? null;
}

export async function putRetentionRule(db: Queries, rule: RetentionRule): Promise<void> {
  const project = rule.project === null ? null : trimmedFolder(storable(rule.project));
  await db.execute(sql`
    INSERT INTO retention_rules (project, days, includes_marked) VALUES (${project}, ${rule.days}, ${rule.include_marked})
    ON CONFLICT (user_id, project) DO UPDATE SET days = excluded.days, includes_marked = excluded.includes_marked`);
}

/** @returns whether there was one. */
export async function dropRetentionRule(db: Queries, project: string | null): Promise<boolean> {
  const { rowCount } = await db.execute(sql`
    DELETE FROM retention_rules
    WHERE user_id = own_user_id() AND project IS NOT DISTINCT FROM ${project === null ? null : trimmedFolder(storable(project))}`);
  return (rowCount ?? 0) > 0;
}

/** A session that is over, with those that are listed below it. */
export interface DueSession {
  /** Keys of its file, and of those below it. */
  fileKey: number;
  fileKeys: number[];
  path: string;
  title: string;
  project: string | null;
  modifiedAt: number;
  /** Of all of them. */
  bytes: number;
}

const DAY_MS = 86_400_000;

/**
 * The sessions of a user whose time is over, the oldest first. Those that are listed below another one go with it, after
 * the newest of them; a mark on one of them keeps all.
 *
 * @param rules relation with the columns of `retention_rules`.
 */
export async function dueSessions(db: Queries, rules: SQL, most: number): Promise<DueSession[]> {
  const { rows } = await db.execute<{
    file_key: string;
    file_keys: string[];
    path: string;
    title: string;
    project: string | null;
    at: string;
    bytes: string;
  }>(sql`
    WITH RECURSIVE rules (project, days, includes_marked) AS MATERIALIZED (${rules}),
    own AS MATERIALIZED (
      SELECT s.key, s.file_key, s.path, s.title, s.project, s.size, s.folded, s.parent_key,
        -- A clock that is ahead keeps nothing for ever.
        least(s.modified_at, (extract(epoch FROM g.kept_at) * 1000)::bigint) AS at
      FROM sessions s JOIN session_files f ON f.user_id = s.user_id AND f.key = s.file_key
      JOIN generations g ON g.user_id = s.user_id AND g.key = s.generation_key
      WHERE s.user_id = own_user_id() AND s.removed_at IS NULL AND f.deleted_at IS NULL
        AND EXISTS (SELECT 1 FROM rules WHERE days IS NOT NULL)
    ),
    family (top, key) AS (
      SELECT key, key FROM own WHERE NOT folded OR parent_key IS NULL OR parent_key NOT IN (SELECT key FROM own)
      UNION SELECT top, own.key FROM family JOIN own ON own.parent_key = family.key AND own.folded
    ),
    marked AS MATERIALIZED (
      SELECT m.path FROM marked_sessions m WHERE m.user_id = own_user_id() AND m.key IN (
        SELECT session_key FROM favorites WHERE user_id = own_user_id()
        UNION ALL SELECT session_key FROM notes WHERE user_id = own_user_id()
        UNION ALL SELECT session_key FROM bookmarks WHERE user_id = own_user_id())
    ),
    whole AS (
      SELECT top, array_agg(file_key ORDER BY file_key) AS file_keys, max(at) AS at, sum(size) AS bytes,
        bool_or(path IN (SELECT path FROM marked)) AS is_marked
      FROM family JOIN own USING (key) GROUP BY top
    )
    SELECT t.file_key, w.file_keys, t.path, t.title, t.project, w.at, w.bytes
    FROM whole w JOIN own t ON t.key = w.top
    CROSS JOIN LATERAL (
      SELECT days, includes_marked FROM rules r
      WHERE r.project IS NULL OR t.project = r.project OR starts_with(t.project, rtrim(r.project, '/') || '/')
        OR starts_with(t.project, r.project || '\\')
      ORDER BY length(r.project) DESC NULLS LAST LIMIT 1
    ) AS rule
    WHERE w.at < extract(epoch FROM now()) * 1000 - rule.days::bigint * ${DAY_MS}::bigint
      AND (rule.includes_marked OR NOT w.is_marked)
    ORDER BY w.at LIMIT ${most}`);
  return rows.map(({ file_key, file_keys, at, bytes, ...session }) => ({
    ...session,
    fileKey: Number(file_key),
    fileKeys: file_keys.map(Number),
    modifiedAt: Number(at),
    bytes: Number(bytes),
  }));
}

/** The user's rules, and that of the hub where they have none for all. */
export const RULES_IN_FORCE: SQL = sql`
  SELECT project, days, includes_marked FROM retention_rules WHERE user_id = own_user_id()
  UNION ALL SELECT NULL, retention_days, false FROM hub
  WHERE NOT EXISTS (SELECT 1 FROM retention_rules WHERE user_id = own_user_id() AND project IS NULL)`;
