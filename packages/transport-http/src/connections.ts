import type { Server, ServerResponse } from "node:http";
import type { Socket } from "node:net";

/** Open connections of a server. */
export interface Connections {
  /** Registers a request that will be answered. */
  begin(response: ServerResponse): void;
  /** Whether a request is being answered on a socket. */
  isBusy(socket: Socket): boolean;
  /** Whether the socket has at most one request, still incomplete and without a response. */
  isUnanswered(socket: Socket): boolean;
  /**
   * Stops accepting; closes idle connections immediately and others after their response, or after `graceMs`
   * milliseconds.
   */
  drain(graceMs: number): Promise<void>;
}

/**
 * Tracks the connections of a server. Node's own `closeIdleConnections` ignores connections that have not sent anything
 * yet (browsers open some in advance) and those that become idle later.
 *
 * @param onAnswered called for every response that ended, complete or not.
 */
export function trackConnections(server: Server, onAnswered?: (response: ServerResponse) => void): Connections {
  const sockets = new Set<Socket>();
  const running = new Set<ServerResponse>();
  /** Sockets whose request was answered before it was complete. */
  const answeredEarly = new WeakSet<Socket>();
  /** They are closed when what was written has been sent. */
  const ending = new WeakSet<Socket>();
  let draining = false;

  const runningOn = (socket: Socket) => [...running].filter((response) => response.req.socket === socket);
  const isBusy = (socket: Socket) => runningOn(socket).length > 0;
  const closeIdle = () => {
    for (const socket of sockets) {
      // Each call waits with a listener of its own.
      if (isBusy(socket) || ending.has(socket)) continue;
      ending.add(socket);
      socket.destroySoon();
    }
  };

  server.on("connection", (socket: Socket) => {
    sockets.add(socket);
    socket.once("close", () => sockets.delete(socket));
  });
  function onClose(this: ServerResponse): void {
    running.delete(this);
    if (!this.req.complete) answeredEarly.add(this.req.socket);
    onAnswered?.(this);
    if (draining) closeIdle();
  }

  return {
    begin(response) {
      running.add(response);
      // One shared listener: a second listener and closures cost 10 % of the requests per second.
      response.on("close", onClose);
    },
    isBusy,
    isUnanswered(socket) {
      if (answeredEarly.has(socket)) return false;
      const [only, ...others] = runningOn(socket);
      return others.length === 0 && (only === undefined || !(only.headersSent || only.req.complete));
    },
    async drain(graceMs) {
      draining = true;
      const closed = new Promise((resolve) => server.close(resolve));
      closeIdle();
      // Tells clients not to reuse the connection, unless the headers were already sent.
      for (const response of running) response.shouldKeepAlive = false;
      const deadline = setTimeout(() => {
        for (const socket of sockets) socket.destroy();
      }, graceMs);
      await closed;
      clearTimeout(deadline);
    },
  };
}
