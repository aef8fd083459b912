import { isDeepStrictEqual } from "node:util";
import { decodeStored, IndexError, verify } from "@sm/text-index/storage";
import { and, eq, lt, sql } from "drizzle-orm";
import { formatNamed } from "../../format/formats.ts";
import { OUTLINE_CHUNK, Outline, type OutlineEntry } from "../../session/outline.ts";
import type { SessionFormatName } from "../../session/record.ts";
import { SessionFold } from "../../session/session-fold.ts";
import { recordOf, type SessionSummary } from "../../session/summary.ts";
import { parseTimestamp } from "../../session/timestamp.ts";
import { activityPlace, SessionActivity } from "../../stats/session-activity.ts";
import type { FileStamp } from "../session-file/file-stamp.ts";
import type { ReadSession } from "../session-file/session-file.ts";
import { work } from "../session-file/work.ts";
import type { IndexPlace } from "../storage/index-place.ts";
import { queriesOn } from "../storage/queries.ts";
import { runWriteTransaction, type SqliteDatabase } from "../storage/sqlite.ts";
import { cacheShare } from "../threads/cache-budget.ts";
import { Answers } from "./answers.ts";
import { chunkId, chunkIds, knownFile, knownRow, prepareStatements } from "./catalog-rows.ts";
import { type CatalogWrites, type FileRow, NO_SESSION, prepareWrites } from "./catalog-writes.ts";
import { type Descent, descentOf, isTraced } from "./descent.ts";
import type { ListChange, SessionKey } from "./found-files.ts";
import { catalogPath } from "./index-databases.ts";
import { contents, dropped, files, missingDirectories, type outlines } from "./index-schema.ts";
import type { KnownFile, KnownStamp } from "./known-file.ts";
import { RecentFolds } from "./recent-folds.ts";
import { RecentKeys } from "./recent-keys.ts";
import { Relations } from "./relations.ts";
import { checksumOf, encodeSummary, type StoredSession, storable, storedRecord, summaryOf } from "./stored-session.ts";
import { ToldTitles } from "./told-titles.ts";

/** What is known of a file that is a session, and the name of its format. */
export interface KnownContent extends KnownFile {
  format: SessionFormatName;
}

type StoredStatus = (typeof files.$inferSelect)["status"];

export interface MissingSessions {
  /** By path, since when in milliseconds since 1970. */
  directories: ReadonlyMap<string, number>;
  left: string[];
  returned: string[];
}

/** The catalog of files, records and outlines in `index.db`. Writers are worker threads; anybody may read. */
export class Catalog {
  readonly #client: SqliteDatabase;
  readonly #db;
  readonly #statements;
  #writeStatements: CatalogWrites | null = null;
  readonly #recentFolds: RecentFolds;
  readonly #recentKeys = new RecentKeys();
  #writtenRelations: Relations | null = null;
  #writtenAnswers: Answers | null = null;
  #writtenTitles: ToldTitles | null = null;
  readonly #retitled = new Set<string>();
  /** By text database: what the transaction under way adds to `contents`. */
  readonly #counts = new Map<number, { sessions: number; bytes: number; generation: number }>();

  /** @param foldBytes room for the folds of sessions that grow. */
  constructor(client: SqliteDatabase, foldBytes = cacheShare("scout", 1).folds) {
    this.#client = client;
    this.#recentFolds = new RecentFolds(foldBytes);
    this.#db = queriesOn(client);
    this.#statements = prepareStatements(this.#db);
  }

  /** Prepared when something is first written: most starts write nothing. */
  get #writes() {
    this.#writeStatements ??= prepareWrites(this.#client);
    return this.#writeStatements;
  }

  get #relations() {
    this.#writtenRelations ??= new Relations(this.#client, (key, entryCount) =>
      this.entriesFrom({ key, entryCount }, 0),
    );
    return this.#writtenRelations;
  }

  get #answers() {
    this.#writtenAnswers ??= new Answers(this.#client);
    return this.#writtenAnswers;
  }

  get #titles() {
    this.#writtenTitles ??= new ToldTitles(this.#client, (key, entryCount) => this.entriesFrom({ key, entryCount }, 0));
    return this.#writtenTitles;
  }

  /** Paths of sessions whose records have changed with other files, since this was called last. */
  takeRelated(): string[] {
    const related = [...(this.#writtenRelations?.take() ?? []), ...(this.#writtenAnswers?.take() ?? [])];
    const paths = new Set([...related, ...this.#retitled]);
    this.#retitled.clear();
    return [...paths];
  }

  /** Runs `write` as one transaction that takes the write lock at its start, so that it never has to be repeated. */
  write<T>(write: () => T): T {
    this.#counts.clear();
    this.#writtenRelations?.begin();
    this.#writtenAnswers?.begin();
    this.#writtenTitles?.begin();
    return runWriteTransaction(this.#client, () => {
      const result = write();
      this.#writtenRelations?.settle();
      // Origins come before their forks.
      for (const key of this.#writtenRelations?.moved ?? []) this.#answers.changing(key);
      this.#writtenAnswers?.settle();
      for (const { key, title } of this.#writtenTitles?.settle() ?? []) this.#retitle(key, title);
      for (const [shard, counts] of this.#counts) this.#statements.count.run({ shard, ...counts });
      return result;
    });
  }

  /** Bytes of the folds that it keeps in memory. */
  get cachedBytes(): number {
    return this.#recentFolds.bytes;
  }

  close(): void {
    this.#client.close();
  }

  stamps(): Map<string, KnownStamp> {
    const stamps = new Map<string, KnownStamp>();
    // The columns of the statement: as arrays, for there is a row for every file, and a start reads them all.
    const rows = this.#statements.stamps.values() as [string, number, number, number, number, StoredStatus, 0 | 1][];
    for (const [path, size, mtime, ctime, inode, status, fromVault] of rows) {
      const isAway = status === "away";
      const stamp = { size, mtime, ctime, inode };
      stamps.set(path, { ...stamp, status: isAway ? "session" : status, isAway, fromVault: fromVault === 1 });
    }
    return stamps;
  }

  /** Directories with sessions that are away, and since when, in milliseconds since 1970. */
  missingDirectories(): Map<string, number> {
    const rows = this.#db.select().from(missingDirectories).all();
    return new Map(rows.map(({ path, since }) => [path, since]));
  }

  /**
   * Takes note of what a comparison has found to be missing, since when.
   *
   * @param left sessions to take out of every list; all that is known of them stays.
   * @param returned sessions to put back.
   */
  setMissing({ directories, left, returned }: MissingSessions): void {
    if (left.length + returned.length === 0 && isDeepStrictEqual(directories, this.missingDirectories())) return;
    this.write(() => {
      this.#db.delete(missingDirectories).run();
      for (const [path, since] of directories) this.#db.insert(missingDirectories).values({ path, since }).run();
      this.#setAway(left, true);
      this.#setAway(returned, false);
    });
  }

  #setAway(paths: readonly string[], isAway: boolean): void {
    for (const path of paths) {
      const known = this.find(path);
      if (known?.status !== "session" || known.isAway === isAway) continue;
      if (isAway) this.#relations.leaving(known.key);
      this.#answers.changing(known.key);
      this.#statements.setStatus.run({ key: known.key, status: isAway ? "away" : "session" });
      if (!isAway) this.#relations.put({ key: known.key, path, id: this.#stored(known.key)?.sessionId ?? "" });
      this.#count(known.shard, { sessions: isAway ? -1 : 1, bytes: 0 });
      work.rowsWritten++;
    }
  }

  find(path: string): KnownFile | null {
    const [recent] = this.#recentKeys.of([path]);
    const known = recent === undefined ? null : this.findContent(recent);
    return known?.path === path ? known : knownFile(this.#statements.find.get({ path }));
  }

  /** What {@link find} finds of many paths. */
  findAll(paths: readonly string[]): KnownFile[] {
    const [only] = paths;
    if (only !== undefined && paths.length === 1) return [this.find(only)].filter((known) => known !== null);
    return this.#statements.findAll.all({ paths: JSON.stringify(paths) }).map(knownRow);
  }

  /** What {@link find} finds, from its key: that takes half as many pages. */
  findContent(key: number): KnownFile | null {
    return knownFile(this.#statements.findContent.get({ key }));
  }

  /** The fold as it was kept, to be resumed. */
  fold(key: number): SessionFold {
    const stored = this.#stored(key);
    if (stored === null) throw this.#withoutSummary(key);
    const { state } = summaryOf(stored);
    const outline = this.outline(key);
    return decodeStored(() => new SessionFold({ state, outline, activity: this.#activityToResume(key, outline) }));
  }

  /** Both are written at once: only where the content has gone meanwhile, the index is not damaged. */
  #withoutSummary(key: number): Error {
    const message = `The index has no summary for content ${key}.`;
    return this.findContent(key)?.status === "session" ? new IndexError("damaged", message) : new Error(message);
  }

  #stored(key: number): StoredSession | null {
    return this.#statements.stored.get({ key }) ?? null;
  }

  #activityToResume(key: number, outline: Outline): SessionActivity {
    const kept = this.#statements.activity.get({ id: chunkId(key, activityPlace(outline.count)) });
    if (kept !== undefined) {
      verify(kept.rollupChecksum, kept.id, kept.entries, kept.rollup);
      verify(kept.checksum, kept.id, kept.details);
    }
    return SessionActivity.resume(outline.count, kept ?? null, (ordinal) => outline.timestamp(ordinal));
  }

  /** The fold of a session that has grown: at hand where this catalog has kept the last append too. */
  foldToResume({ key, progress }: KnownFile): SessionFold {
    return this.#recentFolds.take(key, progress) ?? this.fold(key);
  }

  outline(key: number): Outline {
    const chunks = this.#statements.chunks.all(chunkIds(key)).map(entriesOf);
    return decodeStored(() => Outline.decode(chunks));
  }

  /** What {@link findContent} finds of many contents, in one query. */
  contents(keys: readonly number[]): Map<number, KnownContent> {
    const rows = this.#statements.contents.all({ keys: JSON.stringify(keys) });
    return new Map(rows.map(({ format, ...row }) => [row.key, { ...knownRow(row), format }]));
  }

  /** Entries from an ordinal on: only their chunks are read, one after the other. */
  *entriesFrom({ key, entryCount }: Pick<KnownFile, "key" | "entryCount">, ordinal: number): Generator<OutlineEntry> {
    let at = ordinal % OUTLINE_CHUNK;
    for (let first = ordinal - at; first < entryCount; first += OUTLINE_CHUNK) {
      const row = this.#statements.chunk.get({ id: chunkId(key, first / OUTLINE_CHUNK) });
      if (row === undefined) return;
      const chunk = decodeStored(() => Outline.decodeAlone(entriesOf(row), first));
      for (; at < chunk.count; at++) yield chunk.at(at);
      at = 0;
    }
  }

  /** One entry of an outline: only its chunk is read. */
  entryAt(key: number, ordinal: number) {
    const first = ordinal - (ordinal % OUTLINE_CHUNK);
    const row = this.#statements.chunk.get({ id: chunkId(key, first / OUTLINE_CHUNK) });
    if (row === undefined) return null;
    const chunk = decodeStored(() => Outline.decodeAlone(entriesOf(row), first));
    return ordinal - first < chunk.count ? chunk.at(ordinal - first) : null;
  }

  /**
   * Keeps a session; a content that was resumed keeps its key, any other gets a new one.
   *
   * @param summary of the fold that was read.
   */
  putSession(
    path: string,
    read: ReadSession,
    summary: SessionSummary,
    known: KnownFile | null,
    shard: number,
  ): KnownFile {
    const { fold, progress, stamp, fromVault, resumedAt } = read;
    const resumed = known !== null && known.status === "session" && resumedAt > 0;
    if (known !== null && !resumed) this.#drop(known);
    const { titlesOthers = false } = formatNamed(fold.state.format ?? "pi").agent;
    if (titlesOthers) this.#addToldTitle(path, fold, resumedAt, resumed ? known.key : null);
    const record = recordOf(summary, { path, size: stamp.size, modifiedAt: stamp.mtime });
    const entryCount = fold.outline.count;
    const descent = descentOf(path, record.format, fold.state, fold.outline);
    const row = {
      path,
      ...stamp,
      from_vault: fromVault ? 1 : 0,
      status: "session",
      shard: resumed ? known.shard : shard,
      indexed_count: resumed ? known.indexedCount : 0,
      read_bytes: progress.bytes,
      ends_in_lf: progress.endsInLf ? 1 : 0,
      fingerprint: progress.fingerprint,
      entry_count: entryCount,
      modified_at: parseTimestamp(record.modified_at),
      created_at: parseTimestamp(record.created_at),
      message_count: record.message_count,
      session_id: storable(record.id),
      format: record.format,
      project: record.cwd === null ? null : storable(record.cwd),
      relation: descent.relation,
      parent_reference: descent.parentReference === null ? null : storable(descent.parentReference),
      origin: descent.origin === null ? null : storable(descent.origin),
    } satisfies FileRow;
    const isElsewhere = resumed && (known.path !== path || known.isAway);
    if (isElsewhere) {
      this.#relations.leaving(known.key);
      this.#answers.changing(known.key);
    } else if (resumed) this.#answers.timed(known.key, row.created_at ?? 0);
    const key = resumed ? known.key : Number(this.#writes.insert.run(row).lastInsertRowid);
    if (resumed) {
      this.#writes.update.run({ ...row, key });
      const isMoved = known.path !== path;
      if (isElsewhere) this.#writes.place.run(path, "session", key);
      this.#count(known.shard, { sessions: known.isAway ? 1 : 0, bytes: stamp.size - known.stamp.size, isMoved });
    } else this.#count(shard, { sessions: 1, bytes: stamp.size });
    const stored = {
      ...{ key, path, size: stamp.size, mtime: stamp.mtime },
      ...{ sessionId: row.session_id, format: record.format, project: row.project, summary: encodeSummary(summary) },
    };
    this.#writes.putSummary.run(key, stored.summary, checksumOf(stored));
    work.rowsWritten += 2;
    this.#putChunks(key, fold);
    this.#answers.put(key, fold.newAnswers);
    fold.answersKept();
    if (titlesOthers) {
      if (!resumed || isElsewhere) this.#titles.placed({ key, path });
      this.#titles.put({ key, path }, fold.takeOtherTitles());
    }
    const isSettled = resumed && !isElsewhere && (!isTraced(descent) || isSettledCopy(descent, known));
    if (!isSettled) this.#relations.put({ key, path, id: row.session_id });
    // One that was written as a whole will perhaps never grow.
    if (resumed) {
      this.#recentFolds.put(key, { progress, fold, stateLength: stored.summary.length });
      this.#recentKeys.add(path, key);
    }
    const indexedCount = resumed ? known.indexedCount : 0;
    const isOf = { shard: resumed ? known.shard : shard, entryCount, indexedCount };
    return { key, path, status: "session", isAway: false, fromVault, stamp, progress, ...isOf };
  }

  /** @param key of what was resumed: another thread may have given it a title since. */
  #addToldTitle(path: string, { state, outline }: SessionFold, resumedAt: number, key: number | null): void {
    if ((state.header?.title ?? null) !== null) return;
    const found = this.#titles.find({ path, outline, resumedAt });
    if (found === undefined) return;
    const stored = found === null && key !== null ? this.#stored(key) : null;
    state.told_title = found ?? (stored === null ? null : summaryOf(stored).state.told_title);
  }

  #retitle(key: number, title: string): void {
    // It would be written with the title that it was read with.
    this.#recentFolds.forget(key);
    const stored = this.#stored(key);
    if (stored === null) return;
    const told = summaryOf(stored);
    if ((told.state.header?.title ?? null) !== null || told.state.told_title === title) return;
    told.state.told_title = title;
    const retitled = { ...stored, summary: encodeSummary(told) };
    this.#writes.putSummary.run(key, retitled.summary, checksumOf(retitled));
    this.#retitled.add(stored.path);
    work.rowsWritten++;
  }

  #putChunks(key: number, { outline, activity }: SessionFold): void {
    for (const first of outline.changedChunks()) {
      this.#writes.putChunk.run(chunkId(key, first / OUTLINE_CHUNK), Buffer.from(outline.encodeChunk(first)));
      work.rowsWritten++;
    }
    for (const { place, entries, rollup, details } of activity.changedChunks()) {
      this.#writes.putActivity.run(chunkId(key, place), entries, Buffer.from(rollup), Buffer.from(details));
      work.rowsWritten++;
    }
    outline.changesKept();
    activity.changesKept();
  }

  /** Keeps a file that is no session, so that it is not opened again while it stays the same. */
  putOther(path: string, stamp: FileStamp, status: "skipped" | "unreadable", known: KnownFile | null): KnownFile {
    if (known !== null) this.#drop(known);
    const row = { path, ...stamp, status, shard: 0, ...NO_SESSION };
    const key = Number(this.#writes.insert.run(row).lastInsertRowid);
    work.rowsWritten++;
    const progress = { bytes: 0, endsInLf: true, fingerprint: "" };
    return {
      key,
      path,
      status,
      isAway: false,
      fromVault: false,
      stamp,
      progress,
      shard: 0,
      entryCount: 0,
      indexedCount: 0,
    };
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
  isKept(
    { key, path }: KnownFile,
    { fold, stamp, fromVault, resumedAt }: ReadSession,
    summary: SessionSummary,
  ): boolean {
    const kept = this.#stored(key);
    if (kept === null) return false;
    const record = recordOf(summary, {
      path,
      size: stamp.size,
      modifiedAt: stamp.mtime,
      source: fromVault ? "vault" : "file",
    });
    if (!isDeepStrictEqual(storedRecord(kept), record)) return false;
    if (resumedAt > 0) return true;
    if (kept.summary !== encodeSummary(summary)) return false;
    const chunks = this.#statements.chunks.all(chunkIds(key));
    if (chunks.length !== Math.ceil(fold.outline.count / OUTLINE_CHUNK)) return false;
    return decodeStored(() =>
      chunks.every(({ entries }, place) => entries.equals(fold.outline.encodeChunk(place * OUTLINE_CHUNK))),
    );
  }

  #drop(known: KnownFile): void {
    if (known.status === "session") {
      this.#relations.leaving(known.key);
      this.#answers.changing(known.key);
    }
    for (const statement of this.#writes.drop) statement.run(known.key);
    const { first, last } = chunkIds(known.key);
    for (const statement of this.#writes.dropChunks) statement.run(first, last);
    if (known.status === "session") {
      this.#count(known.shard, { sessions: known.isAway ? 0 : -1, bytes: -known.stamp.size });
      this.#writes.noteDropped.run(known.key, known.shard);
    }
    work.rowsWritten++;
  }

  /** Within `write`, at whose end it is written. */
  #count(shard: number, change: { sessions: number; bytes: number; isMoved?: boolean }): void {
    const { sessions, bytes, isMoved = false } = change;
    const before = this.#counts.get(shard) ?? { sessions: 0, bytes: 0, generation: 0 };
    this.#counts.set(shard, {
      sessions: before.sessions + sessions,
      bytes: before.bytes + bytes,
      generation: before.generation + (sessions !== 0 || isMoved ? 1 : 0),
    });
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

  /** Takes note of how many entries of contents are searchable; those that are gone meanwhile are left out. */
  markIndexed(contents: readonly { key: number; entries: number }[]): void {
    if (contents.length === 0) return;
    const { changes } = this.#writes.markIndexed.run(
      JSON.stringify(contents.map(({ key, entries }) => [key, entries])),
    );
    work.rowsWritten += changes;
  }

  /** Sessions with text that is not searchable yet, newest first. */
  unindexed(): (SessionKey & { shard: number; bytes: number })[] {
    const { key, path, shard, size, entryCount, indexedCount } = files;
    const rows = this.#db
      .select({ key, path, shard, size, entryCount, indexedCount })
      .from(files)
      .where(and(eq(files.status, "session"), lt(files.indexedCount, files.entryCount)))
      .orderBy(sql`${files.modifiedAt} DESC`)
      .all();
    return rows.map((row) => ({
      key: row.key,
      path: row.path,
      shard: row.shard,
      bytes: unindexedBytes(row, row.size),
    }));
  }

  /** Of which of these contents there is still a session, perhaps away: one query, which a merge asks for each segment. */
  sessionKeys(keys: Iterable<number>): ReadonlySet<number> {
    const statement = this.#client.prepare<[string], number>(SESSION_KEYS_SQL).pluck();
    return new Set(statement.all(JSON.stringify([...new Set(keys)])));
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
    for (const row of this.#db.select().from(contents).all()) bytes[row.shard] = row.bytes;
    return bytes;
  }

  /** What changes in the list of sessions where another catalog takes the place of this one. */
  changesTo(successor: IndexPlace): Map<string, ListChange> {
    this.#client.prepare("ATTACH ? AS successor").run(catalogPath(successor));
    try {
      // The statement selects these columns, `change` as one of three words.
      const rows = this.#client.prepare(CHANGES_SQL).all() as { path: string; change: ListChange }[];
      return new Map(rows.map(({ path, change }) => [path, change]));
    } finally {
      this.#client.prepare("DETACH successor").run();
    }
  }
}

/** Entries behind which nothing is compared with other files: copies are made at once. */
const SETTLED_ENTRIES = 1_024;

/** Whether what is appended to a session cannot change from which one it was copied. */
function isSettledCopy({ parentReference }: Descent, before: KnownFile): boolean {
  return parentReference === null && before.entryCount >= SETTLED_ENTRIES;
}

/** Estimates the bytes of a session that are not searchable yet; 0 where all are. */
export function unindexedBytes(
  { entryCount, indexedCount }: Pick<KnownFile, "entryCount" | "indexedCount">,
  size: number,
): number {
  return entryCount === 0 ? 0 : Math.ceil((size * Math.max(0, entryCount - indexedCount)) / entryCount);
}

const IS_SAME_PATH = "checksum(old.path) = checksum(new.path) AND old.path = new.path";
const SESSION_KEYS_SQL = `
SELECT key FROM files WHERE key IN (SELECT value FROM json_each(?)) AND +status IN ('session', 'away')`;

const CHANGES_SQL = `
SELECT new.path, iif(old.key IS NULL, 'added', 'changed') AS change
FROM successor.files AS new
JOIN successor.summaries AS new_summary ON new_summary.key = new.key
LEFT JOIN main.files AS old ON ${IS_SAME_PATH} AND +old.status = 'session'
LEFT JOIN main.summaries AS old_summary ON old_summary.key = old.key
WHERE new.status = 'session' AND (
  old_summary.summary IS NOT new_summary.summary OR old.size IS NOT new.size OR old.session_id IS NOT new.session_id
  OR old.project IS NOT new.project OR old.format IS NOT new.format
  OR old.modified_at IS NOT new.modified_at OR old.created_at IS NOT new.created_at
  OR old.relation IS NOT new.relation OR old.folded IS NOT new.folded
  OR old.parent_reference IS NOT new.parent_reference OR old.origin IS NOT new.origin
  OR new.key IN (SELECT parent FROM successor.files WHERE folded = 1)
  OR new.key IN (SELECT key FROM successor.corrections) OR old.key IN (SELECT key FROM main.corrections)
)
UNION ALL
SELECT old.path, 'removed' AS change
FROM main.files AS old LEFT JOIN successor.files AS new ON ${IS_SAME_PATH} AND +new.status = 'session'
WHERE old.status = 'session' AND new.key IS NULL`;

function entriesOf({ id, entries, checksum }: typeof outlines.$inferSelect): Buffer {
  verify(checksum, id, entries);
  return entries;
}
