import { AppError } from "../../errors.ts";
import type { SessionFormat } from "../../format/format.ts";
import { formatNamed } from "../../format/formats.ts";
import type { JsonObject } from "../../json.ts";
import type { Outline, OutlineEntry } from "../../session/outline.ts";
import type { SessionFileFacts, SessionFold } from "../../session/summary.ts";
import { formatTimestamp } from "../../session/timestamp.ts";
import type { ReadableSession } from "../../session/transcript-layout.ts";
import { withoutCycles } from "../../session/tree.ts";
import { changedMeanwhile, fileError } from "../files/file-errors.ts";
import { MAX_LINE_BYTES, SessionFile, withSessionFile } from "../session-file/session-file.ts";

/** A session with its tree, ready for reading single entries. Its size is what the outline covers of the file. */
export interface OpenSession extends ReadableSession {
  format: SessionFormat;
  /** Of the file that was read. */
  inode: number;
}

/** @throws AppError NOT_FOUND where the file is no session. */
export function openSession(fold: SessionFold, source: SessionFileFacts, inode: number): OpenSession {
  if (fold.state.format === null) throw new AppError("NOT_FOUND", `${source.path} contains no readable session.`);
  const format = formatNamed(fold.state.format);
  return { source, fold, format, inode, parents: withoutCycles(fold.outline.parents()) };
}

/** Reads a session that the index does not know as it is. */
export function readSession(path: string): OpenSession {
  const { fold, progress, stamp } = withSessionFile(path, (file) => file.read());
  return openSession(fold, { path, size: progress.bytes, modifiedAt: stamp.mtime }, stamp.inode);
}

/**
 * Opens the file of a session once more, when its first piece is asked for: it may be gone by then.
 *
 * @throws AppError, with what the file system says in words.
 */
export function openAgain(path: string): SessionFile {
  try {
    return new SessionFile(path);
  } catch (error) {
    throw fileError(error, "read", path) ?? error;
  }
}

/**
 * Parses the line of an entry; `until`: where the reader will stop, so that no more is read ahead than is needed.
 *
 * @param mark says so behind what is left of the long strings of an entry that is cut, see {@link cutEntry}.
 * @throws AppError CONFLICT where the line is not what it was.
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

/** Whether an entry is too large to be handed over as it is. */
export function isCut({ length }: Pick<OutlineEntry, "length">): boolean {
  return length > MAX_LINE_BYTES;
}

/** What is left of an entry that is too large. What is long without long strings cannot be cut anywhere. */
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
