import { createSegmentBuilder, openSegments, type SegmentBuilder, type Segments } from "@sm/text-index";
import type { SessionFormat } from "../../format/format.ts";
import { formatNamed } from "../../format/formats.ts";
import type { Catalog } from "../catalog/catalog.ts";
import type { SessionKey } from "../catalog/found-files.ts";
import { errorCode, isAbsence, isRefusal } from "../files/file-errors.ts";
import { addParsed, addScanned } from "../search/entry-text.ts";
import { addLongLine } from "../search/long-entry.ts";
import { LONG_LINE_BYTES } from "../session-file/long-line.ts";
import { type SessionFile, withSessionFile } from "../session-file/session-file.ts";
import type { SqliteDatabase, SqliteStatement } from "../storage/sqlite.ts";
import type { IndexedSession, IndexingTasks, MergeNeed } from "./indexing-tasks.ts";
import { MergeScheduler } from "./merge-scheduler.ts";

/** Terms that one transaction takes: more makes fewer segments to merge, less makes text searchable sooner. */
const BATCH_TERMS = 4_000_000;

const NOTHING_TO_DO = { entries: 0, complete: true, bytes: 0 };

/** Writes the text of sessions into one text database. */
export class TextIndex {
  readonly #database: SqliteDatabase;
  readonly #catalog: Catalog;
  readonly #segments: Segments;
  #keptBuilder: SegmentBuilder | null = null;
  readonly #merging: MergeScheduler;
  readonly #progress: SqliteStatement;
  readonly #setProgress: SqliteStatement;
  readonly #removeProgress: SqliteStatement;
  readonly #supersede: SqliteStatement;
  readonly #removeSuperseded: SqliteStatement;

  constructor(database: SqliteDatabase, catalog: Catalog) {
    this.#database = database;
    this.#catalog = catalog;
    this.#segments = openSegments(database);
    this.#merging = new MergeScheduler(database, catalog, this.#segments);
    this.#progress = database
      .prepare("SELECT entries FROM progress WHERE key = ? AND verified(checksum, key, entries)")
      .pluck();
    this.#setProgress = database.prepare("INSERT OR REPLACE INTO progress (key, entries) VALUES (?, ?)");
    // The highest stays: a catalog that comes back from an earlier time must not give its key to another content.
    this.#removeProgress = database.prepare(
      "DELETE FROM progress WHERE key = ? AND key < (SELECT max(key) FROM progress)",
    );
    this.#supersede = database.prepare("INSERT OR IGNORE INTO superseded (key, ordinal) VALUES (?, ?)");
    this.#removeSuperseded = database.prepare("DELETE FROM superseded WHERE key = ?");
  }

  /** Makes sessions searchable; each is left complete, or unfinished where the batch was full. */
  index(sessions: SessionKey[]): IndexingTasks["index"]["output"] {
    const done: (IndexedSession & { entries: number })[] = [];
    this.#builder.clear();
    const write = this.#database.transaction(() => {
      for (const session of sessions) {
        if (this.#builder.termCount >= BATCH_TERMS) break;
        done.push({ ...session, ...this.#indexSession(session) });
      }
      this.#segments.write(this.#builder);
    });
    try {
      write.immediate();
    } catch (error) {
      // It may have failed in the middle of anything, for want of memory above all, which goes with it.
      this.#keptBuilder = null;
      throw error;
    }
    this.#catalog.write(() => {
      for (const { key, entries } of done) this.#catalog.markIndexed(key, entries);
    });
    return { sessions: done.map(({ entries, ...session }) => session), merging: this.#merging.need };
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

  #indexSession(session: SessionKey) {
    const known = this.#catalog.findContent(session.key);
    // Rewritten, moved or removed meanwhile: the scanner has dropped this content, or asks for it at its new path.
    if (known?.path !== session.path) return NOTHING_TO_DO;
    const state = this.#catalog.state(session.key);
    const format = formatNamed(state?.format ?? "pi");
    let ordinal = Number(this.#progress.get(session.key) ?? 0);
    const start = this.#endOf(session.key, ordinal - 1);
    let end = start;
    let isRefused = false;
    try {
      withSessionFile(session.path, (file) => {
        let isRenamed = false;
        const until = known.progress.bytes;
        for (const { offset, length, timestamp, role } of this.#catalog.entriesFrom(session.key, ordinal)) {
          // A long line may be a batch of its own, and is none on top of another.
          if (this.#builder.termCount >= (length < LONG_LINE_BYTES ? BATCH_TERMS : 1)) break;
          const origin = { key: session.key, ordinal, timestamp };
          isRenamed ||= role === "name" || role === "label";
          const long = file.longLine(offset, length);
          const scanned = long === null ? file.scannedLine(offset, length, until) : null;
          const isAdded =
            (long !== null && addLongLine(this.#builder, format, long, origin)) ||
            (scanned !== null && addScanned(this.#builder, format, scanned, origin));
          if (!isAdded) {
            const line = file.line(offset, length, until);
            // `null`: the file was changed under us; the next walk sees that and drops this content.
            if (line !== null) addParsed(this.#builder, format, line, origin);
          }
          ordinal++;
          end = offset + length + 1;
        }
        if (isRenamed) this.#supersedeNames(session.key, file, format);
      });
    } catch (error) {
      const code = errorCode(error);
      if (!isAbsence(code) && !isRefusal(code)) throw error;
      // Gone, or moved and found again with this content: then the text is still to be read.
      isRefused = true;
    }
    this.#setProgress.run(session.key, ordinal);
    return { entries: ordinal, complete: isRefused || ordinal >= known.entryCount, bytes: end - start };
  }

  /** Where the line of an entry ends in its file. */
  #endOf(key: number, ordinal: number): number {
    const entry = ordinal < 0 ? null : this.#catalog.entryAt(key, ordinal);
    return entry === null ? 0 : entry.offset + entry.length + 1;
  }

  /** Only the present name and labels are found, not those they replaced. */
  #supersedeNames(key: number, file: SessionFile, format: SessionFormat): void {
    const outline = this.#catalog.outline(key);
    const present = new Map<string, number>();
    for (let ordinal = 0; ordinal < outline.count; ordinal++) {
      const role = outline.role(ordinal);
      if (role !== "name" && role !== "label") continue;
      let named = "name";
      if (role === "label") {
        const { offset, length } = outline.at(ordinal);
        const line = file.line(offset, length, offset + length);
        if (line === null) continue;
        named = `label ${format.facts(line).label?.targetId}`;
      }
      const former = present.get(named);
      if (former !== undefined) this.#supersede.run(key, former);
      present.set(named, ordinal);
    }
  }
}
