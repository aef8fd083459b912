import type { BytesAround, KnownSession, RemoteFile, RemoteSession, RemoteSessions } from "@sm/core/remote";
import { and, asc, eq, isNull, type SQL, sql } from "drizzle-orm";
import type { Queries } from "../database/database.ts";
import { type Asking, partsAround } from "../files/parts.ts";
import { generations, sessionFiles } from "../files/schema.ts";
import { NO_OBJECTS, type ObjectReader } from "../objects/chunk-objects.ts";
import { machineFile } from "./hub-path.ts";
import { activityChunks, outlineChunks, sessions } from "./schema.ts";

/** A file, and what is known of its present content. */
export interface CatalogFile extends RemoteSession {
  fileKey: number;
  machineId: string;
  /** Where its machine has it. */
  path: string;
  isDeleted: boolean;
  /** Whether it is the user's own, and nobody else's who shares it. */
  isOwn: boolean;
  /** The shared project that the session is in; `null` where it is private, or not in the catalog. */
  sharedProjectId: string | null;
  /** Where the session is in the catalog; `null` where it is not. */
  knownPath: string | null;
}

type Found = Awaited<ReturnType<typeof selectFiles>>[number];

/** The sessions of a hub, as worker threads read them for somebody. */
export class CatalogSessions implements RemoteSessions {
  readonly #ask: Asking;
  readonly #objects: ObjectReader;

  constructor(ask: Asking, objects: ObjectReader = NO_OBJECTS) {
    this.#ask = ask;
    this.#objects = objects;
  }

  async file(path: string): Promise<RemoteFile | null> {
    return (await this.session(path))?.file ?? null;
  }

  async session(path: string): Promise<RemoteSession | null> {
    const found = machineFile(path);
    if (found === null) return null;
    const { machineId, path: own } = found;
    const isAt = and(eq(sessionFiles.machineId, machineId), eq(sessionFiles.path, own));
    const isIt = and(isAt, isNull(sessionFiles.deletedAt));
    const sessions = await this.#ask((db) => filesWhere(db, isIt));
    // Somebody else may have a copy of the machine: the user's own comes first.
    return sessions.find(({ isOwn }) => isOwn) ?? sessions[0] ?? null;
  }

  async outline(key: number): Promise<Uint8Array[]> {
    const rows = await this.#ask((db) =>
      db
        .select({ entries: outlineChunks.entries })
        .from(outlineChunks)
        .where(eq(outlineChunks.sessionKey, key))
        .orderBy(asc(outlineChunks.place)),
    );
    return rows.map(({ entries }) => entries);
  }

  async activity(key: number, place: number) {
    const { rollup, details } = activityChunks;
    const [chunk] = await this.#ask((db) =>
      db
        .select({ rollup, details })
        .from(activityChunks)
        .where(and(eq(activityChunks.sessionKey, key), eq(activityChunks.place, place))),
    );
    return chunk ?? null;
  }

  read(content: number, offset: number, length: number): Promise<BytesAround> {
    return partsAround(this.#ask, this.#objects, { generationKey: content, offset, end: offset + length });
  }
}

/** The files of which a condition on `session_files` holds, as far as they can be read. */
export async function filesWhere(db: Queries, condition: SQL | undefined): Promise<CatalogFile[]> {
  return (await selectFiles(db, condition)).map(catalogFile);
}

function selectFiles(db: Queries, condition: SQL | undefined) {
  return db
    .select({
      fileKey: sessionFiles.key,
      machineId: sessionFiles.machineId,
      path: sessionFiles.path,
      mode: sessionFiles.mode,
      isDeleted: sql<boolean>`${sessionFiles.deletedAt} IS NOT NULL`,
      isOwn: sql<boolean>`${sessionFiles}.user_id = own_user_id()`,
      content: generations.key,
      size: generations.bytes,
      modifiedAt:
        sql<number>`coalesce(${generations.modifiedAt}, extract(epoch FROM ${generations.keptAt}) * 1000)`.mapWith(
          Number,
        ),
      known: {
        key: sessions.key,
        path: sessions.path,
        sessionId: sessions.sessionId,
        format: sessions.format,
        project: sessions.project,
        summary: sessions.summary,
        size: sessions.size,
        readBytes: sessions.readBytes,
        endsInLf: sessions.endsInLf,
        fingerprint: sessions.fingerprint,
        sharedProjectId: sessions.sharedProjectId,
      },
    })
    .from(sessionFiles)
    .innerJoin(
      generations,
      and(
        and(eq(generations.fileKey, sessionFiles.key), eq(generations.state, 1)),
        and(isNull(generations.replacedAt), isNull(generations.emptiedAt)),
      ),
    )
    .leftJoin(sessions, and(eq(sessions.fileKey, sessionFiles.key), eq(sessions.generationKey, generations.key)))
    .where(condition);
}

function catalogFile({ content, size, modifiedAt, mode, known, ...file }: Found): CatalogFile {
  const knownPath = known?.path ?? null;
  const sharedProjectId = known?.sharedProjectId ?? null;
  return {
    ...file,
    knownPath,
    sharedProjectId,
    file: { content, size, modifiedAt, mode },
    known: known && knownSession(known),
  };
}

function knownSession({
  readBytes,
  endsInLf,
  fingerprint,
  path,
  sharedProjectId,
  ...known
}: NonNullable<Found["known"]>): KnownSession {
  return { ...known, progress: { bytes: readBytes, endsInLf, fingerprint } };
}
