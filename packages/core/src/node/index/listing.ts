import { and, asc, count, desc, eq, gt, gte, lt, or, type SQL, type SQLWrapper, sql } from "drizzle-orm";
import { drizzle } from "drizzle-orm/better-sqlite3";
import type { ListOptions, SessionSort } from "../../library.ts";
import type { SessionRecord } from "../../session/record.ts";
import { formatTimestamp, parseTimestamp } from "../../session/timestamp.ts";
import { decodeCursor, encodeCursor } from "../cursor.ts";
import type { SqliteDatabase } from "../sqlite.ts";
import type { SessionIdentity } from "../state/store.ts";
import { decodeStored } from "./index-error.ts";
import { RecentKeys } from "./recent-keys.ts";
import { contents, files } from "./schema.ts";

const SORT_COLUMNS = {
  modified: files.modifiedAt,
  created: files.createdAt,
  size: files.size,
  messages: files.messageCount,
  cost: files.cost,
  title: files.title,
} as const satisfies Record<SessionSort, unknown>;

/** A session in a sorted list. */
interface Place {
  value: string | number;
  key: number;
}

/** Where a page ended, and what the list was sorted by. */
interface Position extends Place {
  sort: SessionSort;
  order: "asc" | "desc";
}

/** A page, with one place more if there is another page, and how many places there are altogether. */
interface Places {
  places: Place[];
  total: number;
}

export interface ListedPage {
  records: SessionRecord[];
  nextCursor: string | null;
  total: number;
}

const RECORD = { record: files.record, entryCount: files.entryCount, indexedCount: files.indexedCount };

/** Lists sessions from the catalog. */
export class Listing {
  readonly #db;
  readonly #paths;
  readonly #one;
  readonly #some;
  readonly #byKeys;
  readonly #count;
  readonly #recentKeys = new RecentKeys();

  constructor(client: SqliteDatabase) {
    this.#db = drizzle(client);
    this.#paths = this.#db
      .select({ path: files.path })
      .from(files)
      .where(eq(files.status, "session"))
      .orderBy(desc(files.modifiedAt), asc(files.key))
      .prepare();
    this.#one = this.#db
      .select(RECORD)
      .from(files)
      .where(and(eq(files.status, "session"), eq(files.path, sql.placeholder("path"))))
      .prepare();
    this.#some = this.#db
      .select({ ...RECORD, key: files.key })
      .from(files)
      .where(
        and(
          // The plus keeps SQLite from reading every session to compare its path (40 ms for 10,000, measured).
          sql`+${files.status} = 'session'`,
          sql`${files.path} IN (SELECT value FROM json_each(${sql.placeholder("paths")}))`,
        ),
      )
      .prepare();
    this.#count = this.#db
      .select({ sessions: sql<number>`total(${contents.sessions})` })
      .from(contents)
      .prepare();
    this.#byKeys = this.#db
      .select({ ...RECORD, key: files.key })
      .from(files)
      .where(sql`${files.key} IN (SELECT value FROM json_each(${sql.placeholder("keys")}))`)
      .prepare();
  }

  /** Every session, the newest first. */
  paths(): string[] {
    return this.#paths.all().map(({ path }) => path);
  }

  one(path: string): SessionRecord | null {
    const row = this.#one.get({ path });
    return row === undefined ? null : recordOf(row);
  }

  /** Those of these paths that are sessions, in any order. */
  some(paths: string[]): SessionRecord[] {
    const keys = JSON.stringify(this.#recentKeys.of(paths));
    const wanted = new Set(paths);
    const records = this.#byKeys
      .all({ keys })
      .map(recordOf)
      .filter(({ path }) => wanted.delete(path));
    if (wanted.size === 0) return records;
    const others = this.#some.all({ paths: JSON.stringify([...wanted]) }).map(({ key, ...row }) => {
      const record = recordOf(row);
      this.#recentKeys.add(record.path, key);
      return record;
    });
    return [...records, ...others];
  }

  count(): number {
    return this.#count.get()?.sessions ?? 0;
  }

  /** Path and id of every session that has a path or an id of these. */
  identities(wanted: readonly SessionIdentity[]): SessionIdentity[] {
    const paths = JSON.stringify(wanted.map(({ path }) => path));
    const ids = JSON.stringify(wanted.map(({ id }) => id));
    const isWanted = or(
      sql`${files.path} IN (SELECT value FROM json_each(${paths}))`,
      sql`${files.sessionId} IN (SELECT value FROM json_each(${ids}))`,
    );
    const isSession = sql`+${files.status} = 'session'`;
    return this.#db.select({ path: files.path, id: files.sessionId }).from(files).where(and(isSession, isWanted)).all();
  }

  /**
   * @param paths the sessions that tags and favorites leave over, `null` for all.
   * @throws AppError INVALID_PAYLOAD for a cursor of another list.
   */
  page(options: ListOptions, paths: string[] | null): ListedPage {
    const { sort, order, limit } = options;
    const isPosition = (value: unknown): value is Position => isPositionOf(value, sort, order);
    const start = options.cursor === undefined ? null : decodeCursor(options.cursor, isPosition);
    const { places, total } = isIndexed(options, paths)
      ? this.#indexedPlaces(options, start)
      : this.#filteredPlaces(options, paths, start);
    const page = places.slice(0, limit);
    const last = page.at(-1);
    const nextCursor =
      places.length > limit && last !== undefined ? encodeCursor({ sort, order, ...last } satisfies Position) : null;
    const rows = this.#byKeys.all({ keys: JSON.stringify(page.map(({ key }) => key)) });
    const records = new Map(rows.map((row) => [row.key, recordOf(row)]));
    return { records: page.flatMap(({ key }) => records.get(key) ?? []), nextCursor, total };
  }

  /** Takes a page from where an index has it, whatever the number of sessions. */
  #indexedPlaces({ sort, order, limit, since, until }: ListOptions, start: Place | null): Places {
    const value = SORT_COLUMNS[sort];
    const conditions = and(eq(files.status, "session"), ...timesOf({ since, until }));
    const places = this.#db
      .select({ key: files.key, value })
      .from(files)
      .where(and(conditions, beyond(start, order, value, files.key)))
      .orderBy(order === "asc" ? asc(value) : desc(value), asc(files.key))
      .limit(limit + 1)
      .all();
    const total = this.#db.select({ total: count() }).from(files).where(conditions).get()?.total ?? 0;
    return { places, total };
  }

  /** Looks at every session once, for the page and the total together. */
  #filteredPlaces(options: ListOptions, paths: string[] | null, start: Place | null): Places {
    const { sort, order, limit } = options;
    const matching = this.#db.$with("matching").as(
      this.#db
        .select({ key: files.key, value: sql<string | number>`${SORT_COLUMNS[sort]}`.as("value") })
        .from(files)
        .where(and(...conditionsOf(options, paths))),
    );
    const rows = this.#db
      .with(matching)
      .select({ key: matching.key, value: matching.value, total: sql<number>`(SELECT count(*) FROM ${matching})` })
      .from(matching)
      .where(beyond(start, order, matching.value, matching.key))
      .orderBy(order === "asc" ? asc(matching.value) : desc(matching.value), asc(matching.key))
      .limit(limit + 1)
      .all();
    const places = rows.map(({ key, value }) => ({ key, value }));
    const [first] = rows;
    if (first !== undefined || start === null) return { places, total: first?.total ?? 0 };
    // Behind the last page.
    const total = this.#db.with(matching).select({ total: count() }).from(matching).get()?.total ?? 0;
    return { places, total };
  }
}

/** Whether a page and its total are ranges of one index. */
function isIndexed(options: ListOptions, paths: string[] | null): boolean {
  const { project, format, since, until, query = "", sort } = options;
  const hasTimes = since !== undefined || until !== undefined;
  const isOneRange = sort === "modified" || !hasTimes;
  return isOneRange && paths === null && project === undefined && format === undefined && query.trim() === "";
}

/** What comes behind a place in an order. */
function beyond(start: Place | null, order: "asc" | "desc", value: SQLWrapper, key: SQLWrapper): SQL | undefined {
  if (start === null) return undefined;
  const isBeyond = order === "asc" ? gt : lt;
  return or(isBeyond(value, start.value), and(eq(value, start.value), gt(key, start.key)));
}

function timesOf({ since, until }: Pick<ListOptions, "since" | "until">): SQL[] {
  const conditions: SQL[] = [];
  if (since !== undefined) conditions.push(gte(files.modifiedAt, utc(since)));
  if (until !== undefined) conditions.push(lt(files.modifiedAt, utc(until)));
  return conditions;
}

function conditionsOf(options: ListOptions, paths: string[] | null): SQL[] {
  // The plus says that no index helps: by one, each session would be looked up where it is, twice as slow (measured).
  const conditions: SQL[] = [sql`+${files.status} = 'session'`, ...timesOf(options)];
  const { project, format, query } = options;
  if (project !== undefined) conditions.push(eq(files.project, project));
  if (format !== undefined) conditions.push(eq(files.format, format));
  for (const word of (query ?? "").toLowerCase().split(/\s+/)) {
    if (word !== "") conditions.push(sql`instr(${files.filterText}, ${word}) > 0`);
  }
  if (paths !== null) conditions.push(sql`${files.path} IN (SELECT value FROM json_each(${JSON.stringify(paths)}))`);
  return conditions;
}

/** Times are compared as text, so they have to be of one form. */
function utc(time: string): string {
  return formatTimestamp(parseTimestamp(time)) ?? time;
}

function recordOf(row: { record: string; entryCount: number; indexedCount: number }): SessionRecord {
  // Written by `Catalog.putSession` of the same index version.
  const record = decodeStored(() => JSON.parse(row.record) as SessionRecord);
  record.indexed = row.indexedCount >= row.entryCount;
  return record;
}

function isPositionOf(value: unknown, sort: SessionSort, order: "asc" | "desc"): boolean {
  if (typeof value !== "object" || value === null) return false;
  const position = value as Partial<Record<keyof Position, unknown>>;
  const valueType = sort === "modified" || sort === "created" || sort === "title" ? "string" : "number";
  return (
    position.sort === sort &&
    position.order === order &&
    typeof position.value === valueType &&
    typeof position.key === "number"
  );
}
