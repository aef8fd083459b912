import { sql } from "drizzle-orm";
import type { PostgresDatabase, Queries } from "../database/database.ts";
import { LOCKS } from "../database/locks.ts";
import { isUserLocked } from "../database/user-lock.ts";
import { requestSessions } from "../files/index-requests.ts";
import { Users } from "../state/users.ts";
import { dueSessions, RULES_IN_FORCE } from "./retention-rules.ts";

/** Sessions of one transaction, which appends of theirs wait for. */
const SESSIONS_AT_ONCE = 100;
/** Files of one transaction whose bytes go. */
const FILES_AT_ONCE = 20;

/**
 * Removes what users do not have kept any longer, in small transactions beside other servers: first sessions are hidden,
 * and leave the catalog as deleted ones do; what is left of those are their bytes, which go then.
 */
export class Retention {
  readonly #database: PostgresDatabase;

  constructor(database: PostgresDatabase) {
    this.#database = database;
  }

  /** Removes everything that can be removed now; what has to leave the catalog first goes the next time. */
  async run(signal: AbortSignal): Promise<void> {
    for (const { id } of await new Users(this.#database).list()) {
      for (const step of [emptyFiles, expireSessions, expireDeleted, dropReplaced]) {
        while (!signal.aborted && (await this.#step(id, step)));
      }
    }
  }

  /** @returns whether there may be more. */
  #step(userId: string, step: (db: Queries) => Promise<boolean>): Promise<boolean> {
    // One server at a time.
    return this.#database.write(userId, async (db) => (await isUserLocked(db, LOCKS.retention)) && step(db));
  }
}

/** Hides sessions whose time is over, and what belongs to them. */
async function expireSessions(db: Queries): Promise<boolean> {
  const due = await dueSessions(db, RULES_IN_FORCE, SESSIONS_AT_ONCE);
  for (const { fileKey, fileKeys } of due) await expire(db, fileKey, fileKeys);
  return due.length === SESSIONS_AT_ONCE;
}

async function expire(db: Queries, top: number, fileKeys: readonly number[]): Promise<void> {
  const keys = sql`${sql.param([...fileKeys])}::bigint[]`;
  const { rows } = await db.execute<{ key: string; owner_path: string | null }>(sql`
    UPDATE session_files SET deleted_at = coalesce(deleted_at, now()), expired_at = now(), expired_with = ${top}
    WHERE user_id = own_user_id() AND (key = ANY (${keys}) OR (machine_id, owner_path) IN (
      SELECT machine_id, path FROM session_files WHERE user_id = own_user_id() AND key = ANY (${keys})))
    RETURNING key, owner_path`);
  await requestSessions(db, rows);
}

/** What users have deleted on their machines is hidden; its bytes go after as many days as those of all sessions. */
async function expireDeleted(db: Queries): Promise<boolean> {
  const { rows } = await db.execute(sql`
    UPDATE session_files SET expired_at = now(), expired_with = coalesce(expired_with, key)
    WHERE user_id = own_user_id() AND key IN (
      SELECT f.key FROM session_files f
      WHERE f.user_id = own_user_id() AND expired_at IS NULL
        AND deleted_at < now() - make_interval(days => (SELECT days FROM (${RULES_IN_FORCE}) AS rules WHERE project IS NULL))
        AND EXISTS (SELECT 1 FROM generations g WHERE g.user_id = f.user_id AND g.file_key = f.key AND emptied_at IS NULL)
      LIMIT ${SESSIONS_AT_ONCE})
    RETURNING key`);
  return rows.length === SESSIONS_AT_ONCE;
}

/** States that were replaced by others go after as many days. */
async function dropReplaced(db: Queries): Promise<boolean> {
  const { rows } = await db.execute<{ key: string }>(sql`
    SELECT key FROM generations WHERE user_id = own_user_id()
      AND replaced_at < now() - make_interval(days => (SELECT days FROM (${RULES_IN_FORCE}) AS rules WHERE project IS NULL))
    LIMIT ${FILES_AT_ONCE} FOR UPDATE SKIP LOCKED`);
  const keys = rows.map(({ key }) => Number(key));
  await empty(db, keys);
  await db.execute(sql`DELETE FROM generations WHERE key = ANY (${sql.param(keys)}::bigint[])`);
  return keys.length === FILES_AT_ONCE;
}

/** Removes the bytes of files that are in the catalog no more. */
async function emptyFiles(db: Queries): Promise<boolean> {
  const { rows: files } = await db.execute<{ key: string }>(sql`
    SELECT key FROM session_files f WHERE user_id = own_user_id() AND expired_at IS NOT NULL
      AND NOT EXISTS (SELECT 1 FROM index_requests r WHERE r.user_id = f.user_id AND r.file_key = f.key)
      AND NOT EXISTS (SELECT 1 FROM sessions s WHERE s.user_id = f.user_id AND s.file_key = f.key)
    ORDER BY key LIMIT ${FILES_AT_ONCE} FOR UPDATE SKIP LOCKED`);
  if (files.length === 0) return false;
  const fileKeys = sql`${sql.param(files.map(({ key }) => Number(key)))}::bigint[]`;
  const { rows } = await db.execute<{ key: string }>(sql`
    SELECT key FROM generations WHERE user_id = own_user_id() AND file_key = ANY (${fileKeys}) FOR UPDATE`);
  const keys = rows.map(({ key }) => Number(key));
  await empty(db, keys);
  const generationKeys = sql`${sql.param(keys)}::bigint[]`;
  await db.execute(sql`DELETE FROM generations WHERE key = ANY (${generationKeys}) AND replaced_at IS NOT NULL`);
  await db.execute(sql`
    UPDATE generations SET emptied_at = now(), chunked = 0 WHERE key = ANY (${generationKeys})`);
  await db.execute(sql`UPDATE session_files SET expired_at = NULL WHERE key = ANY (${fileKeys})`);
  return files.length === FILES_AT_ONCE;
}

/** Removes the bytes of generations, and chunks that nothing else is made of. */
async function empty(db: Queries, generationKeys: readonly number[]): Promise<void> {
  const keys = sql`${sql.param([...generationKeys])}::bigint[]`;
  await db.execute(sql`DELETE FROM tails WHERE user_id = own_user_id() AND generation_key = ANY (${keys})`);
  const { rows } = await db.execute<{ hash: Buffer }>(sql`
    WITH gone AS (
      DELETE FROM pieces WHERE user_id = own_user_id() AND generation_key = ANY (${keys}) RETURNING hash
    ) SELECT DISTINCT hash FROM gone`);
  const hashes = sql`${sql.param(rows.map(({ hash }) => hash))}::bytea[]`;
  // Whoever names one now is waited for, and seen by the next statement; nobody names one from here on.
  await db.execute(sql`
    SELECT 1 FROM chunks WHERE user_id = own_user_id() AND hash = ANY (${hashes}) ORDER BY hash FOR UPDATE`);
  await db.execute(sql`
    DELETE FROM chunks c WHERE user_id = own_user_id() AND hash = ANY (${hashes})
      AND NOT EXISTS (SELECT 1 FROM pieces p WHERE p.user_id = c.user_id AND p.hash = c.hash)`);
}
