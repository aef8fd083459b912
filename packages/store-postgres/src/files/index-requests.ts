import { inArray, sql } from "drizzle-orm";
import type { Queries } from "../database/database.ts";
import { LOCKS } from "../database/locks.ts";
import { indexRequests } from "./schema.ts";

/** Servers that index listen to it. */
export const INDEX_CHANNEL = "session_manager_index";

/** Asks for a file to be read into the catalog, or out of it where it is gone. */
export async function requestIndexing(db: Queries, fileKey: number, isAppend: boolean): Promise<void> {
  await db.execute(sql`
    INSERT INTO index_requests (file_key, is_append, machine_id)
    VALUES (${fileKey}, ${isAppend}, (SELECT machine_id FROM session_files WHERE key = ${fileKey}))`);
  await db.execute(sql`SELECT pg_notify(${INDEX_CHANNEL}, '')`);
}

/** The same for those of some files that are sessions; what belongs to one is not in the catalog. */
export function requestSessions(
  db: Queries,
  files: readonly { key: string; owner_path: string | null }[],
): Promise<void> {
  const keys = files.flatMap(({ key, owner_path }) => (owner_path === null ? [Number(key)] : []));
  return requestAll(db, keys, { isAppend: true });
}

/** Asks for files to be read into the catalog anew. @param options `isAppend`: before what is new. */
export async function requestAll(db: Queries, fileKeys: readonly number[], { isAppend = false } = {}): Promise<void> {
  if (fileKeys.length === 0) return;
  await db.execute(sql`
    INSERT INTO index_requests (file_key, is_append, machine_id) SELECT key, ${isAppend}::boolean, machine_id FROM session_files
    WHERE user_id = own_user_id() AND key = ANY (${sql.param([...fileKeys])}::bigint[])`);
  await db.execute(sql`SELECT pg_notify(${INDEX_CHANNEL}, '')`);
}

/** What has failed for its content fails again, unless the program is another one. */
const RETRY_AFTER = "1 hour";

export interface IndexRequests {
  userId: string;
  requests: { sequence: number; fileKey: number }[];
}

/** Sessions that have grown, which somebody may be looking at, or whole ones. */
export type RequestKind = "appends" | "new";

/** Takes requests of one user, which no other server takes until the end of the transaction; `null` where there are none. */
export async function takeRequests(db: Queries, kind: RequestKind, most: number): Promise<IndexRequests | null> {
  const isMeant = sql`is_append = ${kind === "appends"} AND (retry_at IS NULL OR retry_at < now())`;
  const { rows } = await db.execute<{ sequence: string; user_id: string; file_key: string }>(sql`
    SELECT sequence, user_id, file_key FROM index_requests
    WHERE ${isMeant} AND user_id =
      (SELECT user_id FROM index_requests WHERE ${isMeant} ORDER BY sequence LIMIT 1 FOR UPDATE SKIP LOCKED)
    ORDER BY sequence LIMIT ${most} FOR UPDATE SKIP LOCKED`);
  const [first] = rows;
  if (first === undefined) return null;
  return {
    userId: first.user_id,
    requests: rows.map(({ sequence, file_key }) => ({ sequence: Number(sequence), fileKey: Number(file_key) })),
  };
}

/** Takes requests from the queue. */
export async function dropRequests(db: Queries, sequences: readonly number[]): Promise<void> {
  if (sequences.length > 0) await db.delete(indexRequests).where(inArray(indexRequests.sequence, [...sequences]));
}

/** Leaves requests for later. */
export async function postponeRequests(db: Queries, sequences: readonly number[]): Promise<void> {
  const retryAt = sql`now() + ${RETRY_AFTER}::interval`;
  await db
    .update(indexRequests)
    .set({ retryAt })
    .where(inArray(indexRequests.sequence, [...sequences]));
}

/** Locks files until the end of the transaction; gives those that nobody else has locked. */
export async function lockFiles(db: Queries, fileKeys: readonly number[]): Promise<ReadonlySet<number>> {
  const { rows } = await db.execute<{ key: string }>(sql`
    SELECT key FROM unnest(${sql.param([...new Set(fileKeys)])}::bigint[]) AS key
    WHERE pg_try_advisory_xact_lock(${LOCKS.files}, hashint8(key))`);
  return new Set(rows.map(({ key }) => Number(key)));
}
