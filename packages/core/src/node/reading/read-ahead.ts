import { closeSync, createReadStream, fstatSync } from "node:fs";
import { AppError } from "../../errors.ts";
import { describeFileErrors } from "../files/file-errors.ts";
import { openFile } from "../files/open-file.ts";

const MEBIBYTE = 1024 * 1024;

/**
 * Takes what a thread hands over piece by piece, and tells it to stop where nobody wants the rest, or any of it.
 *
 * @param signal aborted when nobody waits any more, whether somebody has taken a piece or not.
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
    // Not a generator: one that is given up before its first piece runs nothing at all.
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

/** Has the thread make the next piece while this one is used. */
export function oneAhead<Piece>(next: () => Promise<Piece | null>): () => Promise<Piece | null> {
  let coming: Promise<Piece | null> | null = null;
  return async () => {
    const piece = await (coming ?? next());
    if (piece === null) return null;
    coming = next();
    // Thrown when it is awaited; where nobody comes back for it, it does not matter.
    coming.catch(() => undefined);
    return piece;
  };
}

/** A file whose bytes are wanted. */
export interface FileToRead {
  /** Without links. */
  path: string;
  /** See `openFileSync`. */
  isAllowed(real: string): boolean;
  /** First byte that is wanted; 0 if absent. */
  offset?: number | undefined;
  /** Bytes that are wanted; all that follow if absent. */
  length?: number | undefined;
}

/** Bytes that are read at once: each piece of an answer is a few times as large as JSON. */
const READ_BYTES = 64 * 1024;

/**
 * Reads a file as far as it reaches when its first bytes are asked for, which is when it is opened: it may be gone by
 * then.
 *
 * @param options `largest`: bytes that the file may have; `signal`: aborted when nobody waits any more.
 * @throws AppError, with what the file system says in words; `PAYLOAD_TOO_LARGE`; the reason of `signal`.
 */
export async function* bytesOf(
  file: FileToRead,
  { largest = Infinity, signal }: { largest?: number; signal?: AbortSignal | undefined } = {},
): AsyncGenerator<Buffer, void> {
  const { path, isAllowed, offset = 0, length = Infinity } = file;
  signal?.throwIfAborted();
  const { descriptor } = await describeFileErrors("read", path, () => openFile(path, isAllowed));
  const { size } = fstatSync(descriptor);
  const end = Math.min(size, offset + length) - 1;
  if (size > largest || end < offset) {
    closeSync(descriptor);
    if (end < offset) return;
    throw new AppError(
      "PAYLOAD_TOO_LARGE",
      `The session is larger than ${largest / MEBIBYTE} MiB; download it with GET /api/export?format=jsonl.`,
    );
  }
  const stream = createReadStream(path, { fd: descriptor, start: offset, end, highWaterMark: READ_BYTES });
  // Its error is thrown to whoever takes the next piece; the descriptor is given back also where nobody does.
  const onAbort = (): void => void stream.destroy(signal?.reason);
  signal?.addEventListener("abort", onAbort);
  if (signal?.aborted) onAbort();
  try {
    yield* stream;
  } finally {
    signal?.removeEventListener("abort", onAbort);
  }
}

/** Decodes UTF-8 piece by piece. A BOM stays, and bytes that are not UTF-8 become U+FFFD. */
export async function* textOf(pieces: AsyncIterable<Uint8Array>): AsyncGenerator<string, void> {
  const decoder = new TextDecoder("utf-8", { ignoreBOM: true });
  for await (const piece of pieces) yield decoder.decode(piece, { stream: true });
  yield decoder.decode();
}

/** Gives the items of batches one by one. */
export async function* flattened<Item>(batches: AsyncIterable<Item[]>): AsyncGenerator<Item, void> {
  for await (const batch of batches) {
    // Not `yield*`, which takes each item for a promise, and twice as long.
    for (const item of batch) yield item;
  }
}
