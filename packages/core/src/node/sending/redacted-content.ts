import { BLOCK_BYTES, lastBlockStart } from "./file-blocks.ts";
import type { FilePart, ReadPart } from "./file-content.ts";
import type { SentRow } from "./sent-file.ts";

const LF = 0x0a;
/** Longer lines are sent as an empty object: they would have to be in memory. Images and outputs are shorter. */
const LONGEST_LINE = 8 * 1024 * 1024;
const LEFT_OUT = Buffer.from("{}\n");

/** Whole lines, redacted. What was sent before, and perhaps not heard, is sent as it was. */
export function readLines(redact: (line: string) => string): ReadPart {
  return (row, stamp, read, room) => {
    const isAgain = row.read > row.taken;
    const limit = isAgain ? row.read : stamp.size;
    const contentStart = lastBlockStart(row.taken);
    for (let window = isAgain ? limit - row.taken : Math.max(room, BLOCK_BYTES); ; window *= 2) {
      const wanted = Math.min(limit, row.taken + window);
      const buffer = Buffer.allocUnsafe(wanted - contentStart);
      if (read(buffer, contentStart) < buffer.length) return null;
      const lines = buffer.subarray(row.taken - contentStart);
      const length = lines.lastIndexOf(LF) + 1;
      const isLast = wanted === stamp.size;
      if (length > 0) {
        const content = buffer.subarray(0, row.taken - contentStart + length);
        const bytes = redactedLines(lines.subarray(0, length), redact);
        return { bytes, end: row.taken + length, isLast, content, contentStart };
      }
      if (wanted === limit) return nothingMore(row, contentStart, buffer);
      if (window > LONGEST_LINE) return leftOut(row, { from: wanted, limit: stamp.size }, read);
    }
  };
}

/** A text as a whole: what is secret in it may have several lines. `null` for what is no text. */
export function readText(redact: (text: string) => string): ReadPart {
  return (_row, stamp, read) => {
    const content = Buffer.allocUnsafe(stamp.size);
    if (read(content, 0) < content.length) return null;
    let text: string;
    try {
      text = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(content);
    } catch {
      return null;
    }
    return { bytes: Buffer.from(redact(text)), end: stamp.size, isLast: true, content, contentStart: 0 };
  };
}

/** The hub may still have to hear that it has all; a line that is being written waits. */
function nothingMore(row: SentRow, contentStart: number, buffer: Buffer): FilePart | null {
  if (row.taken === 0 || row.is_whole === 1) return null;
  const content = buffer.subarray(0, row.taken - contentStart);
  return { bytes: Buffer.alloc(0), end: row.taken, isLast: true, content, contentStart };
}

function redactedLines(lines: Buffer, redact: (line: string) => string): Buffer {
  const redacted: string[] = [];
  for (let start = 0; start < lines.length; ) {
    const end = lines.indexOf(LF, start);
    const line = lines.toString("utf8", start, end);
    redacted.push(line.length > LONGEST_LINE ? "{}" : line.trim() === "" ? line : redact(line), "\n");
    start = end + 1;
  }
  return Buffer.from(redacted.join(""));
}

/** @returns `null` while the line has no end. */
function leftOut(
  row: SentRow,
  { from, limit }: { from: number; limit: number },
  read: Parameters<ReadPart>[2],
): FilePart | null {
  const buffer = Buffer.allocUnsafe(1024 * 1024);
  for (let at = from; at < limit; at += buffer.length) {
    const part = buffer.subarray(0, Math.min(buffer.length, limit - at));
    if (read(part, at) < part.length) return null;
    const end = part.indexOf(LF);
    if (end < 0) continue;
    return {
      bytes: LEFT_OUT,
      end: at + end + 1,
      isLast: at + end + 1 >= limit,
      content: null,
      contentStart: lastBlockStart(row.taken),
    };
  }
  return null;
}
