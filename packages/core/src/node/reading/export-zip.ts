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

/** Regular file, writable by its owner, readable by all. */
const MODE = 0o100_644;

/** A zip cannot represent earlier times, and the library fails before 1970. */
const EARLIEST = Date.parse("1980-01-02T00:00:00.000Z");

/** A session in an archive: its row in the index page, and the file. */
export interface ArchivePart {
  record: Pick<SessionRecord, "title" | "cwd" | "modified_at" | "message_count" | "usage">;
  file: ExportStream;
}

export interface ArchiveSource {
  theme: ExportTheme;
  /** Of sessions that go into the folder of another one, which comes before them: the path of that one. */
  parents?: ReadonlyMap<string, string>;
  /** Called for one session at a time. */
  open(path: string): Promise<ArchivePart>;
  log: LibraryLog;
}

/**
 * Streams a zip of sessions with an index page. Opens one session at a time, and closes it if the reader disconnects.
 * The index page comes last and lists sessions that could not be read completely.
 */
export function archiveStream(paths: readonly string[], source: ArchiveSource): ExportStream {
  const day = new Date().toISOString().slice(0, 10);
  return { file_name: `sessions-${day}.zip`, media_type: "application/zip", chunks: zipped(paths, source) };
}

async function* zipped(paths: readonly string[], source: ArchiveSource): AsyncGenerator<Uint8Array, void> {
  const zip = new ZipFile();
  // The types omit this property.
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
  const names = new FolderNames();
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
    const session = { ...rowOf(record), file_name: names.unique(path, source.parents?.get(path), name, ext.slice(1)) };
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

/** Names of all files in an archive, folder by folder. */
class FolderNames {
  /** Of the folder of each session's subagents, by the session's path. */
  readonly #folders = new Map<string, string>();
  /** By folder. */
  readonly #names = new Map([["", new UniqueFileNames([INDEX_PAGE])]]);

  /** @param parent path of a session, in whose folder the file will be if that session is in the archive. */
  unique(path: string, parent: string | undefined, title: string, extension: string): string {
    const folder = this.#folders.get(parent ?? "") ?? "";
    const names = this.#names.get(folder) ?? new UniqueFileNames();
    this.#names.set(folder, names);
    const name = `${folder}${names.unique(title, extension)}`;
    this.#folders.set(path, `${name.slice(0, -extension.length - 1)}/`);
    return name;
  }
}

/** Reads the first piece too, to detect a missing file before it has an entry in the zip. */
async function openPart(path: string, source: ArchiveSource) {
  const part = await source.open(path);
  const rest = part.file.chunks[Symbol.asyncIterator]();
  return { ...part, rest, first: await rest.next() };
}

type Pieces = AsyncIterator<Uint8Array>;

/** After a read error, earlier pieces remain: they were already sent. */
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

/** Writes a file into the zip; resolves when it is written, rejects when the reader disconnects. */
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
  const { title, cwd: project, modified_at, message_count, usage: costs } = record;
  return { title, project, modified_at, message_count, costs, problem: null };
}

/**
 * Describes why a session cannot be read, without revealing its location.
 *
 * @throws errors that affect all sessions: the archive must fail, so that it does not look complete.
 */
function reasonOf(error: unknown, path: string, log: LibraryLog): string {
  if (error instanceof AppError) {
    if (error.code === "UNAVAILABLE") throw error;
    return error.message.replaceAll(path, basename(path));
  }
  log.error({ err: error, path }, "Could not export a session");
  return "The service failed to read it; its log has the cause.";
}
