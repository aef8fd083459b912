import { once } from "node:events";
import { basename, parse } from "node:path";
import { type PassThrough, Readable } from "node:stream";
import { ZipFile } from "yazl";
import { AppError } from "../../errors.ts";
import { type ArchivedSession, archiveIndexPage, INDEX_PAGE, type MissingSession } from "../../export/index-page.ts";
import { UniqueFileNames } from "../../export/unique-file-names.ts";
import type { ExportStream, ExportTheme } from "../../library.ts";
import type { LibraryLog } from "../../library-log.ts";
import type { SessionRecord } from "../../session/record.ts";

/** A regular file that its owner may write and everybody may read. */
const MODE = 0o100_644;

/** A zip knows no earlier time, and its writer fails at one before 1970. */
const EARLIEST = Date.parse("1980-01-02T00:00:00.000Z");

/** What an archive holds of a session: what its index page says, and the file. */
export interface ArchivePart {
  record: Pick<SessionRecord, "title" | "cwd" | "modified_at" | "message_count" | "usage">;
  file: ExportStream;
}

export interface ArchiveSource {
  theme: ExportTheme;
  /** Asked for one session after the other. */
  open(path: string): Promise<ArchivePart>;
  log: LibraryLog;
}

/**
 * Puts sessions and an index page of them into a zip, which is written as fast as it is read. One session is open at a
 * time, and closed when the reader leaves. The index page, which comes last, tells which sessions could not be read, or
 * not to their end.
 */
export function archiveStream(paths: readonly string[], source: ArchiveSource): ExportStream {
  const day = new Date().toISOString().slice(0, 10);
  return { file_name: `sessions-${day}.zip`, media_type: "application/zip", chunks: zipped(paths, source) };
}

async function* zipped(paths: readonly string[], source: ArchiveSource): AsyncGenerator<Uint8Array, void> {
  const zip = new ZipFile();
  // The types promise less than there is.
  const output = zip.outputStream as PassThrough;
  const reader = new AbortController();
  const filled = fill(zip, paths, source, reader.signal).catch((error) => void output.destroy(error));
  try {
    yield* output;
  } finally {
    reader.abort();
    await filled;
  }
}

async function fill(zip: ZipFile, paths: readonly string[], source: ArchiveSource, gone: AbortSignal): Promise<void> {
  const names = new UniqueFileNames([INDEX_PAGE]);
  const sessions: ArchivedSession[] = [];
  const missing: MissingSession[] = [];
  for (const path of paths) {
    if (gone.aborted) return;
    const opened = await openPart(path, source).catch((error: unknown) => reasonOf(error, path, source.log));
    if (typeof opened === "string") {
      missing.push({ name: basename(path), reason: opened });
      continue;
    }
    const { record, file, first, rest } = opened;
    const { name, ext } = parse(file.file_name);
    const session = { ...rowOf(record), file_name: names.unique(name, ext.slice(1)) };
    sessions.push(session);
    const breakOff = (error: unknown) => {
      session.problem = reasonOf(error, path, source.log);
    };
    try {
      await add(zip, session.file_name, piecesOf(first, rest, breakOff), Date.parse(record.modified_at), gone);
    } finally {
      await rest.return?.();
    }
  }
  await add(zip, INDEX_PAGE, archiveIndexPage(sessions, missing, source.theme), Date.now(), gone);
  zip.end();
}

/** Reads the first piece too: a file that is gone is noticed before it has a name in the zip. */
async function openPart(path: string, source: ArchiveSource) {
  const part = await source.open(path);
  const rest = part.file.chunks[Symbol.asyncIterator]();
  return { ...part, rest, first: await rest.next() };
}

type Pieces = AsyncIterator<Uint8Array>;

/** Where reading fails, what was read before stays: it has been sent. */
async function* piecesOf(first: IteratorResult<Uint8Array>, rest: Pieces, breakOff: (error: unknown) => void) {
  let next = first;
  while (next.done !== true) {
    yield next.value;
    try {
      next = await rest.next();
    } catch (error) {
      breakOff(error);
      return;
    }
  }
}

/** Writes a file into the zip; resolves when all of it is taken, and rejects when the reader is gone. */
async function add(
  zip: ZipFile,
  name: string,
  pieces: Iterable<string> | AsyncIterable<Uint8Array>,
  modifiedAt: number,
  gone: AbortSignal,
): Promise<void> {
  const readable = Readable.from(pieces, { signal: gone });
  zip.addReadStream(readable, name, { mtime: new Date(Math.max(modifiedAt, EARLIEST)), mode: MODE });
  await once(readable, "close");
}

function rowOf(record: ArchivePart["record"]): Omit<ArchivedSession, "file_name"> {
  const { title, cwd: project, modified_at, message_count, usage } = record;
  return { title, project, modified_at, message_count, cost_usd: usage.cost_usd, problem: null };
}

/**
 * Says why a session cannot be read, in words for whoever opens the archive, who need not know where the sessions were.
 *
 * @throws the error where it is about all sessions: the archive has to break off then, not to look whole.
 */
function reasonOf(error: unknown, path: string, log: LibraryLog): string {
  if (error instanceof AppError) {
    if (error.code === "UNAVAILABLE") throw error;
    return error.message.replaceAll(path, basename(path));
  }
  log.error({ err: error, path }, "Could not export a session");
  return "The service failed to read it; its log has the cause.";
}
