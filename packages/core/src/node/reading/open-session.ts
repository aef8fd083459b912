import { AppError } from "../../errors.ts";
import type { SessionFormat, SessionWriter } from "../../format/format.ts";
import { formatNamed } from "../../format/formats.ts";
import type { JsonObject } from "../../json.ts";
import type { Outline, OutlineEntry } from "../../session/outline.ts";
import type { SessionFold } from "../../session/session-fold.ts";
import type { SessionFileFacts } from "../../session/summary.ts";
import { formatTimestamp } from "../../session/timestamp.ts";
import type { ReadableSession } from "../../session/transcript-layout.ts";
import { withoutCycles } from "../../session/tree.ts";
import { changedMeanwhile, fileError } from "../files/file-errors.ts";
import { MAX_LINE_BYTES, SessionFile, withSessionFile } from "../session-file/session-file.ts";

/** A session with its tree, for reading single entries. Its size is that covered by the outline. */
export interface OpenSession extends ReadableSession {
  format: SessionFormat;
  /** Inode of the file. */
  inode: number;
}

/** @throws AppError NOT_FOUND if the file is not a session. */
export function openSession(fold: SessionFold, source: SessionFileFacts, inode: number): OpenSession {
  if (fold.state.format === null) throw new AppError("NOT_FOUND", `${source.path} contains no readable session.`);
  const format = formatNamed(fold.state.format);
  return { source, fold, format, inode, parents: withoutCycles(fold.outline.parents()) };
}

/** Reads a session whose current state is not in the index. */
export function readSession(path: string): OpenSession {
  const { fold, progress, stamp } = withSessionFile(path, (file) => file.read());
  return openSession(fold, { path, size: progress.bytes, modifiedAt: stamp.mtime }, stamp.inode);
}

/** @throws AppError CONFLICT where sessions of the format are only read. */
export function writerOf({ format, source }: Pick<OpenSession, "format" | "source">): SessionWriter {
  if (format.writer !== null) return format.writer;
  const message = `${source.path} cannot be written to, because files of ${format.agent.name} are only read.`;
  throw new AppError("CONFLICT", message);
}

/**
 * Reopens the file of a session for its first piece: it may have been deleted.
 *
 * @throws AppError with a message for the file system's error.
 */
export function openAgain(path: string): SessionFile {
  try {
    return new SessionFile(path);
  } catch (error) {
    throw fileError(error, "read", path) ?? error;
  }
}

/**
 * Parses the line of an entry; `until` limits read-ahead.
 *
 * @param mark appended to shortened strings of an entry that is too large, see {@link cutEntry}.
 * @throws AppError CONFLICT if the line has changed.
 */
export function lineOf(
  session: OpenSession,
  file: SessionFile,
  ordinal: number,
  until: number,
  mark?: (bytes: number) => string,
): JsonObject {
  const entry = session.fold.outline.at(ordinal);
  const { offset, length } = entry;
  if (isCut(entry)) return cutEntry(file, entry, mark?.(length));
  const line = file.line(offset, length, until);
  if (line === null) throw changedMeanwhile(session.source.path);
  return line;
}

/** Whether an entry is too large to be returned completely. */
export function isCut({ length }: Pick<OutlineEntry, "length">): boolean {
  return length > MAX_LINE_BYTES;
}

/** A shortened entry. An entry that is too large without having long strings cannot be shortened. */
export function cutEntry(file: SessionFile, entry: OutlineEntry, mark?: string): JsonObject {
  const { offset, length, timestamp } = entry;
  const left = file.cutLine(offset, length, mark === undefined ? {} : { mark });
  return left ?? { type: "truncated", timestamp: formatTimestamp(timestamp) };
}

/** Where the line of an entry ends in the file. */
export function endOf(outline: Outline, ordinal: number): number {
  const { offset, length } = outline.at(ordinal);
  return offset + length;
}
