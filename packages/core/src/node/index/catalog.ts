import { and, asc, desc, eq, gte, lt, sql } from "drizzle-orm";
import { drizzle } from "drizzle-orm/better-sqlite3";
import { OUTLINE_CHUNK, Outline } from "../../session/outline.ts";
import type { SessionRecord } from "../../session/record.ts";
import { type FoldState, SessionFold } from "../../session/summary.ts";
import type { FileStamp, ReadProgress, ReadSession } from "../session-file.ts";
import type { SqliteDatabase } from "../sqlite.ts";
import type { SessionKey } from "../threads/tasks.ts";
import { work } from "../work.ts";
import { decodeStored } from "./index-error.ts";
import { dropped, files, folds, outlines } from "./schema.ts";

/** What is known of a file. */
export interface KnownFile {
  key: number;
  path: string;
  status: "session" | "skipped" | "unreadable";
  stamp: FileStamp;
  progress: ReadProgress;
  shard: number;
  entryCount: number;
  indexedCount: number;
}

/** The catalog of files, records and outlines in `index.db`. Writers are worker threads; anybody may read. */
export class Catalog {
  readonly #client: SqliteDatabase;
  readonly #db;
  readonly #statements;

  constructor(client: SqliteDatabase) {
    this.#client = client;
    this.#db = drizzle(client);
    this.#statements = prepareStatements(this.#db);
  }

  /** Runs `write` as one transaction that takes the write lock at its start, so that it never has to be repeated. */
  write<T>(write: () => T): T {
    return this.#client.transaction(write).immediate();
  }

  close(): void {
    this.#client.close();
  }

  stamps(): Map<string, FileStamp> {
    const rows = this.#statements.stamps.all();
    return new Map(rows.map(({ path, ...stamp }) => [path, stamp]));
  }

  find(path: string): KnownFile | null {
    const row = this.#statements.find.get({ path });
    if (row === undefined) return null;
    const { key, status, shard, entryCount, indexedCount, size, mtime, ctime, inode } = row;
    return {
      key,
      path,
      status,
      shard,
      entryCount,
      indexedCount,
      stamp: { size, mtime, ctime, inode },
      progress: { bytes: row.readBytes, endsInLf: row.endsInLf, fingerprint: row.fingerprint },
    };
  }

  /** The fold as it was kept, to be resumed. */
  fold(key: number): SessionFold {
    const row = this.#statements.fold.get({ key });
    if (row === undefined) throw new Error(`The index has no summary for content ${key}.`);
    const state = parseState(row.state);
    const outline = this.outline(key);
    return decodeStored(() => new SessionFold({ state, outline }));
  }

  outline(key: number): Outline {
    const chunks = this.#statements.chunks.all({ key, first: 0 }).map((row) => row.entries);
    return decodeStored(() => Outline.decode(chunks));
  }

  state(key: number): FoldState | null {
    const row = this.#statements.fold.get({ key });
    return row === undefined ? null : parseState(row.state);
  }

  /** One entry of an outline: only its chunk is read. */
  entryAt(key: number, ordinal: number) {
    const first = ordinal - (ordinal % OUTLINE_CHUNK);
    const row = this.#statements.chunk.get({ key, first });
    if (row === undefined) return null;
    const chunk = decodeStored(() => Outline.decodeAlone(row.entries, first));
    return ordinal - first < chunk.count ? chunk.at(ordinal - first) : null;
  }

  /** Keeps a session; a content that was resumed keeps its key, any other gets a new one. */
  putSession(
    path: string,
    read: ReadSession,
    record: SessionRecord,
    known: KnownFile | null,
    shard: number,
  ): KnownFile {
    const { fold, progress, stamp, resumedAt } = read;
    const resumed = known !== null && known.status === "session" && resumedAt > 0;
    if (known !== null && !resumed) this.#drop(known);
    const values = {
      ...fileColumns(path, stamp, "session", resumed ? known.shard : shard),
      readBytes: progress.bytes,
      endsInLf: progress.endsInLf,
      fingerprint: progress.fingerprint,
      entryCount: fold.outline.count,
      ...recordColumns(record),
    };
    let key: number;
    if (resumed) {
      key = known.key;
      this.#db.update(files).set(values).where(eq(files.key, key)).run();
    } else {
      key = this.#statements.insert.get({ ...values, indexedCount: 0 }).key;
    }
    this.#statements.putFold.run({ key, state: JSON.stringify(fold.state) });
    const firstChanged = resumed ? resumedAt - (resumedAt % OUTLINE_CHUNK) : 0;
    for (let first = firstChanged; first < fold.outline.count; first += OUTLINE_CHUNK) {
      this.#statements.putChunk.run({ key, first, entries: Buffer.from(fold.outline.encodeChunk(first)) });
      work.rowsWritten++;
    }
    work.rowsWritten += 2;
    const indexedCount = resumed ? known.indexedCount : 0;
    return {
      key,
      path,
      status: "session",
      stamp,
      progress,
      shard: values.shard,
      entryCount: values.entryCount,
      indexedCount,
    };
  }

  /** Keeps a file that is no session, so that it is not opened again while it stays the same. */
  putOther(path: string, stamp: FileStamp, status: "skipped" | "unreadable", known: KnownFile | null): KnownFile {
    if (known !== null) this.#drop(known);
    const columns = fileColumns(path, stamp, status, 0);
    const key = this.#statements.insert.get({ ...columns, ...NO_SESSION }).key;
    work.rowsWritten++;
    const progress = { bytes: 0, endsInLf: true, fingerprint: "" };
    return { key, path, status, stamp, progress, shard: 0, entryCount: 0, indexedCount: 0 };
  }

  /** @returns what was known of it. */
  remove(path: string): KnownFile | null {
    const known = this.find(path);
    if (known !== null) this.#drop(known);
    return known;
  }

  /**
   * Whether a session that was read is what is known of it already. Where a file was read anew this compares all that
   * is kept; only a change in place, of equal length and outside every excerpt, is not seen.
   */
  isKept(known: KnownFile, { fold, resumedAt }: ReadSession, record: SessionRecord): boolean {
    const { key } = known;
    if (this.#statements.record.get({ key })?.record !== JSON.stringify(record)) return false;
    if (resumedAt > 0) return true;
    if (this.#statements.fold.get({ key })?.state !== JSON.stringify(fold.state)) return false;
    const chunks = this.#statements.chunks.all({ key, first: 0 });
    if (chunks.length !== Math.ceil(fold.outline.count / OUTLINE_CHUNK)) return false;
    return decodeStored(() =>
      chunks.every(({ entries }, place) => entries.equals(fold.outline.encodeChunk(place * OUTLINE_CHUNK))),
    );
  }

  #drop(known: KnownFile): void {
    this.#db.delete(files).where(eq(files.key, known.key)).run();
    this.#db.delete(folds).where(eq(folds.key, known.key)).run();
    this.#db.delete(outlines).where(eq(outlines.key, known.key)).run();
    if (known.status === "session") {
      this.#db.insert(dropped).values({ key: known.key, shard: known.shard }).onConflictDoNothing().run();
    }
    work.rowsWritten++;
  }

  droppedKeys(shard: number): number[] {
    return this.#db
      .select({ key: dropped.key })
      .from(dropped)
      .where(eq(dropped.shard, shard))
      .all()
      .map((row) => row.key);
  }

  swept(keys: number[]): void {
    for (const key of keys) this.#db.delete(dropped).where(eq(dropped.key, key)).run();
  }

  markIndexed(key: number, entries: number): void {
    this.#db.update(files).set({ indexedCount: entries }).where(eq(files.key, key)).run();
    work.rowsWritten++;
  }

  /** Sessions with text that is not searchable yet, newest first. */
  unindexed(): (SessionKey & { shard: number; size: number })[] {
    return this.#db
      .select({ key: files.key, path: files.path, shard: files.shard, size: files.size })
      .from(files)
      .where(and(eq(files.status, "session"), lt(files.indexedCount, files.entryCount)))
      .orderBy(sql`${files.modifiedAt} DESC`)
      .all();
  }

  /** The newest first; `keys` of those that are wanted, `null` for all. */
  sessionsByAge(keys: number[] | null): { key: number; shard: number; modifiedAt: string }[] {
    const wanted =
      keys === null ? undefined : sql`${files.key} IN (SELECT value FROM json_each(${JSON.stringify(keys)}))`;
    return this.#db
      .select({ key: files.key, shard: files.shard, modifiedAt: files.modifiedAt })
      .from(files)
      .where(and(eq(files.status, "session"), wanted))
      .orderBy(desc(files.modifiedAt), desc(files.key))
      .all();
  }

  droppedShards(): number[] {
    return this.#db
      .selectDistinct({ shard: dropped.shard })
      .from(dropped)
      .all()
      .map((row) => row.shard);
  }

  /** Bytes of sessions by text database, so that new ones go where there are fewer. */
  shardBytes(shards: number): number[] {
    const bytes = new Array<number>(shards).fill(0);
    const rows = this.#db
      .select({ shard: files.shard, bytes: sql<number>`sum(${files.size})` })
      .from(files)
      .where(eq(files.status, "session"))
      .groupBy(files.shard)
      .all();
    for (const row of rows) bytes[row.shard] = row.bytes;
    return bytes;
  }
}

function prepareStatements(db: ReturnType<typeof drizzle>) {
  const placeholder = sql.placeholder;
  return {
    stamps: db
      .select({ path: files.path, size: files.size, mtime: files.mtime, ctime: files.ctime, inode: files.inode })
      .from(files)
      .prepare(),
    find: db
      .select()
      .from(files)
      .where(eq(files.path, placeholder("path")))
      .prepare(),
    fold: db
      .select({ state: folds.state })
      .from(folds)
      .where(eq(folds.key, placeholder("key")))
      .prepare(),
    record: db
      .select({ record: files.record })
      .from(files)
      .where(eq(files.key, placeholder("key")))
      .prepare(),
    chunks: db
      .select({ entries: outlines.entries })
      .from(outlines)
      .where(and(eq(outlines.key, placeholder("key")), gte(outlines.first, placeholder("first"))))
      .orderBy(asc(outlines.first))
      .prepare(),
    chunk: db
      .select({ entries: outlines.entries })
      .from(outlines)
      .where(and(eq(outlines.key, placeholder("key")), eq(outlines.first, placeholder("first"))))
      .prepare(),
    putFold: db
      .insert(folds)
      .values({ key: placeholder("key"), state: placeholder("state") })
      .onConflictDoUpdate({ target: folds.key, set: { state: sql`excluded.state` } })
      .prepare(),
    putChunk: db
      .insert(outlines)
      .values({ key: placeholder("key"), first: placeholder("first"), entries: placeholder("entries") })
      .onConflictDoUpdate({ target: [outlines.key, outlines.first], set: { entries: sql`excluded.entries` } })
      .prepare(),
    insert: db
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
        format: placeholder("format"),
        project: placeholder("project"),
        title: placeholder("title"),
        modifiedAt: placeholder("modifiedAt"),
        createdAt: placeholder("createdAt"),
        messageCount: placeholder("messageCount"),
        cost: placeholder("cost"),
        filterText: placeholder("filterText"),
        record: placeholder("record"),
      })
      .returning({ key: files.key })
      .prepare(),
  };
}

const NO_SESSION = {
  readBytes: 0,
  endsInLf: true,
  fingerprint: "",
  entryCount: 0,
  indexedCount: 0,
  sessionId: "",
  format: "",
  project: null,
  title: "",
  modifiedAt: "",
  createdAt: "",
  messageCount: 0,
  cost: 0,
  filterText: "",
  record: "",
};

function fileColumns(path: string, stamp: FileStamp, status: KnownFile["status"], shard: number) {
  return { path, ...stamp, status, shard };
}

function recordColumns(record: SessionRecord) {
  return {
    sessionId: record.id,
    format: record.format,
    project: record.cwd,
    title: record.title,
    modifiedAt: record.modified_at,
    createdAt: record.created_at,
    messageCount: record.message_count,
    cost: record.usage.cost_usd ?? 0,
    filterText: [record.title, record.first_message, record.cwd, record.path, record.id].join("\n").toLowerCase(),
    record: JSON.stringify(record),
  };
}

function parseState(text: string): FoldState {
  // Written by `putSession` of the same index version.
  return decodeStored(() => JSON.parse(text) as FoldState);
}
