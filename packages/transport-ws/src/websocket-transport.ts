import type { IncomingMessage } from "node:http";
import type { Duplex } from "node:stream";
import { AppError } from "@sm/core";
import { type Dispatcher, type DispatchLog, errorBody, failure } from "@sm/router";
import type { Admission, Gate } from "@sm/router/access";
import { type EventSource, readAfterSeq } from "@sm/router/events";
import { type ServerOptions, type WebSocket, WebSocketServer } from "ws";
import { refuse } from "./refusal.ts";
import { Connection, type ConnectionContext } from "./websocket-connection.ts";

export interface WebSocketLimits {
  /** Maximum bytes of a message; default 8 MiB. A larger one closes the connection with 1009. */
  messageBytes: number;
  /** Maximum number of concurrent requests per connection; default 256. Further ones wait. */
  inFlight: number;
}

export interface WebSocketOptions {
  dispatcher: Dispatcher;
  bus: EventSource;
  gate: Pick<Gate, "admit" | "authenticate" | "onEnd">;
  /** Version of the service (semver). */
  version: string;
  limits?: Partial<WebSocketLimits>;
  log: DispatchLog;
  /** Interval of pings in milliseconds; default 15,000. */
  heartbeatMs?: number;
  /** Milliseconds in which a client must authenticate, if required; default 10,000. */
  authMs?: number;
}

export interface WebSocketTransport {
  /** Takes over the connection of a handshake, admitted or not. */
  upgrade(request: IncomingMessage, socket: Duplex, head: Buffer): void;
  /** Number of open connections. */
  readonly connections: number;
  /**
   * Closes every connection with 1001 when its running requests are answered, at the latest after `graceMs`
   * milliseconds, default 10,000.
   */
  close(graceMs?: number): Promise<void>;
}

const PATH = "/ws";

/** A client that cannot write for the time of two missed pongs is disconnected. */
const HEARTBEATS_UNTIL_STALLED = 3;

/** Milliseconds for the client's close frame. */
const CLOSE_TIMEOUT_MS = 5_000;

/** Creates the transport for commands and events at `/ws`. */
export function createWebSocketTransport(options: WebSocketOptions): WebSocketTransport {
  const { dispatcher, bus, gate, version, limits = {}, log, heartbeatMs = 15_000, authMs = 10_000 } = options;
  const { messageBytes = 8 * 1_048_576, inFlight = 256 } = limits;
  const connections = new Set<Connection>();
  let closing: Promise<void> | null = null;
  let onEmpty = () => {};

  const context: ConnectionContext = {
    dispatcher,
    bus,
    gate,
    log,
    inFlight,
    authMs,
    stallMs: HEARTBEATS_UNTIL_STALLED * heartbeatMs,
    onClose(connection) {
      connections.delete(connection);
      if (connections.size === 0) onEmpty();
    },
  };

  const settings: ServerOptions & { closeTimeout: number } = {
    noServer: true,
    clientTracking: false,
    maxPayload: messageBytes,
    // zlib takes about 300 KiB per connection (zconf.h: 256 KiB to deflate, 44 KiB to inflate), 300 MB for 1,000
    // clients, and would compress each event once per client.
    perMessageDeflate: false,
    closeTimeout: CLOSE_TIMEOUT_MS,
  };
  const server = new WebSocketServer(settings);
  server.on("wsClientError", (error, socket) => {
    const message = `Invalid WebSocket handshake: ${error.message}.`;
    const response = failure({ code: "INVALID_REQUEST", message, details: null });
    refuse(socket, response, version, { "Sec-WebSocket-Version": "13" });
  });

  const heartbeat = setInterval(() => {
    for (const connection of connections) connection.beat();
  }, heartbeatMs);
  heartbeat.unref();

  return {
    get connections() {
      return connections.size;
    },

    upgrade(request, socket, head) {
      try {
        const { admission, afterSeq } = admit(request);
        server.handleUpgrade(request, socket, head, (webSocket: WebSocket) => {
          connections.add(new Connection(webSocket, request.socket, admission, afterSeq, context));
        });
      } catch (error) {
        refuse(socket, failure(errorBody(error, log, { route: PATH })), version);
      }
    },

    close(graceMs = 10_000) {
      closing ??= closeAll(graceMs);
      return closing;
    },
  };

  function admit(request: IncomingMessage): { admission: Admission; afterSeq: number | null } {
    const admission = gate.admit(request);
    const [path = "", query] = (request.url ?? "").split("?", 2);
    if (path !== PATH) throw new AppError("NOT_FOUND", `No WebSocket at ${path.slice(0, 200)}. Use ${PATH}.`);
    const afterSeq = readAfterSeq(new URLSearchParams(query));
    if (closing !== null) throw new AppError("UNAVAILABLE", "The service is stopping.");
    return { admission, afterSeq };
  }

  async function closeAll(graceMs: number): Promise<void> {
    clearInterval(heartbeat);
    const empty = new Promise<void>((resolve) => {
      onEmpty = resolve;
    });
    for (const connection of connections) connection.finish();
    if (connections.size === 0) return;
    const deadline = setTimeout(() => {
      for (const connection of connections) connection.terminate();
    }, graceMs);
    await empty;
    clearTimeout(deadline);
  }
}
