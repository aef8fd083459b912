import { hubPath, parseTimestamp, type SessionFormatName } from "@sm/core";
import type { ReadRemoteSession } from "@sm/core/remote";
import { eq, inArray, sql } from "drizzle-orm";
import type { Queries } from "../database/database.ts";
import { storable } from "../state/user-connection.ts";
import type { Answers } from "./answers.ts";
import type { CatalogFile } from "./catalog-sessions.ts";
import { costOf } from "./costs.ts";
import type { ProjectOf } from "./project-place.ts";
import { column } from "./rows.ts";
import { sessions } from "./schema.ts";

/** A session as it is found. */
export interface SessionPlace {
  key: number;
  path: string;
  sessionId: string;
}

/** A session that is gone. */
export interface GoneSession extends SessionPlace {
  /** Key of the session under which it was listed. */
  above: number | null;
}

/** What has happened to a session. */
export interface WrittenSession extends SessionPlace {
  kind: "added" | "changed" | "removed";
  /** What was there before, if it is gone: a file that was written anew is another session. */
  gone: GoneSession | null;
  /** Whether others may find it now that did not before. */
  isElsewhere: boolean;
  format: SessionFormatName;
  /** How much of its file was read. */
  readBytes: number;
  /** See `ReadRemoteSession`. */
  otherTitles: ReadRemoteSession["otherTitles"];
  isUntitled: boolean;
  entryCount: number;
  /** How many of its entries were searchable before. */
  indexedCount: number;
  /** `null`: it is private. */
  sharedProjectId: string | null;
  /** See `SessionChangeRow`. */
  movedFrom?: string | null | undefined;
}

/** What was read of a file; `null`: no session. */
export interface ReadFile {
  file: CatalogFile;
  read: ReadRemoteSession | null;
}

/** PostgreSQL indexes no more than 2,700 bytes. */
const MOST_INDEXED_BYTES = 2_000;

const NO_TITLES = { otherTitles: [], isUntitled: false };

type Row = ReturnType<typeof rowOf>;

/** Writes what was read into the catalog. */
export async function writeSessions(
  db: Queries,
  files: readonly ReadFile[],
  projectOf: ProjectOf,
  answers: Answers,
): Promise<WrittenSession[]> {
  const before = await knownSessions(
    db,
    files.map(({ file }) => file.fileKey),
  );
  const written: WrittenSession[] = [];
  const added: { row: Row; read: ReadRemoteSession; gone: KnownRow | null }[] = [];
  const chunks: KeyedChunks[] = [];
  const dropped: number[] = [];
  for (const { file, read } of files) {
    const known = before.get(file.fileKey) ?? null;
    if (read === null) {
      if (known === null) continue;
      dropped.push(known.key);
      const { key, path, sessionId, format, sharedProjectId: movedFrom } = known;
      const nothing = {
        sharedProjectId: null,
        movedFrom,
        entryCount: 0,
        indexedCount: 0,
        readBytes: 0,
        isElsewhere: true,
        ...NO_TITLES,
      };
      written.push({ key, path, sessionId, format, kind: "removed", gone: goneSession(known), ...nothing });
      continue;
    }
    const row = rowOf(file, read, projectOf);
    if (known !== null && read.resumedAt > 0 && known.key === file.known?.key) {
      await db.update(sessions).set(row).where(eq(sessions.key, known.key));
      const { key, indexedCount } = known;
      const isElsewhere = row.path !== known.path || row.sessionId !== known.sessionId;
      const { otherTitles, isUntitled } = read;
      written.push({ key, ...row, kind: "changed", gone: null, isElsewhere, indexedCount, otherTitles, isUntitled });
      if (row.createdAt !== known.createdAt) await answers.changing([key]);
      chunks.push({ key, read });
    } else {
      if (known !== null) dropped.push(known.key);
      added.push({ row, read, gone: known });
    }
  }
  await answers.changing(dropped);
  if (dropped.length > 0) await db.delete(sessions).where(inArray(sessions.key, dropped));
  if (added.length > 0) {
    const rows = await db
      .insert(sessions)
      .values(added.map(({ row }) => row))
      .returning({ key: sessions.key, path: sessions.path });
    const keys = new Map(rows.map(({ key, path }) => [path, key]));
    for (const { row, read, gone } of added) {
      const key = keys.get(row.path) ?? 0;
      const { otherTitles, isUntitled } = read;
      const movedFrom =
        gone === null || gone.sharedProjectId === row.sharedProjectId ? undefined : gone.sharedProjectId;
      const isNew = { movedFrom, isElsewhere: true, indexedCount: 0, otherTitles, isUntitled };
      written.push({
        key,
        ...row,
        kind: gone === null ? "added" : "changed",
        gone: gone && goneSession(gone),
        ...isNew,
      });
      chunks.push({ key, read });
    }
  }
  await writeChunks(db, chunks);
  await answers.put(chunks.map(({ key, read }) => ({ key, answers: read.answers })));
  return written;
}

type KnownRow = SessionPlace & Pick<typeof sessions.$inferSelect, "folded" | "parentKey" | "sharedProjectId">;

async function knownSessions(db: Queries, fileKeys: readonly number[]) {
  const { key, path, sessionId, format, fileKey, indexedCount, createdAt, folded, parentKey, sharedProjectId } =
    sessions;
  const rows = await db
    .select({ key, path, sessionId, format, fileKey, indexedCount, createdAt, folded, parentKey, sharedProjectId })
    .from(sessions)
    .where(inArray(fileKey, [...fileKeys]));
  return new Map(rows.map((row) => [row.fileKey, row]));
}

function goneSession(known: SessionPlace & { folded: boolean; parentKey: number | null }): GoneSession {
  const { key, path, sessionId, folded, parentKey } = known;
  return { key, path, sessionId, above: folded ? parentKey : null };
}

function rowOf({ fileKey, machineId, path: own, file }: CatalogFile, read: ReadRemoteSession, projectOf: ProjectOf) {
  const { record, descent, summary, progress, entryCount } = read;
  const project = record.cwd === null ? null : indexable(record.cwd);
  return {
    fileKey,
    generationKey: file.content,
    machineId,
    path: storable(hubPath(machineId, own)),
    sessionId: indexable(record.id),
    format: record.format,
    project,
    sharedProjectId: projectOf(project, machineId),
    modifiedAt: parseTimestamp(record.modified_at) ?? 0,
    createdAt: parseTimestamp(record.created_at) ?? 0,
    size: file.size,
    fileModifiedAt: file.modifiedAt,
    messageCount: record.message_count,
    cost: costOf({ summary, sessionId: record.id, format: record.format, project: record.cwd }, []),
    title: storable(record.title),
    firstMessage: record.first_message === null ? null : storable(record.first_message),
    outcome: record.outcome,
    relation: descent.relation,
    parentReference: descent.parentReference === null ? null : referenceOn(machineId, descent.parentReference),
    origin: descent.origin === null ? null : indexable(descent.origin),
    summary,
    readBytes: progress.bytes,
    endsInLf: progress.endsInLf,
    fingerprint: progress.fingerprint,
    entryCount,
  } satisfies typeof sessions.$inferInsert;
}

/** A parent as it is found on the hub: files name paths of their machine. */
function referenceOn(machineId: string, reference: string): string {
  const isPath = /[\\/]/.test(reference);
  return indexable(isPath && !reference.startsWith(hubPath(machineId, "")) ? hubPath(machineId, reference) : reference);
}

/** A text for an indexed column; of one that is too long the beginning. */
function indexable(text: string): string {
  const stored = storable(text);
  if (Buffer.byteLength(stored) <= MOST_INDEXED_BYTES) return stored;
  return Buffer.from(stored)
    .subarray(0, MOST_INDEXED_BYTES)
    .toString("utf8")
    .replace(/\ufffd+$/, "");
}

interface KeyedChunks {
  key: number;
  read: ReadRemoteSession;
}

async function writeChunks(db: Queries, all: readonly KeyedChunks[]): Promise<void> {
  const outline = all.flatMap(({ key, read }) => read.outline.map((chunk) => ({ key, ...chunk })));
  if (outline.length > 0) {
    await db.execute(sql`
      INSERT INTO outline_chunks (session_key, place, entries)
      SELECT * FROM unnest(${column(outline, "key")}::bigint[], ${column(outline, "place")}::integer[],
        ${column(outline, "entries")}::bytea[])
      ON CONFLICT (user_id, session_key, place) DO UPDATE SET entries = excluded.entries`);
  }
  const activity = all.flatMap(({ key, read }) => read.activity.map((chunk) => ({ key, ...chunk })));
  if (activity.length > 0) {
    await db.execute(sql`
      INSERT INTO activity_chunks (session_key, place, entries, rollup, details)
      SELECT * FROM unnest(${column(activity, "key")}::bigint[], ${column(activity, "place")}::integer[],
        ${column(activity, "entries")}::integer[], ${column(activity, "rollup")}::bytea[],
        ${column(activity, "details")}::bytea[])
      ON CONFLICT (user_id, session_key, place) DO UPDATE
      SET entries = excluded.entries, rollup = excluded.rollup, details = excluded.details`);
  }
}
