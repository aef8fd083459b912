import type { JsonObject } from "../../json.ts";
import { parseLine } from "../../session/jsonl.ts";
import { openAgentFile, type SessionBytes } from "./session-bytes.ts";

/** Of a larger index the end is read: its newest lines count. */
const MAX_BYTES = 4 * 1024 * 1024;
/** A title has at most some hundred characters. */
const MAX_LINE_LENGTH = 4096;
/** Homes of agents are few. */
const MAX_INDEXES = 4;

interface TitleIndex {
  /** Changes with the file. */
  stamp: string;
  /** The newest line about each session, by its ID. */
  lines: ReadonlyMap<string, string>;
}

/** Of this thread; the one that was read last comes last. */
const known = new Map<string, TitleIndex>();

/**
 * What an index of an agent says about a session; `null` where it says nothing or cannot be read. An index that has
 * changed is read anew.
 */
export function indexedLine(path: string, id: string): JsonObject | null {
  let lines: TitleIndex["lines"];
  try {
    lines = linesOf(path);
  } catch {
    // A session has a title without it, too.
    return null;
  }
  const line = lines.get(id);
  return line === undefined ? null : parseLine(line);
}

function linesOf(path: string): TitleIndex["lines"] {
  const file = openAgentFile(path);
  try {
    const { inode, size, mtime, ctime } = file.stamp();
    const stamp = `${inode} ${size} ${mtime} ${ctime}`;
    const before = known.get(path);
    if (before?.stamp === stamp) return before.lines;
    const lines = new Map<string, string>();
    for (const text of textOf(file, size).split("\n")) {
      const id = text.length > MAX_LINE_LENGTH ? undefined : parseLine(text)?.id;
      if (typeof id === "string") lines.set(id, text);
    }
    known.delete(path);
    known.set(path, { stamp, lines });
    const [oldest] = known.keys();
    if (known.size > MAX_INDEXES && oldest !== undefined) known.delete(oldest);
    return lines;
  } finally {
    file.close();
  }
}

/** A line that is cut at the start is none. */
function textOf(file: SessionBytes, size: number): string {
  const buffer = Buffer.allocUnsafe(Math.min(size, MAX_BYTES));
  return buffer.toString("utf8", 0, filled(file, buffer, size - buffer.length));
}

/** Fills a buffer from an offset; returns the number of bytes, fewer at the end of the file. */
function filled(file: SessionBytes, buffer: Buffer, offset: number): number {
  let count = 0;
  for (let read = -1; read !== 0 && count < buffer.length; count += read)
    read = file.read(buffer, count, offset + count);
  return count;
}
