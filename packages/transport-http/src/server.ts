import { createServer, type ServerResponse } from "node:http";
import { type AddressInfo, isIPv6, type Socket } from "node:net";
import { getRequestListener, RequestError } from "@hono/node-server";
import { errorBody, failure } from "@sm/router";
import { createHttpApp } from "./app.ts";
import { trackConnections } from "./connections.ts";
import { shareAnswer } from "./cors.ts";
import { type HttpOptions, limitsOf } from "./options.ts";
import { createReplies, type Replies } from "./reply.ts";
import { routesOf } from "./routes.ts";
import { serveUpgrades } from "./upgrades.ts";

/** A server that accepts requests. */
export interface HttpServer {
  /** Where this machine reaches it. */
  url: string;
  port: number;
  /** Stops accepting, lets running requests finish for the time of grace, then cuts them off. */
  close(): Promise<void>;
}

export interface ListenOptions {
  /** 0 picks a free one. */
  port: number;
  host: string;
  /** Milliseconds that running requests have to finish in `close`; 10,000 if absent. */
  graceMs?: number;
}

const MALFORMED = failure({ code: "INVALID_REQUEST", message: "The request is not well-formed HTTP.", details: null });

const METHODS = new Set(["GET", "HEAD", "POST"]);

/**
 * Serves the routes of `createHttpApp` on a socket.
 *
 * @throws Error of Node if the address cannot be listened on, such as `EADDRINUSE`.
 */
export async function serveHttp(options: HttpOptions, listen: ListenOptions): Promise<HttpServer> {
  const replies = createReplies(options.version);
  const answer = getRequestListener(createHttpApp(options).fetch, {
    // Stands in for a missing Host header, so that the request gets as far as the check of it.
    hostname: "localhost",
    errorHandler: (error) =>
      replies.envelope(error instanceof RequestError ? MALFORMED : failure(errorBody(error, options.log, {}))),
  });
  const server = createServer({ requireHostHeader: false }, (request, response) => {
    connections.begin(response);
    shareAnswer(request, response, options.gate);
    return answer(request, response);
  });
  server.maxConnections = limitsOf(options).connections;
  const connections = trackConnections(server, describeAnswers(options));
  if (options.onUpgrade !== undefined) serveUpgrades(server, options.onUpgrade);
  server.on("clientError", (_error, socket: Socket) => {
    // In the middle of an answer, anything written now would be taken for a part of it.
    if (!socket.writable || connections.isBusy(socket)) socket.destroy();
    else socket.end(rawMalformed(replies));
  });

  await new Promise<void>((resolve, reject) => {
    server.once("error", reject);
    server.listen(listen.port, listen.host, () => {
      server.off("error", reject);
      resolve();
    });
  });

  const { port } = server.address() as AddressInfo;
  let closing: Promise<void> | undefined;
  return {
    url: `http://${reachableHost(listen.host)}:${port}`,
    port,
    close() {
      closing ??= connections.drain(listen.graceMs ?? 10_000);
      return closing;
    },
  };
}

/** Tells `onRequest` of a response in words of closed sets. */
function describeAnswers(options: HttpOptions): ((response: ServerResponse) => void) | undefined {
  const { onRequest } = options;
  if (onRequest === undefined) return undefined;
  const routes = routesOf(options);
  return ({ req: { method = "", url = "" }, headersSent, statusCode }) => {
    const queryAt = url.indexOf("?");
    const path = queryAt < 0 ? url : url.slice(0, queryAt);
    onRequest({
      method: METHODS.has(method) ? method : "other",
      route: routes.has(path) ? path : "other",
      status: headersSent ? statusCode : 499,
    });
  };
}

/** Answers what Node's parser refused, before there is a request that the routes could answer. */
function rawMalformed({ headers }: Replies): string {
  const body = JSON.stringify(MALFORMED);
  const fields = {
    ...headers,
    "Content-Type": "application/json",
    "Content-Length": Buffer.byteLength(body),
    Connection: "close",
  };
  const lines = Object.entries(fields).map(([name, value]) => `${name}: ${value}`);
  return ["HTTP/1.1 400 Bad Request", ...lines, "", body].join("\r\n");
}

/** A bind address that stands for every interface is no address that one can call. */
function reachableHost(host: string): string {
  if (host === "0.0.0.0") return "127.0.0.1";
  if (host === "::") return "[::1]";
  return isIPv6(host) ? `[${host}]` : host;
}
