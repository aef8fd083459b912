import type { ChangeKind, SessionChange } from "../../hub/batch.ts";
import type { SendingDatabase } from "./sending-database.ts";
import type { SaidOfSession } from "./sending-tasks.ts";
import { companionRows, rowOf } from "./sent-file.ts";

// For each path, kind and key there is one row: the latest that was said. How often it changed before does not matter.

type SaidRow = Pick<SessionChange, "kind" | "key" | "value" | "at">;

/** Those that can be sent now: of kinds that the hub takes, and titles of sessions of which it has something. */
const WAITING = `is_taken = 0 AND kind IN (SELECT value FROM json_each(?))
  AND (kind <> 'title' OR EXISTS (SELECT 1 FROM files WHERE files.path = changes.path AND taken > 0))`;

/** Those that the hub does not have, moves first: what is said afterwards is said of the new path. */
export function waitingChanges(database: SendingDatabase, kinds: readonly string[], most: number): SessionChange[] {
  return database.rows<SessionChange>(
    `SELECT path, session_id, kind, key, value, at FROM changes WHERE ${WAITING} ORDER BY kind = 'moved' DESC, at LIMIT ?`,
    JSON.stringify(kinds),
    most,
  );
}

export function waitingCount(database: SendingDatabase, kinds: readonly string[]): number {
  const sql = `SELECT count(*) AS count FROM changes WHERE ${WAITING}`;
  return database.row<{ count: number }>(sql, JSON.stringify(kinds))?.count ?? 0;
}

/** Takes note of all that is said of a session. @returns whether anything of it is new. */
export function noteSaid(database: SendingDatabase, { path, sessionId, said }: SaidOfSession, now: string): boolean {
  const before = database.rows<SaidRow>(
    "SELECT kind, key, value, at FROM changes WHERE path = ? AND kind NOT IN ('deleted', 'moved', 'title')",
    path,
  );
  const known = new Map(before.map((row) => [nameOf(row), row]));
  const current = new Set(said.map(nameOf));
  const gone = before.filter((row) => row.value !== null && !current.has(nameOf(row)));
  const changed = [...said, ...gone.map(({ kind, key }) => ({ kind, key, value: null }))].filter(
    (one) => known.get(nameOf(one))?.value !== one.value,
  );
  for (const one of changed) put(database, { ...one, path, session_id: sessionId, at: now });
  return changed.length > 0;
}

/** Takes note of how its agent calls a session. An agent that does not say it any more takes nothing back, as at home. */
export function noteTitle(database: SendingDatabase, { path, id }: { path: string; id: string }, title: string): void {
  const before = database.row<{ value: string | null }>(
    "SELECT value FROM changes WHERE path = ? AND kind = 'title'",
    path,
  );
  if (before?.value === title) return;
  const at = new Date().toISOString();
  put(database, { path, session_id: id, kind: "title", key: "", value: title, at });
}

/** Takes note that the hub may have forgotten how an agent calls a session. */
export function forgetTitleTaken(database: SendingDatabase, path: string): void {
  database.run("UPDATE changes SET is_taken = 0 WHERE path = ? AND kind = 'title'", path);
}

/** Takes note that sessions were deleted, of which the hub may have something. */
export function noteDeleted(database: SendingDatabase, path: string, at: string): void {
  const row = rowOf(database, path);
  if (row === undefined) return;
  put(database, { path, session_id: row.sessionId, kind: "deleted", key: "", value: at, at });
}

/** The file of a session is there again. */
export function takeDeletionBack(database: SendingDatabase, path: string): void {
  const deleted = database.row<{ session_id: string }>(
    "SELECT session_id FROM changes WHERE path = ? AND kind = 'deleted' AND value IS NOT NULL",
    path,
  );
  if (deleted === undefined) return;
  const at = new Date().toISOString();
  put(database, { path, session_id: deleted.session_id, kind: "deleted", key: "", value: null, at });
  forgetTitleTaken(database, path);
}

/** Takes note that a session, of which the hub may have something, has another path. */
export function noteMoved(
  database: SendingDatabase,
  { from, to, companionOf }: { from: string; to: string; companionOf(path: string): string | null },
  at: string,
): void {
  const row = rowOf(database, from);
  if (row === undefined) return;
  const companions = companionRows(database, from).flatMap(({ path }) => {
    const moved = companionOf(path);
    return moved === null ? [] : [{ from: path, to: moved }];
  });
  for (const move of [{ from, to }, ...companions]) {
    // What is at the new path was sent as another file.
    if (rowOf(database, move.to) !== undefined) database.run("DELETE FROM files WHERE path = ?", move.from);
    else database.run("UPDATE files SET path = ? WHERE path = ?", move.to, move.from);
    const change = { path: move.from, session_id: row.sessionId, kind: "moved" as const, key: "", value: move.to, at };
    put(database, change);
  }
  database.run("UPDATE files SET owner = ? WHERE owner = ?", to, from);
  database.run("UPDATE OR REPLACE changes SET path = ? WHERE path = ? AND kind <> 'moved'", to, from);
}

/** Takes note that the hub has a change, unless something later was said. */
export function setTaken(
  database: SendingDatabase,
  { path, kind, key, at }: Pick<SessionChange, "path" | "kind" | "key" | "at">,
): void {
  database.run(
    "UPDATE changes SET is_taken = 1 WHERE path = ? AND kind = ? AND key = ? AND at = ?",
    path,
    kind,
    key,
    at,
  );
}

/** What is said later has a later time, whatever the clock says. */
function put(database: SendingDatabase, { path, session_id, kind, key, value, at }: SessionChange): void {
  const before = database.row<{ at: string }>(
    "SELECT at FROM changes WHERE path = ? AND kind = ? AND key = ?",
    path,
    kind,
    key,
  );
  const isLate = before !== undefined && before.at >= at;
  const time = isLate ? new Date(Date.parse(before.at) + 1).toISOString() : at;
  database.run(
    `INSERT INTO changes (path, kind, key, session_id, value, at, is_taken) VALUES (?, ?, ?, ?, ?, ?, 0)
     ON CONFLICT DO UPDATE SET session_id = excluded.session_id, value = excluded.value, at = excluded.at, is_taken = 0`,
    path,
    kind,
    key,
    session_id,
    value,
    time,
  );
}

function nameOf({ kind, key }: { kind: ChangeKind; key: string }): string {
  return `${kind} ${key}`;
}
