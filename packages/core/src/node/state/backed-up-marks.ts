import { setImmediate as turn } from "node:timers/promises";
import { type SQL, sql } from "drizzle-orm";
import { BackedUpSize } from "./backed-up-size.ts";
import type { Queries, StateConnection } from "./connection.ts";
import type { BackedUpMarks } from "./ports.ts";

/** A millisecond or two. */
const ROWS_AT_ONCE = 500;

/** Table of each kind, and the columns of a mark. */
const KINDS: Record<keyof BackedUpMarks, [table: string, columns: string]> = {
  notes: ["notes", "path, session_id, nullif(entry_id, '') AS entry_id, text, updated_at"],
  bookmarks: ["bookmarks", "path, session_id, entry_id, created_at"],
  archived: ["archived_sessions", "path, session_id, archived_at"],
  favorites: ["favorites", "path, session_id"],
  names: ["session_names", "path, session_id, name"],
  tagged: ["session_tags", "path, session_id, tag_id"],
};

/**
 * Reads all marks, those of missing files too, each kind in the order in which they were made. Others have their turn in
 * between.
 *
 * @throws AppError `PAYLOAD_TOO_LARGE` rather than to leave some out.
 */
export async function readMarks(connection: StateConnection): Promise<BackedUpMarks> {
  const marks: BackedUpMarks = { notes: [], bookmarks: [], archived: [], favorites: [], names: [], tagged: [] };
  const size = new BackedUpSize();
  for (const [kind, [table, columns]] of Object.entries(KINDS)) {
    const some = connection.read(() =>
      connection.client.prepare<[after: number, most: number], { position: number }>(
        `SELECT mark.rowid AS position, ${columns}
          FROM ${table} AS mark JOIN marked_sessions ON marked_sessions.key = mark.session_key
          WHERE mark.rowid > ? ORDER BY mark.rowid LIMIT ?`,
      ),
    );
    const found: object[] = marks[kind as keyof BackedUpMarks];
    for (let after = -1; ; ) {
      const rows = connection.read(() => some.all(after, ROWS_AT_ONCE));
      for (const { position, ...mark } of rows) {
        after = position;
        found.push(mark);
        size.add(mark);
      }
      size.refuseTooMany(found.length);
      if (rows.length < ROWS_AT_ONCE) break;
      await turn();
    }
  }
  return marks;
}

/**
 * Adds marks to those that there are: of two notes on the same thing the newer stays, and nothing is removed. Gives the
 * paths that may have got marks.
 */
export function insertMarks(db: Queries, marks: BackedUpMarks): string[] {
  const sessions = new Map<string, string>();
  for (const { path, session_id } of Object.values(marks).flat()) sessions.set(path, session_id);
  // A session that has marks is known better here than in a backup.
  db.run(sql`
    INSERT INTO marked_sessions (path, session_id) SELECT value ->> 0, value ->> 1
    FROM json_each(${JSON.stringify([...sessions])}) WHERE true ON CONFLICT (path) DO NOTHING`);
  db.run(sql`
    INSERT INTO notes (session_key, entry_id, text, updated_at)
    SELECT session.key, coalesce(value ->> 'entry_id', ''), value ->> 'text', value ->> 'updated_at'
    ${from(marks.notes)}
    ON CONFLICT (session_key, entry_id) DO UPDATE SET text = excluded.text, updated_at = excluded.updated_at
    WHERE excluded.updated_at > notes.updated_at`);
  db.run(sql`
    INSERT OR IGNORE INTO bookmarks (session_key, entry_id, created_at)
    SELECT session.key, value ->> 'entry_id', value ->> 'created_at' ${from(marks.bookmarks)}`);
  db.run(sql`
    INSERT OR IGNORE INTO archived_sessions (session_key, archived_at)
    SELECT session.key, value ->> 'archived_at' ${from(marks.archived)}`);
  db.run(sql`INSERT OR IGNORE INTO favorites (session_key) SELECT session.key ${from(marks.favorites)}`);
  db.run(sql`
    INSERT OR IGNORE INTO session_names (session_key, name)
    SELECT session.key, value ->> 'name' ${from(marks.names)}`);
  // Another process may have deleted a tag since.
  const isThere = sql`EXISTS (SELECT 1 FROM tags WHERE tags.id = value ->> 'tag_id')`;
  db.run(sql`
    INSERT OR IGNORE INTO session_tags (session_key, tag_id)
    SELECT session.key, value ->> 'tag_id' ${from(marks.tagged, isThere)}`);
  return [...sessions.keys()];
}

/** Rows of JSON with their sessions, in order. */
function from(rows: readonly object[], condition = sql`true`): SQL {
  return sql`
    FROM json_each(${JSON.stringify(rows)}) AS mark JOIN marked_sessions AS session ON session.path = value ->> 'path'
    WHERE ${condition} ORDER BY mark.key`;
}
