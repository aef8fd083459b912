import { and, asc, count, desc, eq, gt, gte, inArray, lt, or, type SQL, sql } from "drizzle-orm";
import type { FileCounts, ListOptions } from "../../library.ts";
import type { PriceList } from "../../prices/price-list.ts";
import type { Expiry } from "../../session/expiry.ts";
import type { SessionOutcome, SessionRecord } from "../../session/record.ts";
import type { SessionIdentity } from "../state/ports.ts";
import { queriesOn } from "../storage/queries.ts";
import type { SqliteDatabase } from "../storage/sqlite.ts";
import { ArchivedRows } from "./archived-rows.ts";
import { STORED } from "./catalog-rows.ts";
import type { SessionKey } from "./found-files.ts";
import { contents, files, isPathIn, summaries } from "./index-schema.ts";
import { KnownProjects } from "./known-projects.ts";
import { IS_SESSION, ListRows } from "./list-rows.ts";
import { listCursor, listStart, type Place, type Places } from "./page-cursor.ts";
import { RecentKeys } from "./recent-keys.ts";
import { PARENT_PATH_SQL, RelatedRecords, type RelatedSession } from "./related-records.ts";
import { timeOf } from "./session-columns.ts";
import { SessionFiles } from "./session-files.ts";

export interface ListedPage {
  records: SessionRecord[];
  nextCursor: string | null;
  total: number;
  /** Bytes of the files of all pages; `null` unless asked for. */
  totalSize: number | null;
}

/** The sessions that tags, favorites and running agents leave over. */
export interface MarkedPaths {
  /** `null` for all. */
  paths: readonly string[] | null;
  without: readonly string[];
}

const ALL: MarkedPaths = { paths: null, without: [] };
/** Rows of archived sessions that are skipped at once. */
const MOST_SKIPPED = 1_000;

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

/** A call that started more agents has links to the first ones. */
const MOST_STARTED = 200;

/** Lists sessions from the catalog. */
export class Listing {
  readonly files: SessionFiles;
  /** With the sessions that only the vault has. */
  readonly filesAndKept: SessionFiles;
  readonly #db;
  readonly #keys;
  readonly #paths;
  readonly #some;
  readonly #existing;
  readonly #byKeys;
  readonly #count;
  readonly #skipped;
  readonly #folded;
  readonly #children;
  readonly #projects: KnownProjects;
  readonly #records: RelatedRecords;
  readonly #rows: ListRows;
  readonly #archived: ArchivedRows;
  readonly #recentKeys = new RecentKeys();

  constructor(client: SqliteDatabase) {
    this.files = new SessionFiles(client);
    this.filesAndKept = new SessionFiles(client, true);
    this.#db = queriesOn(client);
    // As one JSON text and in the order of an index: 50,000 keys take 5 ms, as rows and in the order of lists 110.
    const inOrder = this.#db
      .select({ key: files.key })
      .from(files)
      .where(eq(files.status, "session"))
      .orderBy(desc(files.modifiedAt), desc(files.folded), desc(files.format), desc(files.key))
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
    this.#skipped = this.#db.select({ total: count() }).from(files).where(eq(files.status, "skipped")).prepare();
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
    this.#archived = new ArchivedRows(client);
  }

  /** What costs are estimated by. */
  set prices(prices: PriceList) {
    this.#records.prices = prices;
    this.#rows.prices = prices;
  }

  /** When agents delete files. */
  set expiry(expiry: Expiry) {
    this.#records.expiry = expiry;
    this.#rows.expiry = expiry;
  }

  /** Paths of the sessions whose files their agents will delete soon, subagents too. */
  expiring(): Promise<string[]> {
    return this.#rows.expiring();
  }

  /** Paths of the sessions whose last run has ended so, subagents too. */
  ended(outcome: SessionOutcome): Promise<string[]> {
    return this.#rows.ended(outcome);
  }

  /** Takes note of sessions that are new, other, or gone. */
  changed(paths: Iterable<string>): void {
    const all = [...paths];
    this.#rows.changed(all);
    this.#archived.changed(all);
  }

  /** Sets the names that sessions have apart from their files, by path. */
  setNames(names: ReadonlyMap<string, string>): void {
    this.#rows.setNames(names);
  }

  /** Sets the paths of all archived sessions. */
  setArchived(paths: ReadonlySet<string>): void {
    this.#archived.set(paths);
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

  /** Sessions of agents that a session may have started: they are below it, or where it is below another, beside it. */
  startedBy(path: string): SessionRecord[] {
    const record = this.one(path);
    if (record === null) return [];
    const beside = record.relation === "subagent" ? record.parent_session_path : null;
    const parents = record.subagent_count === 0 ? [beside] : [path, beside];
    const found = parents.flatMap((parent) => (parent === null ? [] : this.#children.all({ parent })));
    const paths = found.map((child) => child.path).filter((child) => child !== path);
    if (paths.length === 0) return [];
    return this.#recordsOf(this.#some.all({ paths: JSON.stringify(paths.slice(0, MOST_STARTED)) }));
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
    return this.#skipped.get()?.total ?? 0;
  }

  /** Numbers of files whose paths begin with each prefix, in one look at all of them. */
  countBelow(prefixes: readonly string[]): FileCounts[] {
    const values = sql`json_each(${JSON.stringify(prefixes)}) prefix`;
    const rows = this.#db
      .select({ place: sql<number>`prefix.key`, status: files.status, total: count() })
      .from(files)
      .innerJoin(values, sql`substr(${files.path}, 1, length(prefix.value)) = prefix.value`)
      .where(inArray(files.status, ["session", "skipped"]))
      .groupBy(sql`prefix.key`, files.status)
      .all();
    const totals = new Map(rows.map(({ place, status, total }) => [`${place} ${status}`, total]));
    return prefixes.map((_, place) => ({
      sessions: totals.get(`${place} session`) ?? 0,
      skipped: totals.get(`${place} skipped`) ?? 0,
    }));
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
   * @throws AppError INVALID_PAYLOAD for a cursor of another list, UNAVAILABLE when the index is closed meanwhile.
   */
  async page(options: ListOptions, marked: MarkedPaths = ALL): Promise<ListedPage> {
    const { limit } = options;
    const start = listStart(options);
    // In a start lists are asked for again and again, and to build the queries takes the main thread from it.
    if (this.count() === 0) {
      return { records: [], nextCursor: null, total: 0, totalSize: options.with_total_size === true ? 0 : null };
    }
    const { places, total, size } = await this.#places(options, marked, start);
    this.#rows.checkOpen();
    const page = places.slice(0, limit);
    const last = page.at(-1);
    const nextCursor = places.length > limit && last !== undefined ? listCursor(options, last) : null;
    const rows = this.#byKeys.all({ keys: JSON.stringify(page.map(({ key }) => key)) });
    const made = this.#recordsOf(rows);
    const records = new Map(rows.map(({ key }, place) => [key, made[place] ?? []]));
    return { records: page.flatMap(({ key }) => records.get(key) ?? []), nextCursor, total, totalSize: size };
  }

  async #places(options: ListOptions, marked: MarkedPaths, start: Place | null): Promise<Places> {
    const { parent_path: parent, archived = "exclude", subagents } = options;
    const pace = this.#rows.pace();
    if (archived !== "include") await this.#archived.refresh(pace);
    const areAllWanted = archived === "include" || (archived === "exclude" && this.#archived.isEmpty);
    if (parent === undefined && isRange(options, marked)) {
      if (areAllWanted || (archived === "exclude" && subagents !== "all")) {
        return this.#range(options, start, areAllWanted ? null : this.#archived);
      }
      if (subagents !== "all") return this.#archived.places(options, start);
    }
    // Whoever asks for the subagents of an archived session sees them.
    const isWithBelow = subagents === "all" && parent === undefined;
    const keys = areAllWanted || !isWithBelow ? this.#archived.keys : await this.#archived.keysWithSubagents(pace);
    const isChosen = (key: number) => areAllWanted || keys.has(key) === (archived === "only");
    const paths = archived === "only" && !isWithBelow ? this.#archivedOf(marked.paths) : marked.paths;
    const chosen = { ...marked, paths, isChosen };
    return parent === undefined
      ? this.#rows.places(options, chosen, start)
      : this.#rows.placesBelow(parent, options, chosen, start);
  }

  #archivedOf(paths: readonly string[] | null): readonly string[] {
    return paths === null ? this.#archived.paths : paths.filter((path) => this.#archived.has(path));
  }

  #recordsOf(rows: readonly (RelatedSession & { entryCount: number; indexedCount: number })[]): SessionRecord[] {
    const records = this.#records.of(rows);
    for (const [place, { indexedCount, entryCount }] of rows.entries()) {
      const record = records[place];
      if (record !== undefined) record.indexed = indexedCount >= entryCount;
    }
    return records;
  }

  /**
   * Takes a page from the index of times, which tells formats too: no session is read that is not on the page. All are
   * read for other lists, which takes most of the time until the first one after a start.
   *
   * @param without what is left out: looked at only where the page has room for it.
   */
  async #range(options: ListOptions, start: Place | null, without: ArchivedRows | null): Promise<Places> {
    const { order, limit, since, until, format, subagents } = options;
    const value = files.modifiedAt;
    const filters: SQL[] = [];
    if (since !== undefined) filters.push(gte(value, timeOf(since)));
    if (until !== undefined) filters.push(lt(value, timeOf(until)));
    if (format !== undefined) filters.push(eq(files.format, format));
    const folded = subagents === "all" ? 0 : (this.#folded.get()?.sessions ?? 0);
    const conditions = and(
      eq(files.status, "session"),
      ...filters,
      folded === 0 ? undefined : sql`${files.folded} = 0`,
    );
    const after = (place: Place | null, most: number) =>
      this.#db
        // Without paths, the index alone has it all.
        .select({ key: files.key, value, path: without === null ? sql<string>`''` : files.path })
        .from(files)
        .where(and(conditions, beyond(place, order)))
        .orderBy(order === "asc" ? asc(value) : desc(value), asc(files.key))
        .limit(most)
        .all();
    const places: Place[] = [];
    const pace = this.#rows.pace();
    for (let most = limit + 1, place = start; places.length <= limit; most = Math.min(2 * most, MOST_SKIPPED)) {
      const rows = after(place, most);
      for (const { path, ...row } of rows) if (without?.has(path) !== true) places.push(row);
      if (rows.length < most) break;
      place = rows.at(-1) ?? null;
      await pace.turn();
    }
    const total =
      filters.length === 0
        ? this.count() - folded
        : (this.#db.select({ total: count() }).from(files).where(conditions).get()?.total ?? 0);
    return { places: places.slice(0, limit + 1), total: total - (without?.count(options) ?? 0), size: null };
  }
}

/** Whether a page is a range of the index of times: the lists that are asked for most. */
function isRange(options: ListOptions, { paths, without }: MarkedPaths): boolean {
  const { project, query = "", sort, with_total_size: isSized = false } = options;
  const isAll = paths === null && without.length === 0;
  return sort === "modified" && isAll && !isSized && project === undefined && query.trim() === "";
}

/** What comes behind a place in an order of times. */
function beyond(start: Place | null, order: "asc" | "desc"): SQL | undefined {
  if (start === null) return undefined;
  const isBeyond = order === "asc" ? gt : lt;
  const value = Number(start.value);
  return or(isBeyond(files.modifiedAt, value), and(eq(files.modifiedAt, value), gt(files.key, start.key)));
}
