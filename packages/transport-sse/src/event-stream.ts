import type { IncomingMessage, ServerResponse } from "node:http";
import { AppError } from "@sm/core";
import { type DispatchLog, errorBody, failure, responseHeaders, statusOf } from "@sm/router";
import type { Admission, Gate } from "@sm/router/access";
import type { EventSource } from "@sm/router/events";
import { StreamConnection, type StreamContext } from "./stream-connection.ts";
import { readStreamRequest, type StreamRequest } from "./stream-request.ts";

export interface EventStreamOptions {
  bus: EventSource;
  gate: Pick<Gate, "onEnd">;
  log: DispatchLog;
  /** Version of the service (semver). */
  version: string;
  /** Interval of comments in milliseconds; default 15,000. */
  heartbeatMs?: number;
}

export interface EventStream {
  /** Serves an admitted request for the stream, until either side closes it. */
  serve(incoming: IncomingMessage, outgoing: ServerResponse, admission: Admission): void;
  /** Number of open streams. */
  readonly connections: number;
  /** Closes all streams. */
  close(): void;
}

/** A client that reads nothing for this long is disconnected. */
const HEARTBEATS_UNTIL_STALLED = 3;

/**
 * Creates the transport for events as `text/event-stream`
 * (https://html.spec.whatwg.org/multipage/server-sent-events.html).
 */
export function createEventStream(options: EventStreamOptions): EventStream {
  const { bus, gate, log, version, heartbeatMs = 15_000 } = options;
  const connections = new Set<StreamConnection>();
  let closed = false;
  const headers = responseHeaders(version);
  const streamHeaders = {
    ...headers,
    "Content-Type": "text/event-stream",
    // Otherwise nginx would buffer events.
    "X-Accel-Buffering": "no",
  };
  const context: StreamContext = {
    bus,
    gate,
    stallMs: HEARTBEATS_UNTIL_STALLED * heartbeatMs,
    onClose(connection) {
      connections.delete(connection);
    },
  };

  const heartbeat = setInterval(() => {
    for (const connection of connections) connection.beat();
  }, heartbeatMs);
  heartbeat.unref();

  return {
    get connections() {
      return connections.size;
    },

    serve(incoming, outgoing, { caller }) {
      let request: StreamRequest;
      try {
        request = readStreamRequest(incoming, caller);
        if (closed) throw new AppError("UNAVAILABLE", "The service is stopping.");
      } catch (error) {
        const response = failure(errorBody(error, log, { route: "/api/events" }));
        outgoing.writeHead(statusOf(response), { ...headers, "Content-Type": "application/json" });
        outgoing.end(JSON.stringify(response));
        return;
      }
      outgoing.writeHead(200, streamHeaders);
      if (incoming.method === "HEAD") outgoing.end();
      else if (!outgoing.destroyed) connections.add(new StreamConnection(outgoing, request, caller, context));
    },

    close() {
      closed = true;
      clearInterval(heartbeat);
      for (const connection of connections) connection.end();
    },
  };
}
