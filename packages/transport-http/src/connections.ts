import type { Server, ServerResponse } from "node:http";
import type { Socket } from "node:net";

/** What is open on a server. */
export interface Connections {
  /** Takes note of a request that is going to be answered. */
  begin(response: ServerResponse): void;
  /** Tells whether a request is being answered on a socket. */
  isBusy(socket: Socket): boolean;
  /** Tells whether all that is asked for on a socket is one request at most, which still comes in and has no answer. */
  isUnanswered(socket: Socket): boolean;
  /** Stops accepting and closes what is idle at once, the rest when it is answered, or after `graceMs` milliseconds. */
  drain(graceMs: number): Promise<void>;
}

/**
 * Follows the connections of a server. Node's own `closeIdleConnections` spares connections that have not sent
 * anything yet (browsers open some in advance) and those that become idle later.
 *
 * @param onAnswered is told of every response that is over, complete or not.
 */
export function trackConnections(server: Server, onAnswered?: (response: ServerResponse) => void): Connections {
  const sockets = new Set<Socket>();
  const running = new Set<ServerResponse>();
  /** Those with a request that was answered before it had come in. */
  const answeredEarly = new WeakSet<Socket>();
  let draining = false;

  const runningOn = (socket: Socket) => [...running].filter((response) => response.req.socket === socket);
  const isBusy = (socket: Socket) => runningOn(socket).length > 0;
  const closeIdle = () => {
    for (const socket of sockets) if (!isBusy(socket)) socket.destroySoon();
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
      // The only listener, and the same function for all: a second one and closures cost 10 % of the requests a second.
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
      // Tells clients not to send their next request here, where the headers are not on their way yet.
      for (const response of running) response.shouldKeepAlive = false;
      const deadline = setTimeout(() => {
        for (const socket of sockets) socket.destroy();
      }, graceMs);
      await closed;
      clearTimeout(deadline);
    },
  };
}
