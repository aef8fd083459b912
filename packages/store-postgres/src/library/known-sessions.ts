import type { ListOptions, SessionOutcome, SessionRecord } from "@sm/core";
import type { MarkedPaths } from "@sm/core/library-parts";
import type { PriceList } from "@sm/core/remote";
import type { SessionIdentity } from "@sm/core/state";
import { and, asc, eq, gt, isNull, or, type SQL, sql } from "drizzle-orm";
import { addChanges, MOST_CHANGES } from "../catalog/changes.ts";
import type { OthersSession } from "../catalog/others-session.ts";
import { changes, sessions } from "../catalog/schema.ts";
import { SEEN_VERSION, type SessionCounts, WAITING_FILES } from "../catalog/session-counts.ts";
import { sessionRecords } from "../catalog/session-records.ts";
import type { PostgresDatabase, Queries } from "../database/database.ts";
import { userNamed } from "../state/user-connection.ts";
import { listedSessions } from "./session-list.ts";

/** Records that are made at once: some milliseconds. */
const RECORDS_AT_ONCE = 200;
/** A call that started more agents has links to the first ones. */
const MOST_STARTED = 200;

export interface ChangedSession {
  path: string;
  kind: "added" | "changed" | "removed";
}

export interface KnownSessionsOptions {
  database: PostgresDatabase;
  userId: string;
  prices: PriceList;
  /** Of the same user. */
  counts: SessionCounts;
}

/** What the catalog of a hub knows of the sessions that one user may see, without the user's marks. */
export class KnownSessions {
  readonly #database: PostgresDatabase;
  readonly #userId: string;
  readonly #prices: PriceList;
  readonly #sessionCounts: SessionCounts;

  constructor({ database, userId, prices, counts }: KnownSessionsOptions) {
    this.#database = database;
    this.#userId = userId;
    this.#prices = prices;
    this.#sessionCounts = counts;
  }

  async one(path: string): Promise<SessionRecord | null> {
    const [record] = await this.some([path]);
    return record ?? null;
  }

  /** Records of those of these paths that are sessions, in their order. */
  async some(paths: readonly string[]): Promise<SessionRecord[]> {
    if (paths.length === 0) return [];
    const found = await this.#read((db) => this.#records(db, inPaths(paths)));
    // Somebody else may have a copy of the machine: the user's own comes last, and stays.
    const ownLast = [...found.filter(({ owner }) => owner !== null), ...found.filter(({ owner }) => owner === null)];
    const byPath = new Map(ownLast.map((record) => [record.path, record]));
    return paths.flatMap((path) => byPath.get(path) ?? []);
  }

  async list(options: ListOptions, marked: MarkedPaths) {
    return this.#read(async (db) => {
      const { keys, ...page } = await listedSessions(db, options, marked);
      const records = await sessionRecords(db, keys, this.#prices);
      const { pending } = await this.#counts(db);
      return { ...page, records: keys.flatMap((key) => records.get(key) ?? []), pending };
    });
  }

  /** All of them, the newest first, as they are when their page is read. */
  async *pages(): AsyncGenerator<SessionRecord[], void> {
    const rows = await this.#read((db) =>
      db
        .select({ key: sessions.key })
        .from(sessions)
        .where(isNull(sessions.removedAt))
        .orderBy(sql`${sessions.modifiedAt} DESC`, asc(sessions.key)),
    );
    for (let start = 0; start < rows.length; start += RECORDS_AT_ONCE) {
      const keys = rows.slice(start, start + RECORDS_AT_ONCE).map(({ key }) => key);
      const records = await this.#read((db) => sessionRecords(db, keys, this.#prices));
      yield keys.flatMap((key) => records.get(key) ?? []);
    }
  }

  /** Those of these paths that are sessions. */
  async existing(paths: readonly string[]): Promise<Set<string>> {
    if (paths.length === 0) return new Set();
    const rows = await this.#read((db) => db.select({ path: sessions.path }).from(sessions).where(inPaths(paths)));
    return new Set(rows.map(({ path }) => path));
  }

  /** Whose sessions these are, as far as they are not the user's own, and which of them there are at all. */
  async owners(paths: readonly string[]): Promise<{ existing: Set<string>; others: OthersSession[] }> {
    if (paths.length === 0) return { existing: new Set(), others: [] };
    const { rows } = await this.#read((db) =>
      db.execute<{ path: string; id: string; owner: string | null }>(sql`
        SELECT path, session_id AS id, CASE WHEN user_id <> own_user_id() THEN user_id END AS owner FROM sessions
        WHERE path = ANY (${sql.param([...paths])}::text[]) AND removed_at IS NULL`),
    );
    const own = new Set(rows.flatMap(({ path, owner }) => (owner === null ? [path] : [])));
    return {
      existing: new Set(rows.map(({ path }) => path)),
      others: rows.flatMap(({ path, id, owner }) =>
        owner === null || own.has(path) ? [] : [{ path, id, ownerId: owner }],
      ),
    };
  }

  /** Paths of the sessions of the user with this name, as far as they may be read. */
  async pathsOf(owner: string): Promise<string[]> {
    const { rows } = await this.#read((db) =>
      db.execute<{ path: string }>(
        sql`SELECT path FROM sessions WHERE removed_at IS NULL AND user_id = ${userNamed(owner)}`,
      ),
    );
    return rows.map(({ path }) => path);
  }

  /** Path and id of every session that has a path or an id of these. */
  identities(wanted: readonly SessionIdentity[]): Promise<SessionIdentity[]> {
    const ids = wanted.map(({ id }) => id);
    const isWanted = or(
      inPaths(wanted.map(({ path }) => path)),
      and(isNull(sessions.removedAt), sql`${sessions.sessionId} = ANY (${sql.param(ids)}::text[])`),
    );
    return this.#read((db) =>
      db.select({ path: sessions.path, id: sessions.sessionId }).from(sessions).where(isWanted),
    );
  }

  /** Paths of the sessions whose last run has ended so. */
  async ended(outcome: SessionOutcome): Promise<string[]> {
    const isIt = and(eq(sessions.outcome, outcome), isNull(sessions.removedAt));
    const rows = await this.#read((db) => db.select({ path: sessions.path }).from(sessions).where(isIt));
    return rows.map(({ path }) => path);
  }

  /** Paths of all subagents below a session, each behind the one that has started it. */
  async subagentsBelow(path: string, most: number): Promise<{ path: string; parent: string }[]> {
    const { rows } = await this.#read((db) =>
      db.execute<{ path: string; parent: string }>(sql`
        WITH RECURSIVE below (key, path, parent, place) AS (
          SELECT c.key, c.path, p.path, ARRAY[c.created_at, c.key] FROM sessions p JOIN sessions c ON c.parent_key = p.key
          WHERE p.path = ${path} AND c.folded AND c.removed_at IS NULL
          UNION ALL SELECT c.key, c.path, below.path, below.place || ARRAY[c.created_at, c.key]
          FROM below JOIN sessions c ON c.parent_key = below.key WHERE c.folded AND c.removed_at IS NULL
        ) SELECT path, parent FROM below ORDER BY place LIMIT ${most}`),
    );
    return rows;
  }

  /** Sessions of agents that a session may have started: below it, or where it is below another, beside it. */
  async startedBy(path: string): Promise<SessionRecord[]> {
    const record = await this.one(path);
    if (record === null) return [];
    const beside = record.relation === "subagent" ? record.parent_session_path : null;
    const parents = [...(record.subagent_count === 0 ? [] : [path]), ...(beside === null ? [] : [beside])];
    if (parents.length === 0) return [];
    return this.#read(async (db) => {
      const rows = await db
        .select({ key: sessions.key })
        .from(sessions)
        .where(
          and(
            sql`${sessions.parentKey} IN (SELECT key FROM sessions WHERE path = ANY (${sql.param(parents)}::text[]))`,
            sql`${sessions.path} <> ${path} AND ${sessions.folded} AND ${sessions.removedAt} IS NULL`,
          ),
        )
        .orderBy(asc(sessions.createdAt), asc(sessions.path))
        .limit(MOST_STARTED);
      const keys = rows.map(({ key }) => key);
      const records = await sessionRecords(db, keys, this.#prices);
      return keys.flatMap((key) => records.get(key) ?? []);
    });
  }

  /** How many sessions are searchable, and how many files are still to be read or made searchable. */
  async #counts(db: Queries): Promise<{ indexed: number; pending: number }> {
    const { rows } = await db.execute<{ waiting: string; version: string }>(sql`
      SELECT ${WAITING_FILES} AS waiting, ${SEEN_VERSION} AS version`);
    const { waiting = 0, version = "" } = rows[0] ?? {};
    const { indexed, unindexed } = await this.#sessionCounts.of(db, version);
    return { indexed, pending: unindexed + Number(waiting) };
  }

  /** Takes note that records have changed although their files have not: all servers tell of it. */
  async touched(paths: readonly string[]): Promise<void> {
    if (paths.length === 0) return;
    // Marks of others' sessions are the user's own.
    const rows = await this.#read((db) =>
      db.select({ key: sessions.key, path: sessions.path }).from(sessions).where(inPaths(paths)),
    );
    await this.#database.write(this.#userId, (db) =>
      addChanges(
        db,
        rows.map(({ key, path }) => ({ kind: "changed", key, path })),
      ),
    );
  }

  /** The number of the last change; 0 where there was none. */
  lastChange(): Promise<number> {
    return this.#read(lastNumber);
  }

  /**
   * The sessions that have changed since a number, each with what has become of it; `null` where they are too many, or
   * some of them are known no more.
   */
  async changesAfter(sequence: number): Promise<{ changed: ChangedSession[] | null; last: number }> {
    return this.#read(async (db) => {
      const last = await lastNumber(db);
      const found = await db
        .select({ sequence: changes.sequence, kind: changes.kind, path: changes.path })
        .from(changes)
        .where(gt(changes.sequence, sequence))
        .orderBy(asc(changes.sequence))
        .limit(MOST_CHANGES + 1);
      const isWhole = found.length === last - sequence;
      if (!isWhole || found.length > MOST_CHANGES) return { changed: null, last };
      const changed = new Map<string, ChangedSession>();
      for (const { path, kind } of found) {
        const isStillNew = kind === "changed" && changed.get(path)?.kind === "added";
        changed.set(path, { path, kind: isStillNew ? "added" : kind });
      }
      return { changed: [...changed.values()], last };
    });
  }

  #read<T>(query: (db: Queries) => Promise<T>): Promise<T> {
    return this.#database.readVisible(this.#userId, query);
  }

  async #records(db: Queries, condition: SQL | undefined): Promise<SessionRecord[]> {
    const rows = await db.select({ key: sessions.key }).from(sessions).where(condition);
    const keys = rows.map(({ key }) => key);
    return [...(await sessionRecords(db, keys, this.#prices)).values()];
  }
}

async function lastNumber(db: Queries): Promise<number> {
  const { rows } = await db.execute<{ last: string }>(
    sql`SELECT last FROM change_counters WHERE user_id = own_user_id()`,
  );
  return Number(rows[0]?.last ?? 0);
}

function inPaths(paths: readonly string[]): SQL | undefined {
  return and(isNull(sessions.removedAt), sql`${sessions.path} = ANY (${sql.param([...paths])}::text[])`);
}
