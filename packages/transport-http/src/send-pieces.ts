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
