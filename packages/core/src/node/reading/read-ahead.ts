import { closeSync, createReadStream, fstatSync } from "node:fs";
import { AppError } from "../../errors.ts";
import { errorCode, fileError, isAbsence } from "../files/file-errors.ts";
import { openFile } from "../files/open-file.ts";
import { unpackedPieces } from "../session-file/packed-file.ts";
import { isPacked } from "../session-file/session-file-name.ts";

const MEBIBYTE = 1024 * 1024;

/**
 * Reads the pieces of a thread's stream, and closes the stream if the rest is not needed.
 *
 * @param signal aborted when the caller is gone, whether or not a piece was read.
 */
export function pulled<Piece>(
  next: () => Promise<Piece | null>,
  stop: () => Promise<unknown>,
  signal?: AbortSignal,
): AsyncIterableIterator<Piece> {
  let isDone = false;
  const finish = (): void => {
    isDone = true;
    signal?.removeEventListener("abort", onAbort);
  };
  const end = async (): Promise<void> => {
    if (isDone) return;
    finish();
    await stop().catch(() => undefined);
  };
  const onAbort = (): void => void end();
  signal?.addEventListener("abort", onAbort);
  if (signal?.aborted) onAbort();
  return {
    // Not a generator: if closed before its first piece, a generator runs no code.
    [Symbol.asyncIterator]() {
      return this;
    },
    async next() {
      signal?.throwIfAborted();
      if (isDone) return { done: true, value: undefined };
      try {
        const value = await next();
        if (value !== null) return { done: false, value };
        finish();
        return { done: true, value: undefined };
      } catch (error) {
        await end();
        throw error;
      }
    },
    async return() {
      await end();
      return { done: true, value: undefined };
    },
  };
}

/** Requests the next piece while the current one is processed. */
export function oneAhead<Piece>(next: () => Promise<Piece | null>): () => Promise<Piece | null> {
  let coming: Promise<Piece | null> | null = null;
  return async () => {
    const piece = await (coming ?? next());
    if (piece === null) return null;
    coming = next();
    // Thrown when awaited; otherwise irrelevant.
    coming.catch(() => undefined);
    return piece;
  };
}

/** A session file to read. */
export interface FileToRead {
  /** Without links. */
  path: string;
  /** See `openFileSync`. */
  isAllowed(real: string): boolean;
  /** Reads what is kept of the file, if it is gone: `null` if nothing is, no bytes at the end. */
  kept?: (offset: number, length: number) => Promise<Uint8Array | null>;
  /** First byte of its text; default 0. */
  offset?: number | undefined;
  /** Number of bytes; default: all. */
  length?: number | undefined;
}

/** Bytes per read: pieces of a response are a few times as large, as JSON. */
const READ_BYTES = 64 * 1024;
/** The same from the vault, by another thread. */
const KEPT_BYTES = 256 * 1024;

/**
 * Reads a file up to its current end. Opens it when the first bytes are requested: it may have been deleted.
 *
 * @param options `largest`: maximum size of the file; `signal`: aborted when the caller is gone.
 * @throws AppError with a message for the file system's error; `PAYLOAD_TOO_LARGE`; the reason of `signal`.
 */
export async function* bytesOf(
  file: FileToRead,
  { largest = Infinity, signal }: { largest?: number; signal?: AbortSignal | undefined } = {},
): AsyncGenerator<Buffer, void> {
  const { path, isAllowed, offset = 0, length = Infinity } = file;
  signal?.throwIfAborted();
  const opened = await openFile(path, isAllowed).catch(async (error: unknown) => {
    const isKept = isAbsence(errorCode(error)) && (await file.kept?.(0, 1)) != null;
    if (isKept) return null;
    throw fileError(error, "read", path) ?? error;
  });
  if (opened === null) {
    yield* keptBytesOf(file, { largest, signal });
    return;
  }
  const { descriptor } = opened;
  const { size } = fstatSync(descriptor);
  const isWhole = isPacked(path);
  const start = isWhole ? 0 : offset;
  const end = (isWhole ? size : Math.min(size, offset + length)) - 1;
  if (size > largest || end < start) {
    closeSync(descriptor);
    if (end < start) return;
    throw tooLarge(largest);
  }
  const stream = createReadStream(path, { fd: descriptor, start, end, highWaterMark: READ_BYTES });
  // The error is thrown for the next piece; the descriptor is closed in any case.
  const onAbort = (): void => void stream.destroy(signal?.reason);
  signal?.addEventListener("abort", onAbort);
  if (signal?.aborted) onAbort();
  try {
    yield* isWhole ? partOf(unpackedPieces(stream), { offset, length, largest }) : stream;
  } finally {
    signal?.removeEventListener("abort", onAbort);
  }
}

/** The same for a file that is gone. */
async function* keptBytesOf(
  { path, offset = 0, length = Infinity, kept }: FileToRead,
  { largest, signal }: { largest: number; signal: AbortSignal | undefined },
): AsyncGenerator<Buffer, void> {
  const isWhole = isPacked(path);
  const pieces = async function* (start: number, most: number) {
    for (let at = 0; at < most; ) {
      signal?.throwIfAborted();
      const piece = await kept?.(start + at, Math.min(KEPT_BYTES, most - at));
      if (piece === undefined || piece === null || piece.length === 0) return;
      at += piece.length;
      if (at > largest) throw tooLarge(largest);
      yield Buffer.from(piece.buffer, piece.byteOffset, piece.length);
    }
  };
  if (isWhole) yield* partOf(unpackedPieces(pieces(0, Infinity)), { offset, length, largest });
  else yield* pieces(offset, length);
}

/** A range of what is told from its beginning. */
async function* partOf(
  pieces: AsyncIterable<Buffer>,
  { offset, length, largest }: { offset: number; length: number; largest: number },
): AsyncGenerator<Buffer, void> {
  let at = 0;
  for await (const piece of pieces) {
    const part = piece.subarray(Math.max(0, offset - at), Math.max(0, offset + length - at));
    at += piece.length;
    if (at > largest) throw tooLarge(largest);
    if (part.length > 0) yield part;
    if (at >= offset + length) return;
  }
}

function tooLarge(largest: number): AppError {
  return new AppError(
    "PAYLOAD_TOO_LARGE",
    `The session is larger than ${largest / MEBIBYTE} MiB; download it with GET /api/export?format=jsonl.`,
  );
}

/** Decodes UTF-8 in pieces. Keeps a BOM; invalid bytes become U+FFFD. */
export async function* textOf(pieces: AsyncIterable<Uint8Array>): AsyncGenerator<string, void> {
  const decoder = new TextDecoder("utf-8", { ignoreBOM: true });
  for await (const piece of pieces) yield decoder.decode(piece, { stream: true });
  yield decoder.decode();
}

/** Flattens batches. */
export async function* flattened<Item>(batches: AsyncIterable<Item[]>): AsyncGenerator<Item, void> {
  for await (const batch of batches) {
    // Not `yield*`, which awaits each item and takes twice as long.
    for (const item of batch) yield item;
  }
}
