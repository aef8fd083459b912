import { once } from "node:events";
import { type IncomingHttpHeaders, type RequestOptions, request } from "node:http";
import { connect } from "node:net";
import type { CommandResponse } from "@sm/router";

export type Headers = Record<string, string>;

export const PING = JSON.stringify({ command: "ping", payload: {} });

export interface Answer {
  status: number;
  headers: IncomingHttpHeaders;
  body: string;
}

/** Sends a request as it stands, with headers that `fetch` forbids. */
export function sendRequest(url: string, options: RequestOptions = {}, body = ""): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const outgoing = request(url, { agent: false, ...options }, (incoming) => {
      let text = "";
      incoming.setEncoding("utf8").on("data", (part) => (text += part));
      incoming.on("error", reject);
      incoming.on("end", () => resolve({ status: incoming.statusCode ?? 0, headers: incoming.headers, body: text }));
    });
    outgoing.on("error", reject);
    outgoing.end(body);
  });
}

/** Sends a body to `POST /api`, as JSON unless `headers` say otherwise. */
export function postJson(url: string, headers: Headers = {}, body = PING): Promise<Answer> {
  const type = { "Content-Type": "application/json" };
  return sendRequest(`${url}/api`, { method: "POST", headers: { ...type, ...headers } }, body);
}

/** The code of the error in an answer, from whatever route. */
export function codeOf(body: string): string | undefined {
  return (JSON.parse(body) as CommandResponse).error?.code;
}

/** Sends text, whatever it is, over a connection of its own and reads until the service closes it. */
export async function sendBytes(url: string, ...pieces: string[]): Promise<string> {
  const socket = connect(Number(new URL(url).port), "127.0.0.1");
  socket.on("error", () => {});
  let received = "";
  socket.setEncoding("utf8").on("data", (text) => (received += text));
  for (const piece of pieces) socket.write(piece);
  await once(socket, "close");
  return received;
}

/** The head of a request, with a good Host header unless `headers` have another. */
export function head(line: string, headers: Headers = {}): string {
  const fields = Object.entries({ Host: "127.0.0.1", ...headers }).map(([name, value]) => `${name}: ${value}`);
  return [line, ...fields, "", ""].join("\r\n");
}
