import { hubPath } from "@sm/core";
import type { ReadRemoteSession, RemoteSession } from "@sm/core/remote";
import { inArray } from "drizzle-orm";
import type { Queries } from "../database/database.ts";
import { explaining } from "../database/errors.ts";
import { dropRequests, type IndexRequests, lockFiles } from "../files/index-requests.ts";
import { sessionFiles } from "../files/schema.ts";
import type { ObjectReader } from "../objects/chunk-objects.ts";
import { storable } from "../state/user-connection.ts";
import { settleAgentTitles } from "./agent-titles.ts";
import { Answers } from "./answers.ts";
import { type CatalogFile, CatalogSessions, filesWhere } from "./catalog-sessions.ts";
import { addChanges, lockChanges } from "./changes.ts";
import { settleCosts } from "./costs.ts";
import type { IndexingTools, IndexTexts } from "./indexing-thread.ts";
import { keepSharing, ownProjects, type ProjectOf } from "./project-place.ts";
import { Relations } from "./relations.ts";
import { type ReadFile, type WrittenSession, writeSessions } from "./session-rows.ts";
import { type FindTitles, settleTitles } from "./told-titles.ts";

/** Of one transaction: their texts fill about one segment of the text index. */
const BATCH_BYTES = 32 * 1024 * 1024;

/** What a transaction has brought into the catalog. */
export interface IndexedFiles {
  userId: string;
  /** Those that are done. */
  requests: number;
  files: number;
  /** Of the files, as far as they were not known. */
  bytes: number;
  /** Whether some were left for another transaction. */
  isCut: boolean;
  /** Whether there is text of sessions that are gone. */
  isWorn: boolean;
}

export interface IndexFilesTools {
  thread: IndexingTools["thread"];
  objects: ObjectReader;
  /** `null`: texts are not searchable. */
  indexTexts: IndexTexts | null;
}

/**
 * Brings the files of requests into the catalog, in one transaction with what they are searched by and what is told of
 * them: where it does not come to its end, nothing has happened. Files that another server works on are left to it.
 *
 * @param tools `thread` reads them.
 */
export async function indexFiles(
  db: Queries,
  { userId, requests }: IndexRequests,
  { thread, objects, indexTexts }: IndexFilesTools,
): Promise<IndexedFiles> {
  await keepSharing(db);
  const locked = await lockFiles(
    db,
    requests.map(({ fileKey }) => fileKey),
  );
  const projectOf = await ownProjects(db);
  const isStray = ({ known, machineId, sharedProjectId }: CatalogFile) =>
    known !== null && projectOf(known.project, machineId) !== sharedProjectId;
  // What changes the project is read as if it was unknown: its texts are kept with those of the other one.
  const readable = (await filesWhere(db, inArray(sessionFiles.key, [...locked]))).map((file) =>
    isStray(file) ? { ...file, known: null } : file,
  );
  const left = new Set(beyond(readable, BATCH_BYTES));
  const files = readable.filter(({ fileKey }) => !left.has(fileKey));
  const source = new CatalogSessions((query) => explaining(() => query(db)), objects);
  const changed = files.filter(isChanged);
  const read = await readFiles(
    changed.filter(({ isDeleted }) => !isDeleted),
    (sessions) => thread.run("readRemote", { sessions }, { source }),
    projectOf,
  );
  const answers = new Answers(db);
  const written = await writeSessions(
    db,
    [...read, ...changed.filter(({ isDeleted }) => isDeleted).map((file) => ({ file, read: null }))],
    projectOf,
    answers,
  );
  await indexTexts?.(db, textsOf(written), { thread, files: source });
  // Of two that are written at the same time, the second one sees the first.
  if (written.length > 0) await lockChanges(db);
  const relations = new Relations(db, (members) => thread.run("forkParents", { members }, { source }));
  await relations.settle(written);
  // Origins come before their forks.
  await answers.changing([...relations.moved]);
  const corrected = await answers.settle();
  for (const key of corrected) await relations.touch(key);
  await settleCosts(
    db,
    written.map(({ key }) => key),
    [...corrected],
  );
  const findTitles: FindTitles = (toLookAt) => thread.run("toldTitles", { sessions: toLookAt }, { source });
  for (const key of await settleTitles(db, written, findTitles)) await relations.touch(key);
  const formatOf = new Map(written.map(({ path, format }) => [path, format]));
  const titled = files.flatMap((file) => {
    const format = formatOf.get(pathOf(file)) ?? file.known?.format;
    return format === undefined ? [] : [{ ...file, format }];
  });
  for (const key of await settleAgentTitles(db, titled)) await relations.touch(key);
  const own = new Set(written.map(({ key }) => key));
  const related = relations.related.filter(({ key }) => !own.has(key));
  await addChanges(db, [...written, ...related.map((session) => ({ ...session, kind: "changed" as const }))]);
  const done = requests.filter(({ fileKey }) => locked.has(fileKey) && !left.has(fileKey));
  await dropRequests(
    db,
    done.map(({ sequence }) => sequence),
  );
  return {
    userId,
    requests: done.length,
    files: files.length,
    bytes: files.reduce((sum, file) => sum + unreadBytes(file), 0),
    isCut: left.size > 0,
    isWorn: written.some(({ gone }) => gone !== null),
  };
}

/** Reads files, those wholly whose sessions turn out to belong to another project than before. */
async function readFiles(
  files: readonly CatalogFile[],
  readAll: (sessions: { path: string; session: RemoteSession }[]) => Promise<readonly (ReadRemoteSession | null)[]>,
  projectOf: ProjectOf,
): Promise<ReadFile[]> {
  if (files.length === 0) return [];
  const sessions = files.map(({ file, known, ...place }) => ({ path: pathOf(place), session: { file, known } }));
  const found = await readAll(sessions);
  const read = files.map((file, place) => ({ file, read: found[place] ?? null }));
  const isStray = ({ file, read: one }: ReadFile) =>
    one !== null && one.resumedAt > 0 && projectOf(one.record.cwd, file.machineId) !== file.sharedProjectId;
  const strayed = read.filter(isStray).map(({ file }) => ({ ...file, known: null }));
  return [...read.filter((one) => !isStray(one)), ...(await readFiles(strayed, readAll, projectOf))];
}

function pathOf({ machineId, path }: Pick<CatalogFile, "machineId" | "path">): string {
  return storable(hubPath(machineId, path));
}

function isChanged(found: CatalogFile): boolean {
  const { file, known, knownPath, isDeleted } = found;
  return isDeleted || known === null || known.size !== file.size || knownPath !== pathOf(found);
}

/** The files behind those that are together no larger; the first one is never among them. */
function beyond(files: readonly CatalogFile[], most: number): number[] {
  let bytes = 0;
  return files.flatMap((file, place) => {
    bytes += unreadBytes(file);
    return place > 0 && bytes > most ? [file.fileKey] : [];
  });
}

function unreadBytes({ file, known }: CatalogFile): number {
  return file.size - (known?.size ?? 0);
}

function textsOf(written: readonly WrittenSession[]) {
  return written.flatMap(({ key, path, kind, format, indexedCount, entryCount, readBytes, sharedProjectId }) => {
    const isAll = kind === "removed" || indexedCount >= entryCount;
    return isAll
      ? []
      : [{ key, path, format, firstEntry: indexedCount, entryCount, bytes: readBytes, sharedProjectId }];
  });
}
