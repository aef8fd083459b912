import { and, asc, between, eq, sql } from "drizzle-orm";
import type { QueryBuilder } from "../storage/queries.ts";
import { activity, contents, files, isPathIn, outlines, summaries } from "./index-schema.ts";
import type { KnownFile } from "./known-file.ts";

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
  fromVault: files.fromVault,
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
  const { key, path, status, shard, entryCount, indexedCount, fromVault, size, mtime, ctime, inode } = row;
  return {
    key,
    path,
    status: status === "away" ? "session" : status,
    isAway: status === "away",
    fromVault,
    shard,
    entryCount,
    indexedCount,
    stamp: { size, mtime, ctime, inode },
    progress: { bytes: row.readBytes, endsInLf: row.endsInLf, fingerprint: row.fingerprint },
  };
}

/** What {@link storedRecord} reads. */
export const STORED = {
  key: files.key,
  path: files.path,
  size: files.size,
  mtime: files.mtime,
  fromVault: files.fromVault,
  sessionId: files.sessionId,
  format: files.format,
  project: files.project,
  summary: summaries.summary,
  checksum: summaries.checksum,
};

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

export type CatalogStatements = ReturnType<typeof prepareStatements>;

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
          fromVault: files.fromVault,
        })
        .from(files)
        .prepare(),
    find: () =>
      db
        .select(KNOWN)
        .from(files)
        .where(
          and(sql`checksum(${files.path}) = checksum(${placeholder("path")})`, eq(files.path, placeholder("path"))),
        )
        .prepare(),
    findAll: () =>
      db
        .select(KNOWN)
        .from(files)
        .where(isPathIn(placeholder("paths")))
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
    stored: () =>
      db
        .select(STORED)
        .from(files)
        .innerJoin(summaries, eq(summaries.key, files.key))
        .where(eq(files.key, placeholder("key")))
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
    setStatus: () =>
      db
        .update(files)
        .set({ status: sql`${placeholder("status")}` })
        .where(eq(files.key, placeholder("key")))
        .prepare(),
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
  });
}
