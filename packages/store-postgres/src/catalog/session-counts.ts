import { sql } from "drizzle-orm";
import type { Queries } from "../database/database.ts";
import { visibleSessions } from "./visible-sessions.ts";

/**
 * A column that differs after every change of what a user may see: each transaction that changes sessions counts, for
 * their user and for the project that they are shared with.
 */
export const SEEN_VERSION = sql`
  coalesce((SELECT last FROM change_counters WHERE user_id = own_user_id()), 0) ||
    coalesce((SELECT string_agg(' ' || id || ' ' || version, '' ORDER BY id) FROM shared_projects), '')`;

/** A column with the number of the user's files that are still to be read. */
export const WAITING_FILES = sql`(SELECT count(DISTINCT file_key) FROM index_requests)`;

export interface SessionCount {
  /** Those that are searchable as far as they are read. */
  indexed: number;
  unindexed: number;
  /** Differs where other sessions may be seen. */
  present: string;
}

/** Counts the sessions that one user may see: all of their rows are read only where something has changed. */
export class SessionCounts {
  #known: (SessionCount & { version: string }) | null = null;

  /** @param version what the same transaction has found as {@link SEEN_VERSION}. */
  async of(db: Queries, version: string): Promise<SessionCount> {
    if (this.#known?.version === version) return this.#known;
    const counted = await countSessions(db);
    this.#known = { ...counted, version };
    return counted;
  }
}

async function countSessions(db: Queries): Promise<SessionCount> {
  const { rows } = await db.execute<{ indexed: string; unindexed: string; present: string }>(sql`
    SELECT count(*) FILTER (WHERE indexed_count >= entry_count) AS indexed,
      count(*) FILTER (WHERE indexed_count < entry_count) AS unindexed,
      count(*) || ' ' || coalesce(sum(key), 0) AS present
    FROM ${visibleSessions("key, indexed_count, entry_count")} AS s`);
  const { indexed = 0, unindexed = 0, present = "" } = rows[0] ?? {};
  return { indexed: Number(indexed), unindexed: Number(unindexed), present };
}
