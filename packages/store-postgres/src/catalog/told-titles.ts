import { decodeSummary, encodeSummary, type SessionToTitle, titleOf } from "@sm/core/remote";
import { and, desc, eq, gt, inArray, lt, sql } from "drizzle-orm";
import type { Queries } from "../database/database.ts";
import { storable } from "../state/user-connection.ts";
import { folderOf } from "./hub-path.ts";
import { column } from "./rows.ts";
import { sessions } from "./schema.ts";
import type { WrittenSession } from "./session-rows.ts";

/** Sessions of one folder, the newest, that are looked at for one that has an entry. */
const MAX_IN_FOLDER = 1_000;
/** Longer IDs of entries are no agent's. */
const MOST_ENTRY_BYTES = 200;
/** Titles are told of entries that are there: what is appended to a longer session is not compared. */
const SETTLED_ENTRIES = 1_024;

/** Finds titles in outlines, see `RemoteTasks` in core. */
export type FindTitles = (sessions: SessionToTitle[]) => Promise<readonly { key: number; title: string }[]>;

/**
 * Gives sessions the titles that others in their folder tell, at the end of a transaction that has written some. A title
 * stays when the session that tells it goes.
 *
 * @returns keys of the sessions with another title than before.
 */
export async function settleTitles(
  db: Queries,
  written: readonly WrittenSession[],
  findTitles: FindTitles,
): Promise<number[]> {
  const telling = written.filter(({ otherTitles }) => otherTitles.length > 0);
  await put(db, telling);
  const concerned = new Set(telling.map(({ path }) => folderOf(path)));
  const untitled = written.filter(
    ({ isUntitled, isElsewhere, entryCount }) => isUntitled && (isElsewhere || entryCount < SETTLED_ENTRIES),
  );
  const told = await titlesIn(db, new Set([...concerned, ...untitled.map(({ path }) => folderOf(path))]));
  if (told.size === 0) return [];
  const keys = new Map(untitled.map(({ key, path }) => [key, folderOf(path)]));
  for (const folder of concerned) for (const key of await keysIn(db, folder)) keys.set(key, folder);
  const toLookAt = [...keys].flatMap(([key, folder]) => {
    const titles = told.get(folder);
    return titles === undefined ? [] : [{ key, titles }];
  });
  const found = toLookAt.length === 0 ? [] : await findTitles(toLookAt);
  const changed: number[] = [];
  for (const { key, title } of found) if (await retitle(db, key, title)) changed.push(key);
  return changed;
}

async function put(db: Queries, telling: readonly WrittenSession[]): Promise<void> {
  const all = telling.flatMap(({ key, path, otherTitles }) => {
    const folder = folderOf(path);
    return otherTitles.map(({ entryId, title }) => ({ key, folder, entry: storable(entryId), title: storable(title) }));
  });
  // Of several for one entry the last one.
  const rows = [...new Map(all.map((row) => [`${row.key} ${row.entry}`, row])).values()].filter(
    ({ entry }) => Buffer.byteLength(entry) <= MOST_ENTRY_BYTES,
  );
  if (rows.length === 0) return;
  await db.execute(sql`
    INSERT INTO told_titles (session_key, folder, entry, title)
    SELECT * FROM unnest(${column(rows, "key")}::bigint[], ${column(rows, "folder")}::text[],
      ${column(rows, "entry")}::text[], ${column(rows, "title")}::text[])
    ON CONFLICT (user_id, session_key, entry) DO UPDATE SET title = excluded.title`);
}

/** By folder, that of the session that was created last comes last. */
async function titlesIn(db: Queries, folders: ReadonlySet<string>): Promise<Map<string, SessionToTitle["titles"]>> {
  const told = new Map<string, { entryId: string; title: string }[]>();
  if (folders.size === 0) return told;
  const { rows } = await db.execute<{ folder: string; entry: string; title: string }>(sql`
    SELECT folder, entry, told_titles.title FROM told_titles JOIN sessions ON sessions.key = session_key
    WHERE folder = ANY (${sql.param([...folders])}::text[]) ORDER BY created_at, path`);
  for (const { folder, entry, title } of rows) {
    const titles = told.get(folder) ?? [];
    titles.push({ entryId: entry, title });
    told.set(folder, titles);
  }
  return told;
}

async function keysIn(db: Queries, folder: string): Promise<number[]> {
  const { key, path, format } = sessions;
  const isBelow = and(gt(path, folder), lt(path, `${folder}\u{10ffff}`), eq(format, "claude-code"));
  const rows = await db.select({ key, path }).from(sessions).where(isBelow).orderBy(desc(key)).limit(MAX_IN_FOLDER);
  return rows.filter((row) => folderOf(row.path) === folder).map((row) => row.key);
}

/** Gives a session a title from elsewhere, unless it has one of its own. @returns whether it had another one. */
export async function retitle(db: Queries, key: number, title: string): Promise<boolean> {
  const { path, summary, sessionId, format, project } = sessions;
  const [row] = await db
    .select({ path, summary, sessionId, format, project })
    .from(sessions)
    .where(inArray(sessions.key, [key]));
  if (row === undefined) return false;
  const told = decodeSummary(row);
  if ((told.state.header?.title ?? null) !== null || told.state.told_title === title) return false;
  told.state.told_title = title;
  await db
    .update(sessions)
    .set({ summary: encodeSummary(told), title: storable(titleOf(told.state, row.path)) })
    .where(eq(sessions.key, key));
  return true;
}
