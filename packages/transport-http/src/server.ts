import { createServer, type Server, type ServerResponse } from "node:http";
import { type AddressInfo, isIPv6, type Socket } from "node:net";
import { getRequestListener, RequestError } from "@hono/node-server";
import { type CommandResponse, errorBody, failure } from "@sm/router";
import { createHttpApp } from "./app.ts";
import { limitConnections } from "./connection-limits.ts";
import { trackConnections } from "./connections.ts";
import { shareAnswer } from "./cors.ts";
import { type HttpOptions, limitsOf } from "./options.ts";
import { createReplies, type Replies } from "./reply.ts";
import { routeOf, routesOf } from "./routes.ts";
import { serveUpgrades } from "./upgrades.ts";

/** A server that accepts requests. */
export interface HttpServer {
  /** Local URL. */
  url: string;
  port: number;
  /** Stops accepting, lets running requests finish within the grace period, then closes them. */
  close(): Promise<void>;
}

export interface ListenOptions {
  /** 0 selects a free port. */
  port: number;
  host: string;
  /** Grace period of `close` in milliseconds; default 10,000. */
  graceMs?: number;
  /** Milliseconds to receive the request headers; default 60,000. */
  headMs?: number;
  /** Milliseconds to receive a complete request; default 300,000. */
  requestMs?: number;
  /**
   * Milliseconds after which a client that sends no request, or reads nothing of a response, is disconnected; default
   * 45,000, like event streams and WebSockets. Commands may take longer.
   */
  stallMs?: number;
}

interface Refusal {
  statusLine: string;
  response: CommandResponse;
}

const refusal = (statusLine: string, message: string): Refusal => ({
  statusLine,
  response: failure({ code: "INVALID_REQUEST", message, details: null }),
});
const MALFORMED = refusal("400 Bad Request", "The request is not valid HTTP.");
/** RFC 9110 section 15.5.9. */
const TOO_SLOW = refusal("408 Request Timeout", "The request did not arrive in time.");
/** By Node's error code. */
const REFUSALS: ReadonlyMap<string, Refusal> = new Map([
  ["ERR_HTTP_REQUEST_TIMEOUT", TOO_SLOW],
  // RFC 6585 section 5.
  [
    "HPE_HEADER_OVERFLOW",
    refusal("431 Request Header Fields Too Large", "The request headers are larger than 16 KiB."),
  ],
]);

const METHODS = new Set(["GET", "HEAD", "POST"]);

/**
 * Serves the routes of `createHttpApp` over TCP.
 *
 * @throws Node's error if listening fails, such as `EADDRINUSE`.
 */
export async function serveHttp(options: HttpOptions, listen: ListenOptions): Promise<HttpServer> {
  const { server, close } = createService(options, listen);
  await listening(server, { port: listen.port, host: listen.host });
  const { port } = server.address() as AddressInfo;
  return { url: `http://${reachableHost(listen.host)}:${port}`, port, close };
}

/**
 * Serves the same on a UNIX socket, whose clients count as local; the caller must restrict access to it.
 *
 * @throws Node's error if the socket cannot be created.
 */
export async function serveUnixSocket(options: HttpOptions, path: string): Promise<Pick<HttpServer, "close">> {
  const { server, close } = createService(options);
  server.on("connection", (socket: Socket) => options.gate.registerUnixSocket(socket));
  await listening(server, { path });
  return { close };
}

function createService(
  options: HttpOptions,
  { graceMs = 10_000, headMs = 60_000, requestMs = 300_000, stallMs = 45_000 }: Partial<ListenOptions> = {},
): { server: Server; close: HttpServer["close"] } {
  const replies = createReplies(options.version);
  const answer = getRequestListener(createHttpApp(options).fetch, {
    // Replaces a missing Host header, so that the request reaches the check of Host.
    hostname: "localhost",
    errorHandler: (error) =>
      replies.envelope(error instanceof RequestError ? MALFORMED.response : failure(errorBody(error, options.log, {}))),
  });
  const server = createServer(
    {
      requireHostHeader: false,
      headersTimeout: headMs,
      requestTimeout: requestMs,
      // Interval at which Node checks for slow requests.
      connectionsCheckingInterval: Math.min(headMs / 2, requestMs / 2, 30_000),
    },
    (request, response) => {
      connections.begin(response);
      shareAnswer(request, response, options.gate);
      const unknown = options.gate.registerConnection(request.socket);
      return unknown === null ? answer(request, response) : unknown.then(() => answer(request, response));
    },
  );
  limitConnections(server, limitsOf(options), options.gate, options.onRefused ?? (() => {}));
  const connections = trackConnections(server, describeAnswers(options));
  server.keepAliveTimeout = Math.min(server.keepAliveTimeout, stallMs);
  // Node counts progress within one large write as activity, so slow clients are not disconnected.
  server.setTimeout(stallMs, (socket) => {
    const waitsForUs = connections.isBusy(socket) && socket.writableLength === 0;
    if (!waitsForUs) socket.destroy();
  });
  if (options.onUpgrade !== undefined) serveUpgrades(server, options.onUpgrade, options.gate);
  server.on("clientError", ({ code = "" }: NodeJS.ErrnoException, socket: Socket) => {
    const refusal = REFUSALS.get(code) ?? MALFORMED;
    // During a response, anything written here would become part of it.
    const isFree = refusal === TOO_SLOW ? connections.isUnanswered(socket) : !connections.isBusy(socket);
    if (socket.writable && isFree) socket.write(rawRefusal(refusal, replies));
    // As Node does. With `end` alone, a client that keeps its side open would keep the descriptor forever.
    socket.destroy();
  });

  let closing: Promise<void> | undefined;
  return {
    server,
    close() {
      closing ??= connections.drain(graceMs);
      return closing;
    },
  };
}

function listening(server: Server, where: { port: number; host: string } | { path: string }): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once("error", reject);
    server.listen(where, () => {
      server.off("error", reject);
      resolve();
    });
  });
}

/** Calls `onRequest` for a response, with values of closed sets. */
function describeAnswers(options: HttpOptions): ((response: ServerResponse) => void) | undefined {
  const { onRequest } = options;
  if (onRequest === undefined) return undefined;
  const routes = routesOf(options);
  return ({ req: { method = "", url = "" }, headersSent, statusCode }) => {
    const queryAt = url.indexOf("?");
    const route = routeOf(queryAt < 0 ? url : url.slice(0, queryAt));
    onRequest({
      method: METHODS.has(method) ? method : "other",
      route: routes.has(route) ? route : "other",
      status: headersSent ? statusCode : 499,
    });
  };
}

/** Responds to requests that Node rejected before routing. */
function rawRefusal({ statusLine, response }: Refusal, { headers }: Replies): string {
  const body = JSON.stringify(response);
  const fields = {
    ...headers,
    "Content-Type": "application/json",
    "Content-Length": Buffer.byteLength(body),
    Connection: "close",
  };
  const lines = Object.entries(fields).map(([name, value]) => `${name}: ${value}`);
  return [`HTTP/1.1 ${statusLine}`, ...lines, "", body].join("\r\n");
}

/** A bind address for all interfaces cannot be called. */
function reachableHost(host: string): string {
  if (host === "0.0.0.0") return "127.0.0.1";
  if (host === "::") return "[::1]";
  return isIPv6(host) ? `[${host}]` : host;
}
