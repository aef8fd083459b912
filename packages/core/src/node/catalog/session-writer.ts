import { formatNamed } from "../../format/formats.ts";
import type { SessionRecord } from "../../session/record.ts";
import type { SessionFold } from "../../session/session-fold.ts";
import { recordOf, type SessionSummary } from "../../session/summary.ts";
import { parseTimestamp } from "../../session/timestamp.ts";
import type { FileStamp } from "../session-file/file-stamp.ts";
import type { ReadSession } from "../session-file/session-file.ts";
import { work } from "../session-file/work.ts";
import { chunkIds } from "./catalog-rows.ts";
import { type CatalogWrites, type FileRow, NO_SESSION } from "./catalog-writes.ts";
import type { DerivedRows } from "./derived-rows.ts";
import { type Descent, descentOf, isTraced } from "./descent.ts";
import type { KnownFile } from "./known-file.ts";
import type { RecentKeys } from "./recent-keys.ts";
import type { StoredFolds } from "./stored-folds.ts";
import { encodeSummary, storable } from "./stored-session.ts";

export interface SessionWriterOptions {
  /** Asked for when something is written. */
  writes(): CatalogWrites;
  folds: Pick<StoredFolds, "putSummary" | "putChunks" | "putRecent" | "toldTitle">;
  derived: Pick<DerivedRows, "relations" | "answers" | "titles" | "leaving" | "count">;
  recentKeys: Pick<RecentKeys, "add">;
}

/** Keeps files with all that the catalog has of each, and drops them, within a transaction. */
export class SessionWriter {
  readonly #options: SessionWriterOptions;

  constructor(options: SessionWriterOptions) {
    this.#options = options;
  }

  /**
   * Keeps a session; a content that was resumed keeps its key, any other gets a new one.
   *
   * @param summary of the fold that was read.
   * @param newShard for a content that was not resumed.
   */
  putSession(
    path: string,
    read: ReadSession,
    summary: SessionSummary,
    known: KnownFile | null,
    newShard: number,
  ): KnownFile {
    const { folds, derived, recentKeys } = this.#options;
    const { fold, progress, stamp, fromVault, resumedAt } = read;
    const resumed = known !== null && known.status === "session" && resumedAt > 0;
    if (known !== null && !resumed) this.drop(known);
    const { titlesOthers = false } = formatNamed(fold.state.format ?? "pi").agent;
    if (titlesOthers) this.#addToldTitle(path, fold, resumedAt, resumed ? known.key : null);
    const record = recordOf(summary, { path, size: stamp.size, modifiedAt: stamp.mtime });
    const descent = descentOf(path, record.format, fold.state, fold.outline);
    const shard = resumed ? known.shard : newShard;
    const indexedCount = resumed ? known.indexedCount : 0;
    const row = sessionRow(path, read, record, { descent, shard, indexedCount });
    const isElsewhere = resumed && (known.path !== path || known.isAway);
    if (isElsewhere) derived.leaving(known.key);
    else if (resumed) derived.answers.timed(known.key, row.created_at ?? 0);
    const writes = this.#options.writes();
    const key = resumed ? known.key : Number(writes.insert.run(row).lastInsertRowid);
    if (resumed) {
      writes.update.run({ ...row, key });
      const isMoved = known.path !== path;
      if (isElsewhere) writes.place.run(path, "session", key);
      derived.count(shard, { sessions: known.isAway ? 1 : 0, bytes: stamp.size - known.stamp.size, isMoved });
    } else derived.count(shard, { sessions: 1, bytes: stamp.size });
    work.rowsWritten++;
    const encoded = encodeSummary(summary);
    folds.putSummary({
      ...{ key, path, size: stamp.size, mtime: stamp.mtime },
      ...{ sessionId: row.session_id, format: record.format, project: row.project, summary: encoded },
    });
    folds.putChunks(key, fold);
    derived.answers.put(key, fold.newAnswers);
    fold.answersKept();
    if (titlesOthers) {
      if (!resumed || isElsewhere) derived.titles.placed({ key, path });
      derived.titles.put({ key, path }, fold.takeOtherTitles());
    }
    const isSettled = resumed && !isElsewhere && (!isTraced(descent) || isSettledCopy(descent, known));
    if (!isSettled) derived.relations.put({ key, path, id: row.session_id });
    // One that was written as a whole will perhaps never grow.
    if (resumed) {
      folds.putRecent(key, { progress, fold, stateLength: encoded.length });
      recentKeys.add(path, key);
    }
    const isOf = { shard, entryCount: fold.outline.count, indexedCount };
    return { key, path, status: "session", isAway: false, fromVault, stamp, progress, ...isOf };
  }

  /** @param key of what was resumed: another thread may have given it a title since. */
  #addToldTitle(path: string, { state, outline }: SessionFold, resumedAt: number, key: number | null): void {
    const { derived, folds } = this.#options;
    if ((state.header?.title ?? null) !== null) return;
    const found = derived.titles.find({ path, outline, resumedAt });
    if (found === undefined) return;
    state.told_title = found ?? (key === null ? null : folds.toldTitle(key));
  }

  /** Keeps a file that is no session, so that it is not opened again while it stays the same. */
  putOther(path: string, stamp: FileStamp, status: "skipped" | "unreadable", known: KnownFile | null): KnownFile {
    if (known !== null) this.drop(known);
    const row = { path, ...stamp, status, shard: 0, ...NO_SESSION };
    const key = Number(this.#options.writes().insert.run(row).lastInsertRowid);
    work.rowsWritten++;
    const progress = { bytes: 0, endsInLf: true, fingerprint: "" };
    const isOf = { shard: 0, entryCount: 0, indexedCount: 0 };
    return { key, path, status, isAway: false, fromVault: false, stamp, progress, ...isOf };
  }

  drop(known: KnownFile): void {
    const { derived } = this.#options;
    const writes = this.#options.writes();
    if (known.status === "session") derived.leaving(known.key);
    for (const statement of writes.drop) statement.run(known.key);
    const { first, last } = chunkIds(known.key);
    for (const statement of writes.dropChunks) statement.run(first, last);
    if (known.status === "session") {
      derived.count(known.shard, { sessions: known.isAway ? 0 : -1, bytes: -known.stamp.size });
      writes.noteDropped.run(known.key, known.shard);
    }
    work.rowsWritten++;
  }
}

/** The row of `files` for a session that was read. */
function sessionRow(
  path: string,
  { fold, progress, stamp, fromVault }: ReadSession,
  record: SessionRecord,
  { descent, shard, indexedCount }: Pick<KnownFile, "shard" | "indexedCount"> & { descent: Descent },
) {
  return {
    path,
    ...stamp,
    from_vault: fromVault ? 1 : 0,
    status: "session",
    shard,
    indexed_count: indexedCount,
    read_bytes: progress.bytes,
    ends_in_lf: progress.endsInLf ? 1 : 0,
    fingerprint: progress.fingerprint,
    entry_count: fold.outline.count,
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
}

/** Entries behind which nothing is compared with other files: copies are made at once. */
const SETTLED_ENTRIES = 1_024;

/** Whether what is appended to a session cannot change from which one it was copied. */
function isSettledCopy({ parentReference }: Descent, before: KnownFile): boolean {
  return parentReference === null && before.entryCount >= SETTLED_ENTRIES;
}
