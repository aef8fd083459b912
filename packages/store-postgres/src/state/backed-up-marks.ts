import { type BackedUpMarks, BackedUpSize } from "@sm/core/state";
import { type SQL, sql } from "drizzle-orm";
import type { Queries } from "../database/database.ts";
import { listOf } from "./marked.ts";
import { storable } from "./user-connection.ts";

const ROWS_AT_ONCE = 500;

/** Table of each kind, and the columns of a mark. */
const KINDS: Record<keyof BackedUpMarks, [table: string, columns: string]> = {
  notes: ["notes", "path, session_id, entry_id, text, updated_at"],
  bookmarks: ["bookmarks", "path, session_id, entry_id, created_at"],
  archived: ["archived_sessions", "path, session_id, archived_at"],
  favorites: ["favorites", "path, session_id"],
  names: ["session_names", "path, session_id, name"],
  tagged: ["session_tags", "path, session_id, tag_id"],
};

/**
 * Reads all marks, those of missing files too, each kind in the order in which they were made.
 *
 * @throws AppError `PAYLOAD_TOO_LARGE` rather than to leave some out.
 */
export async function readMarks(db: Queries): Promise<BackedUpMarks> {
  const marks: BackedUpMarks = { notes: [], bookmarks: [], archived: [], favorites: [], names: [], tagged: [] };
  const size = new BackedUpSize();
  for (const [kind, [table, columns]] of Object.entries(KINDS)) {
    const found: object[] = marks[kind as keyof BackedUpMarks];
    for (let after = "0"; ; ) {
      const { rows } = await db.execute<{ sequence: string }>(
        // With the user, an index finds the session of each mark: whoever sees sessions of others has two policies here.
        sql.raw(`SELECT sequence, ${columns} FROM ${table} t JOIN marked_sessions m ON m.user_id = t.user_id AND key = session_key
          WHERE t.user_id = own_user_id() AND sequence > ${after} ORDER BY sequence LIMIT ${ROWS_AT_ONCE}`),
      );
      for (const { sequence, ...mark } of rows) {
        after = sequence;
        found.push(mark);
        size.add(mark);
      }
      size.refuseTooMany(found.length);
      if (rows.length < ROWS_AT_ONCE) break;
    }
  }
  return marks;
}

/**
 * Adds marks to those that there are: of two notes on the same thing the newer stays, and nothing is removed. Gives the
 * paths that may have got marks.
 */
export async function insertMarks(db: Queries, marks: BackedUpMarks): Promise<string[]> {
  const sessions = new Map<string, string>();
  for (const { path, session_id } of Object.values(marks).flat()) sessions.set(path, session_id);
  // A session that has marks is known better here than in a backup.
  await db.execute(sql`
    INSERT INTO marked_sessions (path, session_id)
    SELECT * FROM unnest(${listOf([...sessions.keys()])}, ${listOf([...sessions.values()])})
    ON CONFLICT (user_id, path) DO NOTHING`);
  await db.execute(sql`
    INSERT INTO notes (session_key, entry_id, text, updated_at)
    SELECT DISTINCT ON (session.key, mark.entry_id) session.key, mark.entry_id, mark.text, mark.updated_at
    ${from(marks.notes, "entry_id", "text", "updated_at")}
    ORDER BY session.key, mark.entry_id, mark.updated_at COLLATE "C" DESC
    ON CONFLICT (user_id, session_key, entry_id) DO UPDATE SET text = excluded.text, updated_at = excluded.updated_at
    WHERE excluded.updated_at COLLATE "C" > notes.updated_at`);
  await db.execute(sql`
    INSERT INTO bookmarks (session_key, entry_id, created_at) SELECT session.key, mark.entry_id, mark.created_at
    ${from(marks.bookmarks, "entry_id", "created_at")} ORDER BY place ON CONFLICT DO NOTHING`);
  await db.execute(sql`
    INSERT INTO archived_sessions (session_key, archived_at) SELECT session.key, mark.archived_at
    ${from(marks.archived, "archived_at")} ORDER BY place ON CONFLICT DO NOTHING`);
  await db.execute(sql`
    INSERT INTO favorites (session_key) SELECT session.key ${from(marks.favorites)} ORDER BY place
    ON CONFLICT DO NOTHING`);
  await db.execute(sql`
    INSERT INTO session_names (session_key, name) SELECT session.key, mark.name
    ${from(marks.names, "name")} ORDER BY place ON CONFLICT DO NOTHING`);
  // Somebody may have deleted a tag since.
  await db.execute(sql`
    INSERT INTO session_tags (session_key, tag_id) SELECT session.key, mark.tag_id
    ${from(marks.tagged, "tag_id")} JOIN tags ON tags.id = mark.tag_id ORDER BY place ON CONFLICT DO NOTHING`);
  return [...sessions.keys()];
}

/** Rows of JSON with these columns, and their sessions. */
function from(rows: readonly object[], ...columns: string[]): SQL {
  const all = ["path", ...columns];
  const json = JSON.stringify(rows, (_key, value: unknown) => (typeof value === "string" ? storable(value) : value));
  return sql`
    FROM ROWS FROM (jsonb_to_recordset(${json}::jsonb) AS (${sql.raw(all.map((name) => `${name} text`).join(", "))}))
      WITH ORDINALITY AS mark (${sql.raw([...all, "place"].join(", "))})
    JOIN marked_sessions AS session ON session.user_id = own_user_id() AND session.path = mark.path`;
}
