import type { IncomingMessage } from "node:http";
import { AppError } from "@sm/core";

/** One for all: making it takes longer than decoding a small body. */
const utf8 = new TextDecoder("utf-8", { fatal: true });

/**
 * Reads a request's body as JSON. Bytes are counted while they come, because a length may be missing or wrong.
 *
 * @throws AppError `UNSUPPORTED_MEDIA_TYPE`, `PAYLOAD_TOO_LARGE`, `INVALID_REQUEST`.
 */
export async function readJson(incoming: IncomingMessage, limit: number): Promise<unknown> {
  return decode(await readTyped(incoming, limit));
}

/** Reads a body as `readJson` does, `null` where it is empty. */
export async function readOptionalJson(incoming: IncomingMessage, limit: number): Promise<unknown> {
  const body = await readTyped(incoming, limit);
  return body.length === 0 ? null : decode(body);
}

async function readTyped(incoming: IncomingMessage, limit: number): Promise<Buffer> {
  // Any other type is one that a web page may send without asking first.
  if (!/^application\/json\s*(?:;|$)/i.test(incoming.headers["content-type"] ?? "")) {
    throw new AppError("UNSUPPORTED_MEDIA_TYPE", 'Send the request with "Content-Type: application/json".');
  }
  return readBody(incoming, limit);
}

function decode(body: Buffer): unknown {
  try {
    return JSON.parse(utf8.decode(body));
  } catch {
    throw new AppError("INVALID_REQUEST", "The body of the request is not JSON in UTF-8.");
  }
}

function readBody(incoming: IncomingMessage, limit: number): Promise<Buffer> {
  if (Number(incoming.headers["content-length"]) > limit) throw tooLarge(limit);
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    let length = 0;
    const onData = (chunk: Buffer) => {
      length += chunk.length;
      chunks.push(chunk);
      if (length <= limit) return;
      // The rest is thrown away by the adapter once the answer is sent.
      incoming.off("data", onData).pause();
      reject(tooLarge(limit));
    };
    const onClose = () => {
      // It comes after every request; an error that nobody needs would cost its stack trace.
      if (!incoming.readableEnded) reject(new AppError("INVALID_REQUEST", "The body of the request ended early."));
    };
    incoming
      .on("data", onData)
      .on("end", () => resolve(Buffer.concat(chunks)))
      .on("error", onClose)
      .on("close", onClose);
  });
}

function tooLarge(limit: number): AppError {
  return new AppError("PAYLOAD_TOO_LARGE", `The body of the request is larger than ${limit} bytes.`);
}
