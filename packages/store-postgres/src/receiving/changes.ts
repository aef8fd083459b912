import { randomUUID } from "node:crypto";
import { hubPath, isLater, type SessionChange } from "@sm/core";
import { type SQL, sql } from "drizzle-orm";
import { noteAgentTitle } from "../catalog/agent-titles.ts";
import type { Queries } from "../database/database.ts";
import { requestSessions } from "../files/index-requests.ts";
import { forgetUnmarked, markSession } from "../state/marked.ts";
import { storable } from "../state/user-connection.ts";

/**
 * Applies what a machine says of its sessions, within a change of the user's state. Of two that were said of the same the
 * later one stays, so that it may come late, or twice.
 *
 * @returns how many have changed something.
 */
export async function applyChanges(db: Queries, machineId: string, changes: readonly SessionChange[]): Promise<number> {
  await db.execute(sql`SET LOCAL session_manager.said_by_machine = 'on'`);
  // A clock that is ahead must not have the last word for months.
  const now = new Date().toISOString();
  let applied = 0;
  for (const change of changes) {
    const isAhead = change.at > now;
    const at = isAhead ? now : change.at;
    if (isTooLong(machineId, change) || !(await isNews(db, machineId, { ...change, at }))) continue;
    await apply(db, machineId, change);
    applied++;
  }
  return applied;
}

/** PostgreSQL indexes these. */
const MOST_INDEXED_BYTES = 2_000;

/** Such files are refused, too. */
function isTooLong(machineId: string, { path, session_id, kind, value }: SessionChange): boolean {
  const paths = [
    pathOf(machineId, path),
    session_id,
    ...(kind === "moved" && value !== null ? [pathOf(machineId, value)] : []),
  ];
  return paths.some((text) => Buffer.byteLength(text) > MOST_INDEXED_BYTES);
}

/** Takes note of what was said, unless something later was. */
async function isNews(
  db: Queries,
  machine: string,
  { path: own, kind, key: given, at }: SessionChange,
): Promise<boolean> {
  const path = pathOf(machine, own);
  const key = storable(given);
  const isIt = sql`name = md5(${path} || chr(1) || ${kind} || chr(1) || ${key})::uuid`;
  const { rows } = await db.execute<{ at: string; machine: string }>(
    sql`SELECT at, machine FROM said_of_sessions WHERE ${isIt}`,
  );
  const before = rows[0];
  if (before !== undefined && !isLater({ at, machine }, before)) return false;
  await db.execute(sql`
    INSERT INTO said_of_sessions (path, kind, key, at, machine) VALUES (${path}, ${kind}, ${key}, ${at}, ${machine})
    ON CONFLICT (user_id, name) DO UPDATE SET at = excluded.at, machine = excluded.machine`);
  return true;
}

async function apply(db: Queries, machineId: string, change: SessionChange): Promise<void> {
  const { kind, path, value } = change;
  if (kind === "deleted") {
    await changeFiles(
      db,
      sql`UPDATE session_files SET deleted_at = ${value}::timestamptz
        WHERE machine_id = ${machineId} AND (path = ${path} OR owner_path = ${path})`,
    );
  } else if (kind === "moved") {
    if (value !== null) await move(db, machineId, path, value);
  } else if (kind === "title") {
    if (value !== null) await noteAgentTitle(db, { machineId, path }, value);
  } else {
    await mark(db, pathOf(machineId, path), change);
  }
}

/** Changes files, and has the catalog follow. */
async function changeFiles(db: Queries, update: SQL): Promise<void> {
  const { rows } = await db.execute<{ key: string; owner_path: string | null }>(
    sql`${update} RETURNING key, owner_path`,
  );
  await requestSessions(db, rows);
}

/** What is at the new path already stays there, and what was at the old one goes. */
async function move(db: Queries, machineId: string, from: string, to: string): Promise<void> {
  const [before, after] = [pathOf(machineId, from), pathOf(machineId, to)];
  await changeFiles(
    db,
    sql`UPDATE session_files SET path = ${to} WHERE machine_id = ${machineId} AND path = ${from}
      AND NOT EXISTS (SELECT 1 FROM session_files WHERE machine_id = ${machineId} AND path = ${to})`,
  );
  await changeFiles(
    db,
    sql`UPDATE session_files SET deleted_at = now() WHERE machine_id = ${machineId} AND path = ${from}`,
  );
  await db.execute(
    sql`UPDATE session_files SET owner_path = ${to} WHERE machine_id = ${machineId} AND owner_path = ${from}`,
  );
  await db.execute(sql`
    UPDATE marked_sessions SET path = ${after} WHERE path = ${before}
    AND NOT EXISTS (SELECT 1 FROM marked_sessions WHERE path = ${after})`);
  await db.execute(sql`
    INSERT INTO said_of_sessions (path, kind, key, at, machine)
    SELECT ${after}, kind, key, at, machine FROM said_of_sessions WHERE path = ${before} AND kind NOT IN ('moved', 'deleted')
    ON CONFLICT (user_id, name) DO UPDATE SET at = excluded.at, machine = excluded.machine
    WHERE (said_of_sessions.at, said_of_sessions.machine) < (excluded.at, excluded.machine)`);
}

async function mark(db: Queries, path: string, change: SessionChange): Promise<void> {
  const sessionKey = await markSession(db, { path, id: change.session_id });
  await db.execute(removal(change, sessionKey));
  if (change.value === null) await forgetUnmarked(db, [sessionKey]);
  else await add(db, sessionKey, change, change.value);
}

/** What was there before goes in any case. */
function removal({ kind, key: given }: SessionChange, sessionKey: number): SQL {
  const key = storable(given);
  switch (kind) {
    case "favorite":
      return sql`DELETE FROM favorites WHERE session_key = ${sessionKey}`;
    case "archived":
      return sql`DELETE FROM archived_sessions WHERE session_key = ${sessionKey}`;
    case "tag":
      return sql`DELETE FROM session_tags WHERE session_key = ${sessionKey} AND tag_key(tag_id) = ${key}`;
    case "note":
      return sql`DELETE FROM notes WHERE session_key = ${sessionKey} AND coalesce(entry_id, '') = ${key}`;
    case "bookmark":
      return sql`DELETE FROM bookmarks WHERE session_key = ${sessionKey} AND entry_id = ${key}`;
    default:
      return sql`DELETE FROM session_names WHERE session_key = ${sessionKey}`;
  }
}

async function add(
  db: Queries,
  sessionKey: number,
  { kind, key: given, at }: SessionChange,
  text: string,
): Promise<void> {
  const [key, value] = [storable(given), storable(text)];
  switch (kind) {
    case "favorite":
      return void (await db.execute(sql`INSERT INTO favorites (session_key) VALUES (${sessionKey})`));
    case "archived":
      await db.execute(sql`INSERT INTO archived_sessions (session_key, archived_at) VALUES (${sessionKey}, ${value})`);
      return;
    case "tag": {
      const tagId = await tagNamed(db, textsIn(key), textsIn(value));
      if (tagId === null) return;
      await db.execute(sql`INSERT INTO session_tags (session_key, tag_id) VALUES (${sessionKey}, ${tagId})`);
      return;
    }
    case "note":
      await db.execute(sql`
        INSERT INTO notes (session_key, entry_id, text, updated_at) VALUES (${sessionKey}, nullif(${key}, ''), ${value}, ${at})`);
      return;
    case "bookmark":
      await db.execute(sql`
        INSERT INTO bookmarks (session_key, entry_id, created_at) VALUES (${sessionKey}, ${key}, ${value})`);
      return;
    default:
      await db.execute(sql`INSERT INTO session_names (session_key, name) VALUES (${sessionKey}, ${value})`);
  }
}

function textsIn(list: string): string[] {
  try {
    const texts: unknown = JSON.parse(list);
    return Array.isArray(texts) ? texts.map(String) : [];
  } catch {
    return [];
  }
}

const COLOR = /^#[0-9a-f]{6}$/i;
const OTHER_COLOR = "#888888";

/** Finds a tag by its names from the root on, and makes those that are missing. */
async function tagNamed(db: Queries, names: readonly string[], colors: readonly string[]): Promise<string | null> {
  let parent: string | null = null;
  for (const [place, name] of names.entries()) {
    const { rows }: { rows: { id: string }[] } = await db.execute<{ id: string }>(
      sql`SELECT id FROM tags WHERE name = ${name} AND parent_id IS NOT DISTINCT FROM ${parent}`,
    );
    const id: string = rows[0]?.id ?? randomUUID();
    if (rows[0] === undefined) {
      const color = colors[place] ?? "";
      const shown = COLOR.test(color) ? color : OTHER_COLOR;
      await db.execute(sql`INSERT INTO tags (id, name, color, parent_id) VALUES (${id}, ${name}, ${shown}, ${parent})`);
    }
    parent = id;
  }
  return parent;
}

function pathOf(machineId: string, path: string): string {
  return storable(hubPath(machineId, path));
}
