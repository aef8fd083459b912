import type { IncomingMessage } from "node:http";
import { promisify } from "node:util";
import { brotliDecompress } from "node:zlib";
import { AppError, BATCH_TYPE, decodeBatch, MOST_BATCH_BYTES } from "@sm/core";
import { readBody } from "./body.ts";

/** A packed batch and what it is unpacked: transcripts become a third. */
const UNPACKED = 4;

/** Unpacked at a time: each piece of Node's default, 16 KB, waits for a thread. */
const PIECE_BYTES = 512 * 1024;

const unpack = promisify(brotliDecompress);

/**
 * Reads a batch that a machine sends.
 *
 * @throws AppError `UNSUPPORTED_MEDIA_TYPE`, `PAYLOAD_TOO_LARGE`, `INVALID_REQUEST`.
 */
export async function readBatch(incoming: IncomingMessage, limit: number): Promise<ReturnType<typeof decodeBatch>> {
  // Web pages may send other types without a CORS preflight.
  if (incoming.headers["content-type"] !== BATCH_TYPE) {
    throw new AppError("UNSUPPORTED_MEDIA_TYPE", `Send batches with "Content-Type: ${BATCH_TYPE}".`);
  }
  return decodeBatch(await unpacked(await readBody(incoming, limit)));
}

/** How much memory a batch takes, by the size that its sender names. */
export function batchBytes({ headers }: IncomingMessage, limit: number): number {
  const named = Number(headers["content-length"] ?? limit);
  return UNPACKED * Math.min(limit, Number.isFinite(named) ? named : limit);
}

async function unpacked(body: Buffer): Promise<Buffer> {
  try {
    return await unpack(body, { maxOutputLength: MOST_BATCH_BYTES, chunkSize: PIECE_BYTES });
  } catch (error) {
    if (error instanceof RangeError) {
      throw new AppError(
        "PAYLOAD_TOO_LARGE",
        `The batch is larger than ${MOST_BATCH_BYTES} bytes when it is unpacked.`,
      );
    }
    throw new AppError("INVALID_REQUEST", "The batch is not packed with brotli.", { cause: error });
  }
}
