import { and, asc, between, eq, or, sql } from "drizzle-orm";
import type { SQLiteColumn } from "drizzle-orm/sqlite-core";
import type { SessionRecord } from "../../session/record.ts";
import type { FileStamp } from "../session-file/session-file.ts";
import type { QueryBuilder } from "../storage/queries.ts";
import { activity, contents, files, filterTexts, folds, outlines, records } from "./index-schema.ts";
import type { KnownFile } from "./known-file.ts";

/** What every append changes. */
const GROWING = {
  size: files.size,
  mtime: files.mtime,
  ctime: files.ctime,
  readBytes: files.readBytes,
  endsInLf: files.endsInLf,
  fingerprint: files.fingerprint,
  entryCount: files.entryCount,
  modifiedAt: files.modifiedAt,
  messageCount: files.messageCount,
};
/** What hardly any append changes. */
const SETTLED = {
  path: files.path,
  inode: files.inode,
  status: files.status,
  shard: files.shard,
  sessionId: files.sessionId,
  name: files.name,
  format: files.format,
  project: files.project,
  title: files.title,
  createdAt: files.createdAt,
};

/**
 * Prepares an update of columns that does nothing where they are what they were: an update removes a row from the
 * index of every column that it names, and enters it again.
 */
function prepareUpdate(db: QueryBuilder, columns: Record<string, SQLiteColumn>) {
  const values = Object.entries(columns).map(
    ([name, column]) => [name, sql`${sql.param(sql.placeholder(name), column)}`] as const,
  );
  const isChanged = Object.values(columns).map((column, place) => sql`${column} IS NOT ${values[place]?.[1]}`);
  return db
    .update(files)
    .set(Object.fromEntries(values))
    .where(and(eq(files.key, sql.placeholder("key")), or(...isChanged)))
    .prepare();
}

/** The chunks of a content lie one behind the other; none has so many, of which each holds 128 entries or more. */
const MAX_CHUNKS = 2 ** 22;

/** Names a chunk of the outline or the activity of a content by its place there. */
export function chunkId(key: number, place: number): number {
  return key * MAX_CHUNKS + place;
}

/** Names all chunks that a content may have. */
export function chunkIds(key: number): { first: number; last: number } {
  return { first: chunkId(key, 0), last: chunkId(key + 1, 0) - 1 };
}

/** What {@link chunkId} has named. */
export function placeOfChunk(id: number): { key: number; place: number } {
  return { key: Math.floor(id / MAX_CHUNKS), place: id % MAX_CHUNKS };
}

/** What tells a file from another. The texts behind these columns are not read: they fill pages of their own. */
const KNOWN = {
  key: files.key,
  path: files.path,
  size: files.size,
  mtime: files.mtime,
  ctime: files.ctime,
  inode: files.inode,
  status: files.status,
  readBytes: files.readBytes,
  endsInLf: files.endsInLf,
  fingerprint: files.fingerprint,
  entryCount: files.entryCount,
  shard: files.shard,
  indexedCount: files.indexedCount,
};

type KnownRow = Pick<typeof files.$inferSelect, keyof typeof KNOWN>;

/** Gives what a row of {@link KNOWN} says; `null` where there is none. */
export function knownFile(row: KnownRow | undefined): KnownFile | null {
  return row === undefined ? null : knownRow(row);
}

export function knownRow(row: KnownRow): KnownFile {
  const { key, path, status, shard, entryCount, indexedCount, size, mtime, ctime, inode } = row;
  return {
    key,
    path,
    status: status === "away" ? "session" : status,
    isAway: status === "away",
    shard,
    entryCount,
    indexedCount,
    stamp: { size, mtime, ctime, inode },
    progress: { bytes: row.readBytes, endsInLf: row.endsInLf, fingerprint: row.fingerprint },
  };
}

const CHUNK = { id: outlines.id, entries: outlines.entries, checksum: outlines.checksum };

/** Prepares each statement when it is first used: to prepare all of them takes a start some milliseconds a thread. */
function whenUsed<Makers extends Record<string, () => unknown>>(makers: Makers) {
  const statements = {};
  for (const [name, make] of Object.entries(makers)) {
    Object.defineProperty(statements, name, {
      configurable: true,
      get() {
        const value = make();
        Object.defineProperty(statements, name, { value });
        return value;
      },
    });
  }
  return statements as { readonly [Name in keyof Makers]: ReturnType<Makers[Name]> };
}

/** The statements for what is asked or written often. */
export function prepareStatements(db: QueryBuilder) {
  const placeholder = sql.placeholder;
  return whenUsed({
    stamps: () =>
      db
        .select({
          path: files.path,
          size: files.size,
          mtime: files.mtime,
          ctime: files.ctime,
          inode: files.inode,
          status: files.status,
        })
        .from(files)
        .prepare(),
    find: () =>
      db
        .select(KNOWN)
        .from(files)
        .where(eq(files.path, placeholder("path")))
        .prepare(),
    findAll: () =>
      db
        .select(KNOWN)
        .from(files)
        .where(sql`${files.path} IN (SELECT value FROM json_each(${placeholder("paths")}))`)
        .prepare(),
    findContent: () =>
      db
        .select(KNOWN)
        .from(files)
        .where(eq(files.key, placeholder("key")))
        .prepare(),
    contents: () =>
      db
        .select({ ...KNOWN, format: files.format })
        .from(files)
        .where(sql`${files.key} IN (SELECT value FROM json_each(${placeholder("keys")}))`)
        .prepare(),
    fold: () =>
      db
        .select({ key: folds.key, state: folds.state, checksum: folds.checksum })
        .from(folds)
        .where(eq(folds.key, placeholder("key")))
        .prepare(),
    record: () =>
      db
        .select({ key: records.key, record: records.record, checksum: records.checksum })
        .from(records)
        .where(eq(records.key, placeholder("key")))
        .prepare(),
    chunks: () =>
      db
        .select(CHUNK)
        .from(outlines)
        .where(between(outlines.id, placeholder("first"), placeholder("last")))
        .orderBy(asc(outlines.id))
        .prepare(),
    chunk: () =>
      db
        .select(CHUNK)
        .from(outlines)
        .where(eq(outlines.id, placeholder("id")))
        .prepare(),
    activity: () =>
      db
        .select()
        .from(activity)
        .where(eq(activity.id, placeholder("id")))
        .prepare(),
    status: () =>
      db
        .select({ status: files.status })
        .from(files)
        .where(eq(files.key, placeholder("key")))
        .prepare(),
    setStatus: () =>
      db
        .update(files)
        .set({ status: sql`${placeholder("status")}` })
        .where(eq(files.key, placeholder("key")))
        .prepare(),
    putRecord: () =>
      db
        .insert(records)
        .values({ key: placeholder("key"), record: placeholder("record") })
        .onConflictDoUpdate({ target: records.key, set: { record: sql`excluded.record` } })
        .prepare(),
    putFilterText: () =>
      db
        .insert(filterTexts)
        .values({ key: placeholder("key"), text: placeholder("text") })
        .onConflictDoUpdate({ target: filterTexts.key, set: { text: sql`excluded.text` } })
        .prepare(),
    putFold: () =>
      db
        .insert(folds)
        .values({ key: placeholder("key"), state: placeholder("state") })
        .onConflictDoUpdate({ target: folds.key, set: { state: sql`excluded.state` } })
        .prepare(),
    putChunk: () =>
      db
        .insert(outlines)
        .values({ id: placeholder("id"), entries: placeholder("entries") })
        .onConflictDoUpdate({ target: outlines.id, set: { entries: sql`excluded.entries` } })
        .prepare(),
    putActivity: () =>
      db
        .insert(activity)
        .values({
          id: placeholder("id"),
          entries: placeholder("entries"),
          rollup: placeholder("rollup"),
          details: placeholder("details"),
        })
        .onConflictDoUpdate({
          target: activity.id,
          set: {
            entries: sql`excluded.entries`,
            rollup: sql`excluded.rollup`,
            details: sql`excluded.details`,
          },
        })
        .prepare(),
    updates: () => [GROWING, { cost: files.cost }, SETTLED].map((columns) => prepareUpdate(db, columns)),
    count: () =>
      db
        .insert(contents)
        .values({
          shard: placeholder("shard"),
          sessions: placeholder("sessions"),
          bytes: placeholder("bytes"),
          generation: placeholder("generation"),
        })
        .onConflictDoUpdate({
          target: contents.shard,
          set: {
            sessions: sql`${contents.sessions} + excluded.sessions`,
            bytes: sql`${contents.bytes} + excluded.bytes`,
            generation: sql`${contents.generation} + excluded.generation`,
          },
        })
        .prepare(),
    insert: () =>
      db
        .insert(files)
        .values({
          path: placeholder("path"),
          size: placeholder("size"),
          mtime: placeholder("mtime"),
          ctime: placeholder("ctime"),
          inode: placeholder("inode"),
          status: placeholder("status"),
          readBytes: placeholder("readBytes"),
          endsInLf: placeholder("endsInLf"),
          fingerprint: placeholder("fingerprint"),
          entryCount: placeholder("entryCount"),
          shard: placeholder("shard"),
          indexedCount: placeholder("indexedCount"),
          sessionId: placeholder("sessionId"),
          name: placeholder("name"),
          format: placeholder("format"),
          project: placeholder("project"),
          title: placeholder("title"),
          modifiedAt: placeholder("modifiedAt"),
          createdAt: placeholder("createdAt"),
          messageCount: placeholder("messageCount"),
          cost: placeholder("cost"),
        })
        .returning({ key: files.key })
        .prepare(),
  });
}

/** The columns of a session, for a file that is none. */
export const NO_SESSION = {
  readBytes: 0,
  endsInLf: true,
  fingerprint: "",
  entryCount: 0,
  indexedCount: 0,
  sessionId: "",
  name: null,
  format: "",
  project: null,
  title: "",
  modifiedAt: "",
  createdAt: "",
  messageCount: 0,
  cost: 0,
};

/** Gives the columns of any file. */
export function fileColumns(
  path: string,
  stamp: FileStamp,
  status: "session" | "skipped" | "unreadable",
  shard: number,
) {
  return { path, ...stamp, status, shard };
}

/** Gives the columns that a list filters and sorts by. */
export function recordColumns(record: SessionRecord) {
  return {
    sessionId: record.id,
    name: record.name,
    format: record.format,
    project: record.cwd,
    title: record.title,
    modifiedAt: record.modified_at,
    createdAt: record.created_at,
    messageCount: record.message_count,
    cost: record.usage.cost_usd ?? 0,
  };
}

/** Gives what a filter by words looks at. The title mostly is the beginning of the first message: that is enough then. */
export function filterText({ title, first_message: first, cwd, path, id }: SessionRecord): string {
  const texts = first?.startsWith(title) === true ? [first, cwd, path, id] : [title, first, cwd, path, id];
  return texts.join("\n").toLowerCase();
}
