import type { ListOptions, SessionSort } from "@sm/core";
import { listCursor, listStart, type MarkedPaths, type Place } from "@sm/core/library-parts";
import { type SQL, sql } from "drizzle-orm";
import { visibleSessions } from "../catalog/visible-sessions.ts";
import type { Queries } from "../database/database.ts";
import { userNamed } from "../state/user-connection.ts";

export interface SessionKeysPage {
  keys: number[];
  nextCursor: string | null;
  total: number;
  /** Bytes of the files of all pages; `null` unless asked for. */
  totalSize: number | null;
}

/** As `titleOfName` in core. */
const TITLE_OF_NAME = sql`left(btrim(regexp_replace(n.name, '\\s+', ' ', 'g')), 200)`;

/** The title of a session: that of the name that its owner has given it apart from its file, if there is one. */
const TITLE = sql`coalesce((
  SELECT nullif(${TITLE_OF_NAME}, '') FROM marked_sessions m
  JOIN session_names n ON n.user_id = m.user_id AND n.session_key = m.key
  WHERE m.user_id = s.user_id AND m.path = s.path AND n.name <> ''
), s.title)`;

/** Of others, a subagent is listed by itself where the session that has started it is not shared. */
const IS_FOLDED = sql`(s.folded AND (s.user_id = own_user_id()
  OR EXISTS (SELECT FROM sessions p WHERE p.user_id = s.user_id AND p.key = s.parent_key)))`;

const SORTED_BY: Record<SessionSort, SQL> = {
  modified: sql`s.modified_at`,
  created: sql`s.created_at`,
  size: sql`s.size`,
  messages: sql`s.message_count`,
  cost: sql`coalesce(s.cost, 0)`,
  title: sql`${TITLE} COLLATE "C"`,
};

/** What is archived, and all that was started from there. */
const ARCHIVED = sql`
  SELECT a.key FROM archived_sessions x JOIN marked_sessions m ON m.key = x.session_key JOIN sessions a ON a.path = m.path
  UNION SELECT c.key FROM archived JOIN sessions c ON c.parent_key = archived.key WHERE c.folded`;

/**
 * Finds a page of a list of sessions.
 *
 * @param marked what tags, favorites and other marks leave over.
 * @throws AppError INVALID_PAYLOAD for a cursor of another list.
 */
export async function listedSessions(db: Queries, options: ListOptions, marked: MarkedPaths): Promise<SessionKeysPage> {
  const { sort, order, limit, with_total_size: isSized = false } = options;
  const start = listStart(options);
  const conditions = sql.join(conditionsOf(options, marked), sql` AND `);
  const value = SORTED_BY[sort];
  const direction = sql.raw(order === "asc" ? "ASC" : "DESC");
  const beyond = start === null ? sql`true` : behind(start, order);
  const { rows } = await db.execute<{ key: string; value: string }>(sql`
    WITH RECURSIVE archived (key) AS (${ARCHIVED}),
      listed AS (SELECT s.key, ${value} AS value FROM ${visibleSessions("*")} AS s WHERE ${conditions})
    SELECT key, value FROM listed WHERE ${beyond} ORDER BY value ${direction}, key LIMIT ${limit + 1}`);
  const { rows: sums } = await db.execute<{ total: string; size: string }>(sql`
    WITH RECURSIVE archived (key) AS (${ARCHIVED})
    SELECT count(*) AS total, coalesce(sum(s.size), 0) AS size FROM ${visibleSessions("*")} AS s WHERE ${conditions}`);
  const page = rows.slice(0, limit).map((row) => ({
    key: Number(row.key),
    value: sort === "title" ? row.value : Number(row.value),
  }));
  const last = page.at(-1);
  const isMore = rows.length > limit && last !== undefined;
  return {
    keys: page.map(({ key }) => key),
    nextCursor: isMore ? listCursor(options, last) : null,
    total: Number(sums[0]?.total ?? 0),
    totalSize: isSized ? Number(sums[0]?.size ?? 0) : null,
  };
}

function conditionsOf(options: ListOptions, { paths, without }: MarkedPaths): SQL[] {
  const {
    project,
    format,
    owner,
    since,
    until,
    subagents,
    parent_path: parent,
    archived = "exclude",
    query = "",
  } = options;
  const conditions = [sql`s.removed_at IS NULL`];
  if (paths !== null) conditions.push(sql`s.path = ANY (${sql.param([...paths])}::text[])`);
  if (without.length > 0) conditions.push(sql`s.path <> ALL (${sql.param([...without])}::text[])`);
  if (project !== undefined) conditions.push(sql`s.project = ${project}`);
  if (format !== undefined) conditions.push(sql`s.format = ${format}`);
  if (owner !== undefined) conditions.push(sql`s.user_id = ${userNamed(owner)}`);
  if (since !== undefined) conditions.push(sql`s.modified_at >= ${Date.parse(since)}`);
  if (until !== undefined) conditions.push(sql`s.modified_at < ${Date.parse(until)}`);
  for (const word of query.split(/\s+/).filter(Boolean)) conditions.push(contains(word));
  if (parent !== undefined) {
    // Whoever asks for the subagents of an archived session sees them.
    conditions.push(sql`s.folded AND s.parent_key IN (SELECT key FROM sessions WHERE path = ${parent})`);
    return conditions;
  }
  if (subagents !== "all") conditions.push(sql`NOT ${IS_FOLDED}`);
  if (archived === "exclude") conditions.push(sql`s.key NOT IN (SELECT key FROM archived)`);
  if (archived === "only") conditions.push(sql`s.key IN (SELECT key FROM archived)`);
  return conditions;
}

/** Whether a word is in what a list shows of a session, in any case. */
function contains(word: string): SQL {
  const pattern = `%${word.replace(/[\\%_]/g, "\\$&")}%`;
  return sql`concat_ws(E'\n', ${TITLE}, s.first_message, s.path, s.project, s.session_id) ILIKE ${pattern}`;
}

function behind({ value, key }: Place, order: "asc" | "desc"): SQL {
  const isBeyond = sql.raw(order === "asc" ? ">" : "<");
  return sql`(value ${isBeyond} ${value} OR (value = ${value} AND key > ${key}))`;
}
