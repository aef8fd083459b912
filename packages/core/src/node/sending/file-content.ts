import type { FileStamp } from "../session-file/file-stamp.ts";
import { BLOCK_BYTES, lastBlockStart, type ReadFile } from "./file-blocks.ts";
import type { SentRow } from "./sent-file.ts";

/** The next part of a file, as it is sent. */
export interface FilePart {
  /** What is sent. */
  bytes: Uint8Array;
  /** Up to where of the file it is. */
  end: number;
  /** Whether nothing more of the file can be sent before it grows. */
  isLast: boolean;
  /** What was read of the file for it, from the beginning of a block on; `null`: more than memory should hold. */
  content: Uint8Array | null;
  contentStart: number;
}

/** Reads the next part of a file of which the hub has so much. `null`: there is nothing that can be sent yet. */
export type ReadPart = (row: SentRow, stamp: FileStamp, read: ReadFile, room: number) => FilePart | null;

/** As the bytes are. */
export const readBytes: ReadPart = (row, stamp, read, room) => {
  const contentStart = lastBlockStart(row.taken);
  const end = Math.min(stamp.size, row.taken + Math.max(room, BLOCK_BYTES));
  const buffer = Buffer.allocUnsafe(end - contentStart);
  const content = buffer.subarray(0, read(buffer, contentStart));
  // It has become shorter meanwhile: the next look finds out.
  if (content.length < buffer.length) return null;
  return { bytes: content.subarray(row.taken - contentStart), end, isLast: end >= stamp.size, content, contentStart };
};
