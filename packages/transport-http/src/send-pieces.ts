import type { ServerResponse } from "node:http";
import { pipeline } from "node:stream/promises";
import type { DispatchLog } from "@sm/router";

/**
 * Streams a response to the socket at the client's pace. On errors, and when `signal` is aborted, the connection is
 * destroyed, so that the client does not take the response for complete. `fields` are logged then.
 */
export async function sendPieces(
  pieces: AsyncIterable<string | Uint8Array>,
  outgoing: ServerResponse,
  log: DispatchLog,
  fields: object,
  signal: AbortSignal,
): Promise<void> {
  try {
    await pipeline(pieces, outgoing, { signal });
  } catch (error) {
    const clientLeft = error instanceof Error && "code" in error && error.code === "ERR_STREAM_PREMATURE_CLOSE";
    if (!clientLeft && !signal.aborted) log.error({ ...fields, err: error }, "A response was interrupted.");
  }
}

/** Reads the first piece. Rejects where that fails: nothing was sent yet, and the client can be told why. */
export async function begun<Piece>(pieces: AsyncIterable<Piece>): Promise<AsyncIterable<Piece>> {
  const rest = pieces[Symbol.asyncIterator]();
  let first: IteratorResult<Piece> | null = await rest.next();
  // Not a generator: if closed before its first piece, a generator runs no code, and does not close the rest.
  const iterator: AsyncIterableIterator<Piece> = {
    [Symbol.asyncIterator]: () => iterator,
    async next() {
      const piece = first ?? (await rest.next());
      first = null;
      return piece;
    },
    async return() {
      await rest.return?.();
      return { done: true, value: undefined };
    },
  };
  return iterator;
}
