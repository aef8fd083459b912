import type { CountedCorrection, RemoteChunk, RemoteCounted, RemoteStatistics } from "@sm/core/remote";
import { and, asc, eq, isNull, sql } from "drizzle-orm";
import { activityChunks, outlineChunks, sessions } from "../catalog/schema.ts";
import type { Asking } from "../files/parts.ts";

const ORDER = [asc(activityChunks.sessionKey), asc(activityChunks.place)];
const { sessionKey: key, place, entries, rollup, details } = activityChunks;
const isThere = isNull(sessions.removedAt);

/** What statistics count of one user's sessions. */
export class CountedSessions implements RemoteStatistics {
  readonly #ask: Asking;

  /** @param ask answers from one moment. */
  constructor(ask: Asking) {
    this.#ask = ask;
  }

  async statisticsVersion(): Promise<string> {
    const { rows } = await this.#ask((db) => db.execute<{ last: string }>(sql`SELECT last FROM change_counters`));
    return rows[0]?.last ?? "";
  }

  async countedSessions(): Promise<RemoteCounted> {
    const { project, format, createdAt, path, folded, messageCount } = sessions;
    const rows = await this.#ask((db) =>
      db
        .select({ key: sessions.key, project, format, createdAt, path, folded, messageCount })
        .from(sessions)
        .where(isThere)
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
        .where(chunks === null ? undefined : wanted)
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
        SELECT session_key AS key, ordinal, input, output, cache_read, cache_write, cache_write_1h, cost FROM corrections`),
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
        SELECT ordinal FROM answers WHERE session_key = ${sessionKey} AND ordinal >= ${first} AND ordinal < ${end}`),
    );
    return rows.map(({ ordinal }) => ordinal);
  }
}
