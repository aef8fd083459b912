import type { Outline, OutlineEntry } from "../../session/outline.ts";
import type { SessionFold } from "../../session/session-fold.ts";
import type { SessionSummary } from "../../session/summary.ts";
import type { FileStamp } from "../session-file/file-stamp.ts";
import type { ReadSession } from "../session-file/session-file.ts";
import type { IndexPlace } from "../storage/index-place.ts";
import { queriesOn } from "../storage/queries.ts";
import { runWriteTransaction, type SqliteDatabase } from "../storage/sqlite.ts";
import { cacheShare } from "../threads/cache-budget.ts";
import { AwaySessions, type MissingSessions } from "./away-sessions.ts";
import { type CatalogStatements, knownFile, knownRow, prepareStatements } from "./catalog-rows.ts";
import { type CatalogWrites, prepareWrites } from "./catalog-writes.ts";
import { DerivedRows } from "./derived-rows.ts";
import type { ListChange } from "./found-files.ts";
import type { files } from "./index-schema.ts";
import { IndexedTexts, type UnindexedSession } from "./indexed-texts.ts";
import type { KnownContent, KnownFile, KnownStamp } from "./known-file.ts";
import { RecentKeys } from "./recent-keys.ts";
import { SessionWriter } from "./session-writer.ts";
import { StoredFolds } from "./stored-folds.ts";
import { successorChanges } from "./successor-changes.ts";

type StoredStatus = (typeof files.$inferSelect)["status"];

/** The catalog of files, records and outlines in `index.db`. Writers are worker threads; anybody may read. */
export class Catalog {
  readonly #client: SqliteDatabase;
  readonly #statements: CatalogStatements;
  readonly #recentKeys = new RecentKeys();
  readonly #folds: StoredFolds;
  readonly #derived: DerivedRows;
  readonly #writer: SessionWriter;
  readonly #away: AwaySessions;
  readonly #texts: IndexedTexts;

  /** @param foldBytes room for the folds of sessions that grow. */
  constructor(client: SqliteDatabase, foldBytes = cacheShare("scout", 1).folds) {
    const db = queriesOn(client);
    const statements = prepareStatements(db);
    let prepared: CatalogWrites | null = null;
    // Prepared when something is first written: most starts write nothing.
    const writes = () => {
      prepared ??= prepareWrites(client);
      return prepared;
    };
    const recentKeys = this.#recentKeys;
    const folds = new StoredFolds({ statements, writes, room: foldBytes });
    const derived = new DerivedRows(client, statements, folds);
    this.#client = client;
    this.#statements = statements;
    this.#folds = folds;
    this.#derived = derived;
    this.#writer = new SessionWriter({ writes, folds, derived, recentKeys });
    this.#away = new AwaySessions({
      ...{ db, statements, folds, derived },
      find: (path) => this.find(path),
      write: (change) => this.write(change),
    });
    this.#texts = new IndexedTexts(client, db, writes);
  }

  /** Paths of sessions whose records have changed with other files, since this was called last. */
  takeRelated(): string[] {
    return this.#derived.take();
  }

  /** Runs `write` as one transaction that takes the write lock at its start, so that it never has to be repeated. */
  write<T>(write: () => T): T {
    this.#derived.begin();
    return runWriteTransaction(this.#client, () => {
      const result = write();
      this.#derived.settle();
      return result;
    });
  }

  /** Bytes of the folds that it keeps in memory. */
  get cachedBytes(): number {
    return this.#folds.cachedBytes;
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

  /** What {@link findContent} finds of many contents, in one query. */
  contents(keys: readonly number[]): Map<number, KnownContent> {
    const rows = this.#statements.contents.all({ keys: JSON.stringify(keys) });
    return new Map(rows.map(({ format, ...row }) => [row.key, { ...knownRow(row), format }]));
  }

  // Directories that are missing: `AwaySessions`.

  missingDirectories(): Map<string, number> {
    return this.#away.directories();
  }

  setMissing(missing: MissingSessions): void {
    this.#away.set(missing);
  }

  // What is kept of a session: `StoredFolds`.

  fold(key: number): SessionFold {
    return this.#folds.fold(key);
  }

  foldToResume(known: KnownFile): SessionFold {
    return this.#folds.foldToResume(known);
  }

  outline(key: number): Outline {
    return this.#folds.outline(key);
  }

  entriesFrom(known: Pick<KnownFile, "key" | "entryCount">, ordinal: number): Generator<OutlineEntry> {
    return this.#folds.entriesFrom(known, ordinal);
  }

  entryAt(key: number, ordinal: number): OutlineEntry | null {
    return this.#folds.entryAt(key, ordinal);
  }

  isKept(known: KnownFile, read: ReadSession, summary: SessionSummary): boolean {
    return this.#folds.isKept(known, read, summary);
  }

  // Changes, within `write`: `SessionWriter`.

  putSession(
    path: string,
    read: ReadSession,
    summary: SessionSummary,
    known: KnownFile | null,
    shard: number,
  ): KnownFile {
    return this.#writer.putSession(path, read, summary, known, shard);
  }

  putOther(path: string, stamp: FileStamp, status: "skipped" | "unreadable", known: KnownFile | null): KnownFile {
    return this.#writer.putOther(path, stamp, status, known);
  }

  /** @returns what was known of it. */
  remove(path: string): KnownFile | null {
    const known = this.find(path);
    if (known !== null) this.#writer.drop(known);
    return known;
  }

  // What the text databases have: `IndexedTexts`.

  droppedKeys(shard: number): number[] {
    return this.#texts.droppedKeys(shard);
  }

  droppedShards(): number[] {
    return this.#texts.droppedShards();
  }

  swept(keys: number[]): void {
    this.#texts.swept(keys);
  }

  markIndexed(texts: readonly { key: number; entries: number }[]): void {
    this.#texts.markIndexed(texts);
  }

  unindexed(): UnindexedSession[] {
    return this.#texts.unindexed();
  }

  sessionKeys(keys: Iterable<number>): ReadonlySet<number> {
    return this.#texts.sessionKeys(keys);
  }

  shardBytes(shards: number): number[] {
    return this.#texts.shardBytes(shards);
  }

  /** What changes in the list of sessions where another catalog takes the place of this one. */
  changesTo(successor: IndexPlace): Map<string, ListChange> {
    return successorChanges(this.#client, successor);
  }
}
