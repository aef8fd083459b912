import { randomBytes } from "node:crypto";
import { closeSync, constants, fstatSync, futimesSync, readSync, writeSync } from "node:fs";
import type { SessionFormat } from "../../format/format.ts";
import type { JsonObject } from "../../json.ts";
import { parseLine } from "../../session/jsonl.ts";
import { changedMeanwhile } from "../files/file-errors.ts";
import { openSessionFile } from "../session-file/session-roots.ts";

const LF = 0x0a;
const TAIL_BYTES = 64 * 1024;
/** An agent that appends at the same moment is met once in a while, never so many times in a row. */
const MAX_ATTEMPTS = 20;

export interface NameToAppend {
  format: SessionFormat;
  name: string;
  /** Whether entries have ids and parents. */
  hasTree: boolean;
  isTaken: (id: string) => boolean;
  /** Of the file that all this was read from. */
  inode: number;
}

/**
 * Appends an entry that names the session. An agent may have the file open and never looks at it again, so nothing is
 * ever replaced: one write of one whole line, after the last entry of the tree, or the agent would open an empty
 * conversation. The file's modification time is put back, since nothing was said.
 *
 * @throws AppError CONFLICT where another file has taken its place; as `openFileSync` does.
 */
export function appendName(path: string, naming: NameToAppend): void {
  const { descriptor } = openSessionFile(path, constants.O_RDWR | constants.O_APPEND);
  try {
    const before = fstatSync(descriptor);
    if (before.ino !== naming.inode) throw changedMeanwhile(path);
    const own = new Set<string>();
    for (let attempt = 0; attempt < MAX_ATTEMPTS; attempt++) {
      const end = readEnd(descriptor, fstatSync(descriptor).size, own);
      const id = newEntryId(naming.isTaken);
      own.add(id);
      const line = naming.format.nameLine(naming.name, {
        tree: naming.hasTree ? { id, parentId: end.lastEntryId } : null,
        timestamp: new Date().toISOString(),
      });
      // Agents before 0.84.4 do not look whether the file ends in LF; whoever finds it missing has to add it.
      const bytes = Buffer.from(`${end.endsInLf ? "" : "\n"}${line}\n`);
      writeWhole(path, descriptor, bytes, end.size);
      const { size } = fstatSync(descriptor);
      if (readAt(descriptor, end.size, bytes.length).equals(bytes)) {
        if (size === end.size + bytes.length && attempt === 0) futimesSync(descriptor, before.atime, before.mtime);
        return;
      }
      // An agent's line came between, so the parent is wrong. Where another one follows, the newest branch is the
      // agent's all the same; where ours is the last line, it has to be said again.
      if (!readAt(descriptor, size - bytes.length, bytes.length).equals(bytes)) return;
    }
  } finally {
    closeSync(descriptor);
  }
}

/** Eight hexadecimal digits, as the agent makes them. */
export function newEntryId(isTaken: (id: string) => boolean): string {
  for (;;) {
    const id = randomBytes(4).toString("hex");
    if (!isTaken(id)) return id;
  }
}

interface FileEnd {
  size: number;
  endsInLf: boolean;
  /** The last entry with an id, but for `own` ones; `null` where there is none. */
  lastEntryId: string | null;
}

function readEnd(descriptor: number, size: number, own: ReadonlySet<string>): FileEnd {
  const endsInLf = size === 0 || readAt(descriptor, size - 1, 1)[0] === LF;
  for (let length = Math.min(TAIL_BYTES, size); ; length = Math.min(length * 4, size)) {
    const isWhole = length === size;
    const tail = readAt(descriptor, size - length, length);
    // A tail that does not begin at the file's start begins in the middle of a line.
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

/** Writes at the end of the file, which is at `end` where nobody else writes. */
function writeWhole(path: string, descriptor: number, bytes: Buffer, end: number): void {
  let written = 0;
  try {
    while (written < bytes.length) written += writeSync(descriptor, bytes, written);
  } catch (error) {
    if (written > 0) endLine(path, fstatSync(descriptor).ino, end + written);
    throw error;
  }
}

/** A full disk may take a part of a line. It is ours: its last byte becomes LF, or the agent's next line would be glued to it. */
function endLine(path: string, inode: number, end: number): void {
  // A descriptor for appending writes nowhere else.
  const { descriptor } = openSessionFile(path, constants.O_RDWR);
  try {
    const { ino, size } = fstatSync(descriptor);
    if (ino === inode && size === end) writeSync(descriptor, "\n", end - 1);
  } finally {
    closeSync(descriptor);
  }
}
