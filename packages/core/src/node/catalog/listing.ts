import { and, asc, count, desc, eq, gt, gte, lt, or, type SQL, sql } from "drizzle-orm";
import type { ListOptions, SessionSort } from "../../library.ts";
import type { PriceList } from "../../prices/price-list.ts";
import type { SessionRecord } from "../../session/record.ts";
import type { SessionIdentity } from "../state/ports.ts";
import { queriesOn } from "../storage/queries.ts";
import type { SqliteDatabase } from "../storage/sqlite.ts";
import { STORED } from "./catalog-rows.ts";
import type { SessionKey } from "./found-files.ts";
import { contents, files, isPathIn, summaries } from "./index-schema.ts";
import { KnownProjects } from "./known-projects.ts";
import { IS_SESSION, ListRows } from "./list-rows.ts";
import { decodeCursor, encodeCursor, type Place, type Places } from "./page-cursor.ts";
import { RecentKeys } from "./recent-keys.ts";
import { PARENT_PATH_SQL, RelatedRecords, type RelatedSession } from "./related-records.ts";
import { timeOf } from "./session-columns.ts";

/** Where a page ended, and what the list was sorted by. */
interface Position extends Place {
  sort: SessionSort;
  order: "asc" | "desc";
}

export interface ListedPage {
  records: SessionRecord[];
  nextCursor: string | null;
  total: number;
}

/** In which all keys are looked up until none has changed meanwhile. */
const MAX_ROUNDS = 5;
/** One or two milliseconds. */
const ROWS_AT_ONCE = 250;

const RECORD = {
  ...STORED,
  relation: files.relation,
  parentPath: sql<string | null>`${sql.raw(PARENT_PATH_SQL)}`,
  entryCount: files.entryCount,
  indexedCount: files.indexedCount,
};

/** Lists sessions from the catalog. */
export class Listing {
  readonly #db;
  readonly #keys;
  readonly #paths;
  readonly #some;
  readonly #existing;
  readonly #byKeys;
  readonly #count;
  readonly #folded;
  readonly #children;
  readonly #projects: KnownProjects;
  readonly #records: RelatedRecords;
  readonly #rows: ListRows;
  readonly #recentKeys = new RecentKeys();

  constructor(client: SqliteDatabase) {
    this.#db = queriesOn(client);
    // As one JSON text and in the order of an index: 50,000 keys take 5 ms, as rows and in the order of lists 110.
    const inOrder = this.#db
      .select({ key: files.key })
      .from(files)
      .where(eq(files.status, "session"))
      .orderBy(desc(files.modifiedAt), desc(files.folded), desc(files.key))
      .as("in_order");
    this.#keys = this.#db
      .select({ keys: sql<string>`json_group_array(${inOrder.key})` })
      .from(inOrder)
      .prepare();
    this.#paths = this.#db
      .select({ key: files.key, path: files.path, modified: files.modifiedAt })
      .from(files)
      .where(and(IS_SESSION, sql`${files.key} IN (SELECT value FROM json_each(${sql.placeholder("keys")}))`))
      .prepare();
    this.#existing = this.#db
      .select({ path: files.path })
      .from(files)
      .where(and(IS_SESSION, isPathIn(sql.placeholder("paths"))))
      .prepare();
    this.#some = this.#db
      .select(RECORD)
      .from(files)
      .innerJoin(summaries, eq(summaries.key, files.key))
      .where(and(IS_SESSION, isPathIn(sql.placeholder("paths"))))
      .prepare();
    this.#count = this.#db
      .select({ sessions: sql<number>`total(${contents.sessions})` })
      .from(contents)
      .prepare();
    this.#byKeys = this.#db
      .select(RECORD)
      .from(files)
      .innerJoin(summaries, eq(summaries.key, files.key))
      .where(and(IS_SESSION, sql`${files.key} IN (SELECT value FROM json_each(${sql.placeholder("keys")}))`))
      .prepare();
    this.#folded = this.#db.select({ sessions: count() }).from(files).where(sql`${files.folded} = 1`).prepare();
    this.#projects = new KnownProjects(client);
    this.#children = this.#db
      .select({ path: files.path, parent: sql<string>`${sql.raw(PARENT_PATH_SQL)}` })
      .from(files)
      .where(
        and(
          IS_SESSION,
          sql`+${files.folded} = 1`,
          sql`${files.parent} IN (SELECT key FROM files WHERE checksum(path) = checksum(${sql.placeholder("parent")}) AND path = ${sql.placeholder("parent")})`,
        ),
      )
      .orderBy(asc(files.createdAt), asc(files.path))
      .prepare();
    this.#records = new RelatedRecords(client);
    this.#rows = new ListRows(client);
  }

  /** What costs are estimated by. */
  set prices(prices: PriceList) {
    this.#records.prices = prices;
    this.#rows.prices = prices;
  }

  /** Takes note of sessions that are new, other, or gone. */
  changed(paths: Iterable<string>): void {
    this.#rows.changed(paths);
  }

  /** Sets the names that sessions have apart from their files, by path. */
  setNames(names: ReadonlyMap<string, string>): void {
    this.#rows.setNames(names);
  }

  close(): void {
    this.#rows.close();
  }

  /** Every session, the newest first. Others have their turn in between. */
  async all(): Promise<SessionKey[]> {
    for (let round = 1; ; round++) {
      const keys = JSON.parse(this.#keys.get()?.keys ?? "[]") as number[];
      const sessions: SessionKey[] = [];
      let time: unknown = null;
      let ofTime: SessionKey[] = [];
      // Lists have those of one time in the order of their keys.
      const endTime = () => {
        for (const session of ofTime.sort((a, b) => a.key - b.key)) sessions.push(session);
        ofTime = [];
      };
      const pace = this.#rows.pace();
      for (let start = 0; start < keys.length; start += ROWS_AT_ONCE) {
        const some = keys.slice(start, start + ROWS_AT_ONCE);
        const rows = new Map(this.#paths.all({ keys: JSON.stringify(some) }).map((row) => [row.key, row]));
        for (const key of some) {
          const row = rows.get(key);
          if (row === undefined) continue;
          if (row.modified !== time) endTime();
          time = row.modified;
          ofTime.push({ key, path: row.path });
        }
        await pace.turn();
      }
      endTime();
      // One whose file was written anew meanwhile has another key; in a damaged index one may lack for good.
      if (sessions.length === keys.length || round === MAX_ROUNDS) return sessions;
    }
  }

  /** Those of these paths that are sessions. Others have their turn in between. */
  async existing(paths: readonly string[]): Promise<Set<string>> {
    const found = new Set<string>();
    const pace = this.#rows.pace();
    for (let start = 0; start < paths.length; start += ROWS_AT_ONCE) {
      const some = JSON.stringify(paths.slice(start, start + ROWS_AT_ONCE));
      for (const { path } of this.#existing.all({ paths: some })) found.add(path);
      await pace.turn();
    }
    return found;
  }

  /** Paths of all subagents below a session, each behind the one that has started it. Others have their turn in between. */
  async subagentsBelow(path: string, most: number): Promise<{ path: string; parent: string }[]> {
    const found: { path: string; parent: string }[] = [];
    const waiting = this.#children.all({ parent: path }).reverse();
    const pace = this.#rows.pace();
    for (let next = waiting.pop(); next !== undefined && found.length < most; next = waiting.pop()) {
      found.push(next);
      for (const child of this.#children.all({ parent: next.path }).reverse()) waiting.push(child);
      await pace.turn();
    }
    return found;
  }

  /** Every working directory, the one with the newest session first. Others have their turn in between. */
  projects(): Promise<string[]> {
    return this.#projects.list(this.#rows.pace());
  }

  one(path: string): SessionRecord | null {
    const row = this.#some.get({ paths: JSON.stringify([path]) });
    return row === undefined ? null : (this.#recordsOf([row])[0] ?? null);
  }

  /** Those of these paths that are sessions, in any order. */
  some(paths: string[]): SessionRecord[] {
    const keys = JSON.stringify(this.#recentKeys.of(paths));
    const wanted = new Set(paths);
    const rows = this.#byKeys.all({ keys }).filter(({ path }) => wanted.delete(path));
    const others = wanted.size === 0 ? [] : this.#some.all({ paths: JSON.stringify([...wanted]) });
    for (const { path, key } of others) this.#recentKeys.add(path, key);
    return this.#recordsOf([...rows, ...others]);
  }

  count(): number {
    return this.#count.get()?.sessions ?? 0;
  }

  /** Number of files in which no line is of a known format. */
  skipped(): number {
    return this.#db.select({ total: count() }).from(files).where(eq(files.status, "skipped")).get()?.total ?? 0;
  }

  /** Number of sessions whose paths begin with each prefix, in one look at all of them. */
  countBelow(prefixes: readonly string[]): number[] {
    const values = sql`json_each(${JSON.stringify(prefixes)}) prefix`;
    const rows = this.#db
      .select({ place: sql<number>`prefix.key`, total: count() })
      .from(files)
      .innerJoin(values, sql`substr(${files.path}, 1, length(prefix.value)) = prefix.value`)
      .where(IS_SESSION)
      .groupBy(sql`prefix.key`)
      .all();
    const totals = new Map(rows.map(({ place, total }) => [place, total]));
    return prefixes.map((_, place) => totals.get(place) ?? 0);
  }

  /** Path and id of every session, be it away, that has a path or an id of these. */
  identities(wanted: readonly SessionIdentity[]): SessionIdentity[] {
    const paths = JSON.stringify(wanted.map(({ path }) => path));
    const ids = JSON.stringify(wanted.map(({ id }) => id));
    const isWanted = or(isPathIn(paths), sql`${files.sessionId} IN (SELECT value FROM json_each(${ids}))`);
    const isSession = sql`+${files.status} IN ('session', 'away')`;
    return this.#db.select({ path: files.path, id: files.sessionId }).from(files).where(and(isSession, isWanted)).all();
  }

  /**
   * @param paths the sessions that tags and favorites leave over, `null` for all.
   * @throws AppError INVALID_PAYLOAD for a cursor of another list, UNAVAILABLE when the index is closed meanwhile.
   */
  async page(options: ListOptions, paths: readonly string[] | null): Promise<ListedPage> {
    const { sort, order, limit, parent_path: parent } = options;
    const isPosition = (value: unknown): value is Position => isPositionOf(value, sort, order);
    const start = options.cursor === undefined ? null : decodeCursor(options.cursor, isPosition);
    // In a start lists are asked for again and again, and to build the queries takes the main thread from it.
    if (this.count() === 0) return { records: [], nextCursor: null, total: 0 };
    const { places, total } =
      parent !== undefined
        ? await this.#rows.placesBelow(parent, options, paths, start)
        : isRange(options, paths)
          ? this.#range(options, start)
          : await this.#rows.places(options, paths, start);
    this.#rows.checkOpen();
    const page = places.slice(0, limit);
    const last = page.at(-1);
    const nextCursor =
      places.length > limit && last !== undefined ? encodeCursor({ sort, order, ...last } satisfies Position) : null;
    const rows = this.#byKeys.all({ keys: JSON.stringify(page.map(({ key }) => key)) });
    const made = this.#recordsOf(rows);
    const records = new Map(rows.map(({ key }, place) => [key, made[place] ?? []]));
    return { records: page.flatMap(({ key }) => records.get(key) ?? []), nextCursor, total };
  }

  #recordsOf(rows: readonly (RelatedSession & { entryCount: number; indexedCount: number })[]): SessionRecord[] {
    const records = this.#records.of(rows);
    for (const [place, { indexedCount, entryCount }] of rows.entries()) {
      const record = records[place];
      if (record !== undefined) record.indexed = indexedCount >= entryCount;
    }
    return records;
  }

  /** Takes a page from the index of times, whatever the number of sessions. */
  #range({ order, limit, since, until, subagents }: ListOptions, start: Place | null): Places {
    const value = files.modifiedAt;
    const times: SQL[] = [];
    if (since !== undefined) times.push(gte(value, timeOf(since)));
    if (until !== undefined) times.push(lt(value, timeOf(until)));
    const folded = subagents === "all" ? 0 : (this.#folded.get()?.sessions ?? 0);
    const conditions = and(eq(files.status, "session"), ...times, folded === 0 ? undefined : sql`${files.folded} = 0`);
    const places = this.#db
      .select({ key: files.key, value })
      .from(files)
      .where(and(conditions, beyond(start, order)))
      .orderBy(order === "asc" ? asc(value) : desc(value), asc(files.key))
      .limit(limit + 1)
      .all();
    const total =
      times.length === 0
        ? this.count() - folded
        : (this.#db.select({ total: count() }).from(files).where(conditions).get()?.total ?? 0);
    return { places, total };
  }
}

/** Whether a page is a range of the index of times: the list that is asked for most. */
function isRange({ project, format, query = "", sort }: ListOptions, paths: readonly string[] | null): boolean {
  const isAll = paths === null && project === undefined && format === undefined && query.trim() === "";
  return sort === "modified" && isAll;
}

/** What comes behind a place in an order of times. */
function beyond(start: Place | null, order: "asc" | "desc"): SQL | undefined {
  if (start === null) return undefined;
  const isBeyond = order === "asc" ? gt : lt;
  const value = Number(start.value);
  return or(isBeyond(files.modifiedAt, value), and(eq(files.modifiedAt, value), gt(files.key, start.key)));
}

function isPositionOf(value: unknown, sort: SessionSort, order: "asc" | "desc"): boolean {
  if (typeof value !== "object" || value === null) return false;
  const position = value as Partial<Record<keyof Position, unknown>>;
  const valueType = sort === "title" ? "string" : "number";
  return (
    position.sort === sort &&
    position.order === order &&
    typeof position.value === valueType &&
    typeof position.key === "number"
  );
}
