import type { IncomingMessage } from "node:http";
import { AppError } from "@sm/core";

/** Shared: creating one takes longer than decoding a small body. */
const utf8 = new TextDecoder("utf-8", { fatal: true });

/**
 * Reads a request body as JSON. Counts bytes while reading, because the length header may be missing or wrong.
 *
 * @throws AppError `UNSUPPORTED_MEDIA_TYPE`, `PAYLOAD_TOO_LARGE`, `INVALID_REQUEST`.
 */
export async function readJson(incoming: IncomingMessage, limit: number): Promise<unknown> {
  return decode(await readTyped(incoming, limit));
}

/** Like `readJson`, but `null` for an empty body. */
export async function readOptionalJson(incoming: IncomingMessage, limit: number): Promise<unknown> {
  const body = await readTyped(incoming, limit);
  return body.length === 0 ? null : decode(body);
}

async function readTyped(incoming: IncomingMessage, limit: number): Promise<Buffer> {
  // Web pages may send other types without a CORS preflight.
  if (!/^application\/json\s*(?:;|$)/i.test(incoming.headers["content-type"] ?? "")) {
    throw new AppError("UNSUPPORTED_MEDIA_TYPE", 'Send the request with "Content-Type: application/json".');
  }
  return readBody(incoming, limit);
}

function decode(body: Buffer): unknown {
  try {
    return JSON.parse(utf8.decode(body));
  } catch {
    throw new AppError("INVALID_REQUEST", "The request body is not valid JSON in UTF-8.");
  }
}

/** Reads a request body, see {@link readJson}. @throws AppError `PAYLOAD_TOO_LARGE`, `INVALID_REQUEST`. */
export function readBody(incoming: IncomingMessage, limit: number): Promise<Buffer> {
  if (Number(incoming.headers["content-length"]) > limit) throw tooLarge(limit);
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    let length = 0;
    const onData = (chunk: Buffer) => {
      length += chunk.length;
      chunks.push(chunk);
      if (length <= limit) return;
      // The adapter discards the rest after the response.
      incoming.off("data", onData).pause();
      reject(tooLarge(limit));
    };
    const onClose = () => {
      // Emitted after every request; creating an unused error would cost a stack trace.
      if (!incoming.readableEnded) reject(new AppError("INVALID_REQUEST", "The request body ended early."));
    };
    incoming
      .on("data", onData)
      .on("end", () => resolve(Buffer.concat(chunks)))
      .on("error", onClose)
      .on("close", onClose);
  });
}

function tooLarge(limit: number): AppError {
  return new AppError("PAYLOAD_TOO_LARGE", `The request body is larger than ${limit} bytes.`);
}
