import { isDeepStrictEqual } from "node:util";
import { decodeStored, IndexError, verify } from "@sm/text-index/storage";
import { OUTLINE_CHUNK, Outline, type OutlineEntry } from "../../session/outline.ts";
import { SessionFold } from "../../session/session-fold.ts";
import { recordOf, type SessionSummary } from "../../session/summary.ts";
import { activityPlace, SessionActivity } from "../../stats/session-activity.ts";
import type { ReadProgress, ReadSession } from "../session-file/session-file.ts";
import { work } from "../session-file/work.ts";
import { type CatalogStatements, chunkId, chunkIds, knownFile } from "./catalog-rows.ts";
import type { CatalogWrites } from "./catalog-writes.ts";
import type { outlines } from "./index-schema.ts";
import type { KnownFile } from "./known-file.ts";
import { RecentFolds } from "./recent-folds.ts";
import { checksumOf, encodeSummary, type StoredSession, storedRecord, summaryOf } from "./stored-session.ts";

export interface StoredFoldsOptions {
  statements: Pick<CatalogStatements, "stored" | "findContent" | "chunks" | "chunk" | "activity">;
  /** Asked for when something is written. */
  writes(): Pick<CatalogWrites, "putSummary" | "putChunk" | "putActivity">;
  /** Room for the folds of sessions that grow, in bytes. */
  room: number;
}

/** The folds of sessions as the catalog keeps them: a summary, and the outline and the activity in chunks. */
export class StoredFolds {
  readonly #statements: StoredFoldsOptions["statements"];
  readonly #writes: StoredFoldsOptions["writes"];
  readonly #recent: RecentFolds;

  constructor({ statements, writes, room }: StoredFoldsOptions) {
    this.#statements = statements;
    this.#writes = writes;
    this.#recent = new RecentFolds(room);
  }

  /** Bytes of the folds in memory. */
  get cachedBytes(): number {
    return this.#recent.bytes;
  }

  /** The row of a session with its summary. */
  stored(key: number): StoredSession | null {
    return this.#statements.stored.get({ key }) ?? null;
  }

  /** The fold as it was kept, to be resumed. */
  fold(key: number): SessionFold {
    const stored = this.stored(key);
    if (stored === null) throw this.#withoutSummary(key);
    const { state } = summaryOf(stored);
    const outline = this.outline(key);
    return decodeStored(() => new SessionFold({ state, outline, activity: this.#activityToResume(key, outline) }));
  }

  /** Both are written at once: only where the content has gone meanwhile, the index is not damaged. */
  #withoutSummary(key: number): Error {
    const message = `The index has no summary for content ${key}.`;
    const known = knownFile(this.#statements.findContent.get({ key }));
    return known?.status === "session" ? new IndexError("damaged", message) : new Error(message);
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
  foldToResume({ key, progress }: Pick<KnownFile, "key" | "progress">): SessionFold {
    return this.#recent.take(key, progress) ?? this.fold(key);
  }

  outline(key: number): Outline {
    const chunks = this.#statements.chunks.all(chunkIds(key)).map(entriesOf);
    return decodeStored(() => Outline.decode(chunks));
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
  entryAt(key: number, ordinal: number): OutlineEntry | null {
    const first = ordinal - (ordinal % OUTLINE_CHUNK);
    const row = this.#statements.chunk.get({ id: chunkId(key, first / OUTLINE_CHUNK) });
    if (row === undefined) return null;
    const chunk = decodeStored(() => Outline.decodeAlone(entriesOf(row), first));
    return ordinal - first < chunk.count ? chunk.at(ordinal - first) : null;
  }

  /**
   * Whether a session that was read is what is known of it already. Where a file was read anew this compares all that
   * is kept; only a change in place, of equal length and outside every excerpt, is not seen.
   */
  isKept(
    { key, path }: Pick<KnownFile, "key" | "path">,
    { fold, stamp, fromVault, resumedAt }: ReadSession,
    summary: SessionSummary,
  ): boolean {
    const kept = this.stored(key);
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

  putSummary(session: Omit<StoredSession, "checksum" | "fromVault">): void {
    this.#writes().putSummary.run(session.key, session.summary, checksumOf(session));
    work.rowsWritten++;
  }

  /** Writes the chunks that have changed since they were kept last. */
  putChunks(key: number, { outline, activity }: SessionFold): void {
    const { putChunk, putActivity } = this.#writes();
    for (const first of outline.changedChunks()) {
      putChunk.run(chunkId(key, first / OUTLINE_CHUNK), Buffer.from(outline.encodeChunk(first)));
      work.rowsWritten++;
    }
    for (const { place, entries, rollup, details } of activity.changedChunks()) {
      putActivity.run(chunkId(key, place), entries, Buffer.from(rollup), Buffer.from(details));
      work.rowsWritten++;
    }
    outline.changesKept();
    activity.changesKept();
  }

  /** Keeps the fold of a session that has grown at hand: it will perhaps grow again. */
  putRecent(key: number, recent: { fold: SessionFold; progress: ReadProgress; stateLength: number }): void {
    this.#recent.put(key, recent);
  }

  /** The title that others tell of a session, as it was kept last. */
  toldTitle(key: number): string | null {
    const stored = this.stored(key);
    return stored === null ? null : summaryOf(stored).state.told_title;
  }

  /** Gives a session a title that others tell of it. @returns its path; `null` where nothing has changed. */
  retitle(key: number, title: string): string | null {
    // It would be written with the title that it was read with.
    this.#recent.forget(key);
    const stored = this.stored(key);
    if (stored === null) return null;
    const told = summaryOf(stored);
    if ((told.state.header?.title ?? null) !== null || told.state.told_title === title) return null;
    told.state.told_title = title;
    this.putSummary({ ...stored, summary: encodeSummary(told) });
    return stored.path;
  }
}

function entriesOf({ id, entries, checksum }: typeof outlines.$inferSelect): Buffer {
  verify(checksum, id, entries);
  return entries;
}
