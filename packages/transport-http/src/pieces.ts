import type { ServerResponse } from "node:http";
import { pipeline } from "node:stream/promises";
import type { DispatchLog } from "@sm/router";

/**
 * Writes an answer straight to the socket, as fast as the client reads. If it breaks off, the connection is destroyed,
 * so that what the client has does not look complete; so it is when `signal` is aborted. `fields` go into the log then.
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
    if (!clientLeft && !signal.aborted) log.error({ ...fields, err: error }, "An answer broke off.");
  }
}
