import { once } from "node:events";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { type WebSocket, WebSocketServer } from "ws";
import type { CommandResponse } from "../response.ts";

/** How long `vi.waitFor` tries, for slow machines. */
export const PATIENT = { timeout: 30_000 };

/** A request as it came over a WebSocket. */
export interface SocketRequest {
  id?: string | number;
  command: string;
  payload?: unknown;
}

export interface ServiceOptions {
  /** Answers over WebSocket; `null` never. `done` for everything if absent. */
  answer?(request: SocketRequest, socket: WebSocket): CommandResponse | null;
  /** Answers over HTTP. */
  http?(request: IncomingMessage, response: ServerResponse): void;
  /** The token that WebSockets have to show. */
  token?: string;
  messageBytes?: number;
}

/** A service with nothing behind it, which keeps to the contract of WebSockets. */
export interface TestService extends AsyncDisposable {
  url: string;
  /** Everything that came over WebSockets, in order. */
  requests: SocketRequest[];
  /** Path and query of every upgrade. */
  upgrades: string[];
  /** Sends an event to every connection. */
  push(event: string, seq: number, payload: object): void;
  /** Breaks every connection without a word. */
  drop(): void;
}

export const done: CommandResponse = { success: true, data: "done", error: null };

export const HELLO = { api_version: 1, server_version: "1.2.3", kind: "home" };

/** The number of the last event, before any was sent. */
export const FIRST_SEQ = 100;

/** Starts a service on a free port. */
export async function startService(options: ServiceOptions = {}): Promise<TestService> {
  const { answer = () => done, http, token, messageBytes = 1_048_576 } = options;
  const server = createServer(http);
  const sockets = new WebSocketServer({ server, path: "/ws", maxPayload: messageBytes });
  const requests: SocketRequest[] = [];
  const upgrades: string[] = [];
  let seq = FIRST_SEQ;

  sockets.on("connection", (socket, request) => {
    upgrades.push(request.url ?? "");
    const greet = () => socket.send(JSON.stringify({ event: "hello", seq, payload: { ...HELLO, seq } }));
    if (token === undefined) greet();
    socket.on("error", () => {});
    socket.on("message", (data) => {
      const message = JSON.parse(String(data)) as SocketRequest;
      requests.push(message);
      const send = (response: CommandResponse) => {
        socket.send(JSON.stringify({ id: message.id, command: message.command, ...response }));
      };
      if (message.command === "auth") return authenticate(message.payload, send, greet, socket);
      const response = answer(message, socket);
      if (response !== null) send(response);
    });
  });

  function authenticate(
    payload: unknown,
    send: (response: CommandResponse) => void,
    greet: () => void,
    socket: WebSocket,
  ) {
    if ((payload as { token: string }).token === token) {
      send({ success: true, data: { authenticated: true, scope: "full" }, error: null });
      greet();
    } else {
      send({ success: false, data: null, error: { code: "UNAUTHORIZED", message: "No such token.", details: null } });
      socket.close(4401, "No such token.");
    }
  }

  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    requests,
    upgrades,
    push(event, number, payload) {
      seq = number;
      for (const socket of sockets.clients) socket.send(JSON.stringify({ event, seq, payload }));
    },
    drop() {
      for (const socket of sockets.clients) socket.terminate();
    },
    async [Symbol.asyncDispose]() {
      for (const socket of sockets.clients) socket.terminate();
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
