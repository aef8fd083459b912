import { createHash } from "node:crypto";
import type { SendingDatabase } from "./sending-database.ts";

/**
 * A file is known by the hashes of its blocks: the last one, mostly not whole, is read again with each append, which takes
 * a tenth of a millisecond.
 */
export const BLOCK_BYTES = 64 * 1024;
/** Of SHA-256: it tells what has changed, and does not keep out anybody. */
const HASH_BYTES = 16;

/** Reads into a buffer from an offset of a file on; returns the number of bytes, fewer only at the end. */
export type ReadFile = (buffer: Buffer, offset: number) => number;

function blockHash(bytes: Uint8Array): Buffer {
  return createHash("sha256").update(bytes).digest().subarray(0, HASH_BYTES);
}

/** Where the block begins that is not whole after so many bytes, or the last one where all are whole. */
export function lastBlockStart(bytes: number): number {
  return Math.max(0, Math.ceil(bytes / BLOCK_BYTES) - 1) * BLOCK_BYTES;
}

/** Keeps hashes of what was read: `content` begins at a multiple of {@link BLOCK_BYTES}. */
export function putBlocks(database: SendingDatabase, file: number, start: number, content: Uint8Array): void {
  for (let at = 0; at < content.length; at += BLOCK_BYTES) {
    const hash = blockHash(content.subarray(at, at + BLOCK_BYTES));
    database.run("INSERT OR REPLACE INTO blocks VALUES (?, ?, ?)", file, (start + at) / BLOCK_BYTES, hash);
  }
}

/** The same for what has to be read again: up to `end`. */
export function readBlocks(
  database: SendingDatabase,
  file: number,
  { start, end }: { start: number; end: number },
  read: ReadFile,
): void {
  const buffer = Buffer.allocUnsafe(BLOCK_BYTES);
  for (let at = start; at < end; at += BLOCK_BYTES) {
    const wanted = buffer.subarray(0, Math.min(BLOCK_BYTES, end - at));
    putBlocks(database, file, at, wanted.subarray(0, read(wanted, at)));
  }
}

/**
 * Whether a file begins with so many bytes that were read of it before.
 *
 * @param isDoubtful whether every block is compared, otherwise the first and the last one.
 */
export function beginsAsRead(
  database: SendingDatabase,
  file: number,
  { bytes, isDoubtful }: { bytes: number; isDoubtful: boolean },
  read: ReadFile,
): boolean {
  if (bytes === 0) return true;
  const last = lastBlockStart(bytes) / BLOCK_BYTES;
  const wanted = isDoubtful
    ? database.rows<Block>("SELECT number, hash FROM blocks WHERE file = ? AND number <= ?", file, last)
    : database.rows<Block>("SELECT number, hash FROM blocks WHERE file = ? AND number IN (0, ?)", file, last);
  const isKnown = wanted.length === (isDoubtful ? last + 1 : Math.min(2, last + 1));
  return isKnown && wanted.every(({ number, hash }) => hash.equals(hashAt(read, number, bytes)));
}

interface Block {
  number: number;
  hash: Buffer;
}

function hashAt(read: ReadFile, number: number, bytes: number): Buffer {
  const start = number * BLOCK_BYTES;
  const buffer = Buffer.allocUnsafe(Math.min(BLOCK_BYTES, bytes - start));
  return blockHash(buffer.subarray(0, read(buffer, start)));
}
