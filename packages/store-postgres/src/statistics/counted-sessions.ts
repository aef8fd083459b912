import type { CountedCorrection, RemoteChunk, RemoteCounted, RemoteStatistics } from "@sm/core/remote";
import { type AnyColumn, and, asc, eq, isNull, type SQL, sql } from "drizzle-orm";
import { activityChunks, outlineChunks, sessions } from "../catalog/schema.ts";
import type { Asking } from "../files/parts.ts";
import { userNamed } from "../state/user-connection.ts";

const ORDER = [asc(activityChunks.sessionKey), asc(activityChunks.place)];
const { sessionKey: key, place, entries, rollup, details } = activityChunks;
const isThere = isNull(sessions.removedAt);

/** What statistics count of the sessions that one user may see. */
export class CountedSessions implements RemoteStatistics {
  readonly #ask: Asking;
  /** Whose sessions. */
  readonly #isMeant: SQL;
  readonly #isOfThem: (key: AnyColumn | SQL) => SQL;

  /**
   * @param ask answers from one moment.
   * @param owner name of the user whose sessions alone are counted; default: all that may be seen.
   */
  constructor(ask: Asking, owner?: string) {
    this.#ask = ask;
    this.#isMeant = owner === undefined ? sql`true` : sql`sessions.user_id = ${userNamed(owner)}`;
    // From the sessions to their chunks: those of others are many.
    this.#isOfThem = (column) => sql`${column} IN (SELECT sessions.key FROM sessions WHERE ${this.#isMeant})`;
  }

  async statisticsVersion(): Promise<string> {
    const { rows } = await this.#ask((db) =>
      db.execute<{ version: string }>(sql`
        SELECT concat_ws(' ', (SELECT last FROM change_counters WHERE user_id = own_user_id()),
          (SELECT string_agg(id || ' ' || version, ' ' ORDER BY id) FROM shared_projects)) AS version`),
    );
    return rows[0]?.version ?? "";
  }

  async countedSessions(): Promise<RemoteCounted> {
    const { project, format, createdAt, path, folded, messageCount } = sessions;
    const rows = await this.#ask((db) =>
      db
        .select({ key: sessions.key, project, format, createdAt, path, folded, messageCount })
        .from(sessions)
        .where(and(isThere, this.#isMeant))
        .orderBy(asc(sessions.key)),
    );
    const longest = rows.toSorted((a, b) => b.messageCount - a.messageCount || b.key - a.key);
    return {
      sessions: rows.map(({ folded: _, messageCount: __, ...session }) => session),
      subagents: rows.flatMap((row) => (row.folded ? [row.key] : [])),
      longestFirst: longest.map((row) => row.key),
    };
  }

  activityChunks(): Promise<RemoteChunk[]> {
    return this.#ask((db) =>
      db
        .select({ key, place, entries })
        .from(activityChunks)
        .where(this.#isOfThem(key))
        .orderBy(...ORDER),
    );
  }

  activityRollups(chunks: Pick<RemoteChunk, "key" | "place">[] | null) {
    const keys = chunks?.map((chunk) => chunk.key) ?? [];
    const places = chunks?.map((chunk) => chunk.place) ?? [];
    const wanted = sql`(${key}, ${place}) IN (SELECT * FROM unnest(${sql.param(keys)}::bigint[], ${sql.param(places)}::integer[]))`;
    return this.#ask((db) =>
      db
        .select({ key, place, entries, rollup })
        .from(activityChunks)
        .where(chunks === null ? this.#isOfThem(key) : wanted)
        .orderBy(...ORDER),
    );
  }

  async activityDetails(sessionKey: number, at: number): Promise<Uint8Array | null> {
    const isIt = and(eq(key, sessionKey), eq(place, at));
    const [row] = await this.#ask((db) => db.select({ details }).from(activityChunks).where(isIt));
    return row?.details ?? null;
  }

  async outlineChunk(sessionKey: number, at: number): Promise<Uint8Array | null> {
    const isIt = and(eq(outlineChunks.sessionKey, sessionKey), eq(outlineChunks.place, at));
    const [row] = await this.#ask((db) =>
      db.select({ entries: outlineChunks.entries }).from(outlineChunks).where(isIt),
    );
    return row?.entries ?? null;
  }

  async usageCorrections(): Promise<CountedCorrection[]> {
    const { rows } = await this.#ask((db) =>
      db.execute<{ [Name in keyof CountedCorrection]: unknown }>(sql`
        SELECT session_key AS key, ordinal, input, output, cache_read, cache_write, cache_write_1h, cost FROM corrections WHERE ${this.#isOfThem(sql`session_key`)}`),
    );
    // The driver gives large integers as text.
    return rows.map(
      ({ cost, ...numbers }) =>
        ({
          ...Object.fromEntries(Object.entries(numbers).map(([name, value]) => [name, Number(value)])),
          cost: cost === null ? null : Number(cost),
        }) as CountedCorrection,
    );
  }

  async answeredEntries(sessionKey: number, first: number, end: number): Promise<number[]> {
    const { rows } = await this.#ask((db) =>
      db.execute<{ ordinal: number }>(sql`
        SELECT ordinal FROM sessions s JOIN answers a ON a.user_id = s.user_id AND a.session_key = s.key
        WHERE s.key = ${sessionKey} AND ordinal >= ${first} AND ordinal < ${end}`),
    );
    return rows.map(({ ordinal }) => ordinal);
  }
}
