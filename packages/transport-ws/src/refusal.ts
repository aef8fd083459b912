import { STATUS_CODES } from "node:http";
import type { Duplex } from "node:stream";
import { type CommandResponse, responseHeaders, retryAfter, statusOf } from "@sm/router";

/** Responds to an upgrade like to an ordinary request, and closes the connection. */
export function refuse(
  socket: Duplex,
  response: CommandResponse,
  version: string,
  added: Readonly<Record<string, string>> = {},
): void {
  const status = statusOf(response);
  const body = JSON.stringify(response);
  const headers = {
    ...responseHeaders(version),
    "Content-Type": "application/json",
    "Content-Length": Buffer.byteLength(body),
    Connection: "close",
    ...(status === 401 ? { "WWW-Authenticate": "Bearer" } : {}),
    ...retryAfter(response),
    ...added,
  };
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}`);
  // The client may have disconnected.
  socket.on("error", () => socket.destroy());
  socket.once("finish", () => socket.destroy());
  socket.end([`HTTP/1.1 ${status} ${STATUS_CODES[status]}`, ...lines, "", body].join("\r\n"));
}
