import { and, asc, count, desc, eq, gt, gte, lt, or, type SQL, sql } from "drizzle-orm";
import { drizzle } from "drizzle-orm/better-sqlite3";
import type { ListOptions, SessionSort } from "../../library.ts";
import type { SessionRecord } from "../../session/record.ts";
import { formatTimestamp, parseTimestamp } from "../../session/timestamp.ts";
import { decodeCursor, encodeCursor } from "../cursor.ts";
import type { SqliteDatabase } from "../sqlite.ts";
import { decodeStored } from "./index-error.ts";
import { files } from "./schema.ts";

const SORT_COLUMNS = {
  modified: files.modifiedAt,
  created: files.createdAt,
  size: files.size,
  messages: files.messageCount,
  cost: files.cost,
  title: files.title,
} as const satisfies Record<SessionSort, unknown>;

/** Where a page ended: the last row's sort value and key, and what the list was sorted by. */
interface Position {
  sort: SessionSort;
  order: "asc" | "desc";
  value: string | number;
  key: number;
}

export interface ListedPage {
  records: SessionRecord[];
  nextCursor: string | null;
  total: number;
}

const RECORD = { record: files.record, entryCount: files.entryCount, indexedCount: files.indexedCount };

/** Lists sessions from the catalog: a page costs an index range, whatever the number of sessions. */
export class Listing {
  readonly #db;
  readonly #all;
  readonly #one;
  readonly #some;

  constructor(client: SqliteDatabase) {
    this.#db = drizzle(client);
    this.#all = this.#db
      .select(RECORD)
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
      .select(RECORD)
      .from(files)
      .where(
        and(
          eq(files.status, "session"),
          sql`${files.path} IN (SELECT value FROM json_each(${sql.placeholder("paths")}))`,
        ),
      )
      .prepare();
  }

  /** Every session, the newest first. */
  all(): SessionRecord[] {
    return this.#all.all().map(recordOf);
  }

  one(path: string): SessionRecord | null {
    const row = this.#one.get({ path });
    return row === undefined ? null : recordOf(row);
  }

  /** Those of these paths that are sessions, in any order. */
  some(paths: string[]): SessionRecord[] {
    return this.#some.all({ paths: JSON.stringify(paths) }).map(recordOf);
  }

  count(): number {
    return this.#db.select({ total: count() }).from(files).where(eq(files.status, "session")).get()?.total ?? 0;
  }

  /** Path and id of every session. */
  identities(): { path: string; id: string }[] {
    const isSession = eq(files.status, "session");
    return this.#db.select({ path: files.path, id: files.sessionId }).from(files).where(isSession).all();
  }

  /**
   * @param paths the sessions that tags and favorites leave over, `null` for all.
   * @throws AppError INVALID_PAYLOAD for a cursor of another list.
   */
  page(options: ListOptions, paths: string[] | null): ListedPage {
    const { sort, order, limit } = options;
    const column = SORT_COLUMNS[sort];
    const conditions = conditionsOf(options, paths);
    const isPosition = (value: unknown): value is Position => isPositionOf(value, sort, order);
    const start = options.cursor === undefined ? null : decodeCursor(options.cursor, isPosition);
    const beyond = order === "asc" ? gt : lt;
    const after =
      start === null
        ? undefined
        : or(beyond(column, start.value), and(eq(column, start.value), gt(files.key, start.key)));
    const rows = this.#db
      .select({ ...RECORD, value: column, key: files.key })
      .from(files)
      .where(and(...conditions, after))
      .orderBy(order === "asc" ? asc(column) : desc(column), asc(files.key))
      .limit(limit + 1)
      .all();
    const total =
      this.#db
        .select({ total: count() })
        .from(files)
        .where(and(...conditions))
        .get()?.total ?? 0;
    const page = rows.slice(0, limit);
    const last = page.at(-1);
    const nextCursor =
      rows.length > limit && last !== undefined
        ? encodeCursor({ sort, order, value: last.value, key: last.key } satisfies Position)
        : null;
    return { records: page.map(recordOf), nextCursor, total };
  }
}

function conditionsOf(options: ListOptions, paths: string[] | null): SQL[] {
  const conditions: SQL[] = [eq(files.status, "session")];
  const { project, format, since, until, query } = options;
  if (project !== undefined) conditions.push(eq(files.project, project));
  if (format !== undefined) conditions.push(eq(files.format, format));
  if (since !== undefined) conditions.push(gte(files.modifiedAt, utc(since)));
  if (until !== undefined) conditions.push(lt(files.modifiedAt, utc(until)));
  for (const word of (query ?? "").toLowerCase().split(/\s+/)) {
    if (word !== "") conditions.push(sql`instr(${files.filterText}, ${word}) > 0`);
  }
  if (paths !== null) conditions.push(sql`${files.path} IN (SELECT value FROM json_each(${JSON.stringify(paths)}))`);
  return conditions;
}

/** Times are compared as text, so they have to be of one form. */
export function utc(time: string): string {
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
