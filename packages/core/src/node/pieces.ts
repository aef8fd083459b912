import { open } from "node:fs/promises";
import { inWords } from "./file-errors.ts";

/** Takes what a thread hands over piece by piece, and tells it to stop where nobody wants the rest, or any of it. */
export function pulled<Piece>(
  next: () => Promise<Piece | null>,
  stop: () => Promise<unknown>,
): AsyncIterableIterator<Piece> {
  let isDone = false;
  const end = async (): Promise<void> => {
    if (isDone) return;
    isDone = true;
    await stop().catch(() => undefined);
  };
  return {
    // Not a generator: one that is given up before its first piece runs nothing at all.
    [Symbol.asyncIterator]() {
      return this;
    },
    async next() {
      if (isDone) return { done: true, value: undefined };
      try {
        const value = await next();
        if (value !== null) return { done: false, value };
        isDone = true;
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

/**
 * Opens the file when its first bytes are asked for: it may be gone by then.
 *
 * @throws AppError, with what the file system says in words.
 */
export async function* bytesOf(path: string): AsyncGenerator<Uint8Array, void> {
  const file = await inWords("read", path, () => open(path));
  yield* file.createReadStream();
}

/** Gives the items of batches one by one. */
export async function* flattened<Item>(batches: AsyncIterable<Item[]>): AsyncGenerator<Item, void> {
  for await (const batch of batches) {
    // Not `yield*`, which takes each item for a promise, and twice as long.
    for (const item of batch) yield item;
  }
}
