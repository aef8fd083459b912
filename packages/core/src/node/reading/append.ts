import { randomBytes } from "node:crypto";
import { closeSync, constants, fstatSync, futimesSync, readSync, writeSync } from "node:fs";
import type { AppendPosition } from "../../format/format.ts";
import type { JsonObject } from "../../json.ts";
import { parseLine } from "../../session/jsonl.ts";
import { changedMeanwhile } from "../files/file-errors.ts";
import { openSessionFile } from "../session-file/session-roots.ts";

const LF = 0x0a;
const TAIL_BYTES = 64 * 1024;
/** Concurrent appends by an agent are rare, and never so many in a row. */
const MAX_ATTEMPTS = 20;

export interface EntryToAppend {
  /** Makes the entry for its place. */
  entryAt(position: AppendPosition): JsonObject;
  /** Whether entries have IDs and parents. */
  hasTree: boolean;
  isTaken: (id: string) => boolean;
  /** Inode of the file that this was read from. */
  inode: number;
}

/**
 * Appends an entry that is no message, such as a name or a label. An agent may have the file open and never rereads it,
 * so nothing is replaced: a single write of one line, after the last entry of the tree, because otherwise the agent
 * would open an empty conversation. Restores the modification time, because there is no new message.
 *
 * @throws AppError CONFLICT if the file was replaced; errors of `openFileSync`.
 */
export function appendEntry(path: string, { entryAt, hasTree, isTaken, inode }: EntryToAppend): void {
  const { descriptor } = openSessionFile(path, constants.O_RDWR | constants.O_APPEND);
  try {
    const before = fstatSync(descriptor);
    if (before.ino !== inode) throw changedMeanwhile(path);
    const own = new Set<string>();
    for (let attempt = 0; attempt < MAX_ATTEMPTS; attempt++) {
      const end = readEnd(descriptor, fstatSync(descriptor).size, own);
      const id = newEntryId(isTaken);
      own.add(id);
      const tree = hasTree ? { id, parentId: end.lastEntryId } : null;
      const line = entryAt({ tree, timestamp: new Date().toISOString() });
      // Agents before 0.84.4 do not check whether the file ends with LF, so the next writer must add it.
      const bytes = Buffer.from(`${end.endsInLf ? "" : "\n"}${JSON.stringify(line)}\n`);
      writeWhole(path, descriptor, bytes, end.size);
      const { size } = fstatSync(descriptor);
      if (readAt(descriptor, end.size, bytes.length).equals(bytes)) {
        if (size === end.size + bytes.length && attempt === 0) futimesSync(descriptor, before.atime, before.mtime);
        return;
      }
      // The agent appended a line in between, so the parent is wrong. If another line follows, the newest branch is the
      // agent's anyway; if ours is the last line, it must be repeated.
      if (!readAt(descriptor, size - bytes.length, bytes.length).equals(bytes)) return;
    }
  } finally {
    closeSync(descriptor);
  }
}

/** Eight hexadecimal digits, as in the agent. */
export function newEntryId(isTaken: (id: string) => boolean): string {
  for (;;) {
    const id = randomBytes(4).toString("hex");
    if (!isTaken(id)) return id;
  }
}

interface FileEnd {
  size: number;
  endsInLf: boolean;
  /** The last entry with an ID, except `own` ones; `null` if there is none. */
  lastEntryId: string | null;
}

function readEnd(descriptor: number, size: number, own: ReadonlySet<string>): FileEnd {
  const endsInLf = size === 0 || readAt(descriptor, size - 1, 1)[0] === LF;
  for (let length = Math.min(TAIL_BYTES, size); ; length = Math.min(length * 4, size)) {
    const isWhole = length === size;
    const tail = readAt(descriptor, size - length, length);
    // A tail that does not start at the file's beginning starts within a line.
    const start = isWhole ? 0 : tail.indexOf(LF) + 1;
    const lastEntryId = start === 0 && !isWhole ? null : lastIdIn(tail.subarray(start), own);
    if (lastEntryId !== null || isWhole) return { size, endsInLf, lastEntryId };
  }
}

function lastIdIn(bytes: Buffer, own: ReadonlySet<string>): string | null {
  let end = bytes.length;
  while (end > 0) {
    const start = bytes.lastIndexOf(LF, end - 1) + 1;
    const entry = start < end ? parseLine(bytes.toString("utf8", start, end)) : null;
    const id = entry === null ? null : entryId(entry);
    if (id !== null && !own.has(id)) return id;
    end = start - 1;
  }
  return null;
}

function entryId(line: JsonObject): string | null {
  return line.type !== "session" && typeof line.type === "string" && typeof line.id === "string" ? line.id : null;
}

function readAt(descriptor: number, offset: number, length: number): Buffer {
  const buffer = Buffer.alloc(length);
  return buffer.subarray(0, readSync(descriptor, buffer, 0, length, offset));
}

/** Appends to the file, which ends at `end` unless someone else writes. */
function writeWhole(path: string, descriptor: number, bytes: Buffer, end: number): void {
  let written = 0;
  try {
    while (written < bytes.length) written += writeSync(descriptor, bytes, written);
  } catch (error) {
    if (written > 0) endLine(path, fstatSync(descriptor).ino, end + written);
    throw error;
  }
}

/**
 * On a full disk, a line may be written partially. Its last byte is replaced by LF, because otherwise the agent's next
 * line would be joined to it.
 */
function endLine(path: string, inode: number, end: number): void {
  // A descriptor in append mode cannot write elsewhere.
  const { descriptor } = openSessionFile(path, constants.O_RDWR);
  try {
    const { ino, size } = fstatSync(descriptor);
    if (ino === inode && size === end) writeSync(descriptor, "\n", end - 1);
  } finally {
    closeSync(descriptor);
  }
}
