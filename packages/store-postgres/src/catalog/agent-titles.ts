import { formatNamed, type SessionFormatName } from "@sm/core";
import { sql } from "drizzle-orm";
import type { Queries } from "../database/database.ts";
import { requestSessions } from "../files/index-requests.ts";
import { storable } from "../state/user-connection.ts";
import { retitle } from "./told-titles.ts";

/** Takes note of how its agent calls a session, where that is not in its file; the catalog follows. */
export async function noteAgentTitle(
  db: Queries,
  { machineId, path }: { machineId: string; path: string },
  title: string,
): Promise<void> {
  const { rows } = await db.execute<{ key: string; owner_path: null }>(sql`
    INSERT INTO agent_titles (file_key, title) SELECT key, ${storable(title)} FROM session_files
    WHERE user_id = own_user_id() AND machine_id = ${machineId} AND path = ${storable(path)} AND owner_path IS NULL
    ON CONFLICT (user_id, file_key) DO UPDATE SET title = excluded.title
    RETURNING file_key AS key, NULL AS owner_path`);
  await requestSessions(db, rows);
}

interface FileToTitle {
  fileKey: number;
  isDeleted: boolean;
  format: SessionFormatName;
}

/**
 * Gives sessions the titles that their agents keep elsewhere, at the end of a transaction that has read their files.
 * With a session goes what its agent calls it.
 *
 * @returns keys of the sessions with another title than before.
 */
export async function settleAgentTitles(db: Queries, files: readonly FileToTitle[]): Promise<number[]> {
  const titled = files.filter(({ format }) => formatNamed(format).agent.titleIndex !== undefined);
  const keysOf = (some: readonly FileToTitle[]) => sql`${sql.param(some.map(({ fileKey }) => fileKey))}::bigint[]`;
  const gone = titled.filter(({ isDeleted }) => isDeleted);
  if (gone.length > 0) {
    await db.execute(sql`DELETE FROM agent_titles WHERE user_id = own_user_id() AND file_key = ANY (${keysOf(gone)})`);
  }
  if (gone.length === titled.length) return [];
  const { rows } = await db.execute<{ key: string; title: string }>(sql`
    SELECT s.key, t.title FROM agent_titles t JOIN sessions s ON s.user_id = t.user_id AND s.file_key = t.file_key
    WHERE t.user_id = own_user_id() AND t.file_key = ANY (${keysOf(titled)})`);
  const changed: number[] = [];
  for (const { key, title } of rows) if (await retitle(db, Number(key), title)) changed.push(Number(key));
  return changed;
}
