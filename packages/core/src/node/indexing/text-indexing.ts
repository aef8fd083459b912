import { createSegmentBuilder, openSegments, type SegmentBuilder, type Segments } from "@sm/text-index";
import { formatNamed } from "../../format/formats.ts";
import type { Catalog } from "../catalog/catalog.ts";
import type { SessionKey } from "../catalog/found-files.ts";
import type { KnownContent } from "../catalog/known-file.ts";
import { errorCode, isAbsence, isRefusal } from "../files/file-errors.ts";
import { withSessionFile } from "../session-file/session-file.ts";
import { runWriteTransaction, type SqliteDatabase, type SqliteStatement } from "../storage/sqlite.ts";
import { cacheShare } from "../threads/cache-budget.ts";
import type { IndexedSession, IndexingTasks, MergeNeed } from "./indexing-tasks.ts";
import { MergeScheduler } from "./merge-scheduler.ts";
import { addEntries, BATCH_TERMS, nothingAdded, supersededEntries } from "./session-text.ts";

/** What a task has made of a session. */
interface IndexedText extends IndexedSession {
  /** Entries that are searchable now. */
  entries: number;
  /** Names and labels that later ones have replaced, by ordinal. */
  superseded: number[];
}

/** Writes the text of sessions into one text database. */
export class TextIndex {
  readonly #database: SqliteDatabase;
  readonly #catalog: Catalog;
  readonly #segments: Segments;
  #keptBuilder: SegmentBuilder | null = null;
  /** Of the content that was added last. */
  #outputs: { key: number; names: Set<string> } = { key: -1, names: new Set() };
  readonly #merging: MergeScheduler;
  readonly #progress: SqliteStatement;
  readonly #setProgress: SqliteStatement;
  readonly #removeProgress: SqliteStatement;
  readonly #supersede: SqliteStatement;
  readonly #removeSuperseded: SqliteStatement;

  /** @param cacheBytes room for posting lists that are merged. */
  constructor(database: SqliteDatabase, catalog: Catalog, cacheBytes = cacheShare("indexing", 1).text) {
    this.#database = database;
    this.#catalog = catalog;
    this.#segments = openSegments(database, cacheBytes);
    this.#merging = new MergeScheduler(database, catalog, this.#segments);
    this.#progress = database.prepare(
      "SELECT key, entries FROM progress WHERE key IN (SELECT value FROM json_each(?)) AND verified(checksum, key, entries)",
    );
    this.#setProgress = database.prepare("INSERT OR REPLACE INTO progress (key, entries) VALUES (?, ?)");
    // The highest stays: a catalog that comes back from an earlier time must not give its key to another content.
    this.#removeProgress = database.prepare(
      "DELETE FROM progress WHERE key = ? AND key < (SELECT max(key) FROM progress)",
    );
    this.#supersede = database.prepare("INSERT OR IGNORE INTO superseded (key, ordinal) VALUES (?, ?)");
    this.#removeSuperseded = database.prepare("DELETE FROM superseded WHERE key = ?");
  }

  get cachedBytes(): number {
    return this.#segments.cachedBytes;
  }

  /**
   * Makes sessions searchable; each is left complete, or unfinished where the batch was full. Files are read before the
   * transaction begins: reading takes seconds, for which others would wait for the database.
   */
  index(sessions: SessionKey[]): IndexingTasks["index"]["output"] {
    let done: IndexedText[];
    try {
      done = this.#read(sessions);
      runWriteTransaction(this.#database, () => this.#write(done));
    } catch (error) {
      // It may have failed in the middle of anything, for want of memory above all, which goes with it.
      this.#keptBuilder = null;
      throw error;
    }
    this.#catalog.write(() => this.#catalog.markIndexed(done.filter(({ entries }) => entries > 0)));
    return {
      sessions: done.map(({ entries, superseded, ...session }) => session),
      merging: this.#merging.need,
    };
  }

  #read(sessions: SessionKey[]): IndexedText[] {
    this.#builder.clear();
    const keys = sessions.map(({ key }) => key);
    const contents = this.#catalog.contents(keys);
    // The columns of the statement.
    const progress = this.#progress.all(JSON.stringify(keys)) as { key: number; entries: number }[];
    const entries = new Map(progress.map((row) => [row.key, row.entries]));
    const done: IndexedText[] = [];
    for (const session of sessions) {
      if (this.#builder.termCount >= BATCH_TERMS) break;
      done.push(this.#readSession(session, contents.get(session.key) ?? null, entries.get(session.key) ?? 0));
    }
    return done;
  }

  #write(done: IndexedText[]): void {
    for (const { key, entries, superseded } of done) {
      if (entries > 0) this.#setProgress.run(key, entries);
      for (const ordinal of superseded) this.#supersede.run(key, ordinal);
    }
    this.#segments.write(this.#builder);
  }

  /** Made with the first text: threads that only merge need none. */
  get #builder(): SegmentBuilder {
    this.#keptBuilder ??= createSegmentBuilder();
    return this.#keptBuilder;
  }

  get mergeNeed(): MergeNeed {
    return this.#merging.need;
  }

  /** Forgets contents that are gone. Their documents are dead already; merging drops them, and may be due now. */
  sweep(shard: number): MergeNeed {
    const keys = this.#catalog.droppedKeys(shard);
    this.#database
      .transaction(() => {
        for (const key of keys) {
          this.#removeProgress.run(key);
          this.#removeSuperseded.run(key);
        }
      })
      .immediate();
    this.#catalog.write(() => this.#catalog.swept(keys));
    this.#merging.contentsWereDropped();
    return this.#merging.need;
  }

  /** Does a step of merging. */
  tidy(): MergeNeed {
    // After much text it holds some fifty megabytes, which merging may need.
    this.#keptBuilder = null;
    return this.#merging.step();
  }

  /** Adds the text of a session to the batch, from an entry on. */
  #readSession(session: SessionKey, known: KnownContent | null, firstEntry: number): IndexedText {
    // Rewritten, moved or removed meanwhile: the scanner has dropped this content, or asks for it at its new path.
    if (known?.path !== session.path) return { ...session, entries: 0, superseded: [], complete: true, bytes: 0 };
    const format = formatNamed(known.format);
    const outputs = this.#outputsOf(session.key, firstEntry);
    const start = this.#endOf(session.key, firstEntry - 1);
    const added = nothingAdded();
    let isRefused = false;
    let superseded: number[] = [];
    try {
      withSessionFile(session.path, (file) => {
        const origin = { path: session.path, key: session.key, firstEntry, outputs };
        const text = { entries: this.#catalog.entriesFrom(known, firstEntry), until: known.progress.bytes };
        addEntries(this.#builder, file, format, origin, text, added);
        // The first one of a session replaces nothing.
        if (added.renamings > (firstEntry === 0 ? 1 : 0)) {
          superseded = supersededEntries(file, format, this.#catalog.outline(session.key));
        }
      });
    } catch (error) {
      const code = errorCode(error);
      if (!isAbsence(code) && !isRefusal(code)) throw error;
      // Gone, or moved and found again with this content: then the text is still to be read.
      isRefused = true;
    }
    const entries = firstEntry + added.entries;
    const complete = isRefused || entries >= known.entryCount;
    return { ...session, entries, superseded, complete, bytes: (added.end ?? start) - start };
  }

  /** Files of outputs that were added for the entries before, as far as this thread has done so. */
  #outputsOf(key: number, firstEntry: number): Set<string> {
    if (this.#outputs.key !== key || firstEntry === 0) this.#outputs = { key, names: new Set() };
    return this.#outputs.names;
  }

  /** Where the line of an entry ends in its file. */
  #endOf(key: number, ordinal: number): number {
    const entry = ordinal < 0 ? null : this.#catalog.entryAt(key, ordinal);
    return entry === null ? 0 : entry.offset + entry.length + 1;
  }
}
