import { once } from "node:events";
import { createServer, type IncomingMessage } from "node:http";
import { type AddressInfo, connect, type Socket } from "node:net";
import { AppError } from "@sm/core";
import type { Caller, CommandResponse } from "@sm/router";
import type { Admission, Gate } from "@sm/router/access";
import { createEventBus, type EventBus } from "@sm/router/events";
import { type ClientOptions, WebSocket } from "ws";
import { createWebSocketTransport, type WebSocketOptions, type WebSocketTransport } from "./websocket-transport.ts";

/** A transport on a port of its own, closed at the end of its block. */
export interface TestServer extends AsyncDisposable {
  url: string;
  port: number;
  transport: WebSocketTransport;
  bus: EventBus;
  gate: TestGate;
  /** Requests that reached the dispatcher, and who sent them. */
  dispatched: { request: unknown; caller: Caller }[];
  logged: object[];
  /** The server's ends of all connections. */
  sockets: Socket[];
}

/** Lets in whoever is named by the header `x-caller`: nobody in particular is local. */
export class TestGate implements Pick<Gate, "admit" | "authenticate" | "onEnd"> {
  readonly #listeners = new Map<string, Set<() => void>>();

  admit({ headers }: Parameters<Gate["admit"]>[0]): Admission {
    switch (headers["x-caller"]) {
      case undefined:
        return admission({ local: true, scope: "full", tokenId: null });
      case "stranger":
        return admission({ local: false, scope: null, tokenId: null });
      case "wrong":
        throw new AppError("UNAUTHORIZED", "Wrong.");
      case "limited":
        throw new AppError("RATE_LIMITED", "Later.", { details: { retry_after_ms: 1_500 } });
      case "unasked":
        return admission({ local: false, scope: "full", tokenId: null });
      case "reader":
        return admission({ local: false, scope: "read", tokenId: "reader" });
      default:
        throw new AppError("FORBIDDEN", "No.");
    }
  }

  authenticate(token: string, { client }: Admission): Admission {
    if (token !== "reader" && token !== "writer") throw new AppError("UNAUTHORIZED", "Wrong.");
    return { client, caller: { local: false, scope: token === "reader" ? "read" : "full", tokenId: token } };
  }

  onEnd({ tokenId }: Caller, listener: () => void): () => void {
    if (tokenId === null) return () => {};
    const listeners = this.#listeners.get(tokenId) ?? new Set();
    this.#listeners.set(tokenId, listeners.add(listener));
    return () => listeners.delete(listener);
  }

  /** How many wait for the end of a token. */
  watchers(tokenId: string): number {
    return this.#listeners.get(tokenId)?.size ?? 0;
  }

  revoke(tokenId: string): void {
    for (const listener of this.#listeners.get(tokenId) ?? []) listener();
  }
}

function admission(caller: Caller): Admission {
  return { client: { address: "203.0.113.7", local: caller.local }, caller };
}

/** Serves a dispatcher that answers with the name of the command, unless `options` say otherwise. */
export async function serve(options: Partial<WebSocketOptions> = {}): Promise<TestServer> {
  const dispatched: TestServer["dispatched"] = [];
  const logged: object[] = [];
  const sockets: Socket[] = [];
  const bus = createEventBus({ version: "1.2.3" });
  const gate = new TestGate();
  const transport = createWebSocketTransport({
    dispatcher: {
      async dispatch(request, caller): Promise<CommandResponse> {
        dispatched.push({ request, caller });
        return { success: true, data: (request as { command?: unknown } | null)?.command ?? null, error: null };
      },
    },
    bus,
    gate,
    version: "1.2.3",
    log: { error: (fields) => logged.push(fields) },
    ...options,
  });
  const server = createServer();
  server.on("upgrade", (request: IncomingMessage, socket, head) => {
    sockets.push(request.socket);
    transport.upgrade(request, socket, head);
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  return {
    url: `ws://127.0.0.1:${port}/ws`,
    port,
    transport,
    bus,
    gate,
    dispatched,
    logged,
    sockets,
    async [Symbol.asyncDispose]() {
      await transport.close(0);
      for (const socket of sockets) socket.destroy();
      server.close();
      await once(server, "close");
    },
  };
}

/** A message of the server: an answer or an event. */
export type Message = Record<string, unknown> & { error?: { code: string } | null };

/** What has come over a connection, waited for by its place. */
class Arrivals<Item> {
  readonly items: Item[] = [];
  readonly #waiting = new Set<() => void>();

  push(item: Item): void {
    this.items.push(item);
    for (const look of this.#waiting) look();
  }

  /** Waits until there are `count`, and returns them. */
  take(count: number): Promise<Item[]> {
    return new Promise((resolve) => {
      const look = () => {
        if (this.items.length < count) return;
        this.#waiting.delete(look);
        resolve(this.items.slice(0, count));
      };
      this.#waiting.add(look);
      look();
    });
  }
}

/** A client of a test. */
export class Client implements AsyncDisposable {
  readonly socket: WebSocket;
  readonly answers = new Arrivals<Message>();
  readonly events = new Arrivals<Message>();
  /** Every message as it came. */
  readonly messages = new Arrivals<string>();
  readonly pings = new Arrivals<Buffer>();
  readonly closed: Promise<{ code: number; reason: string }>;

  private constructor(socket: WebSocket) {
    this.socket = socket;
    socket.on("message", (data) => {
      const message = JSON.parse(data.toString()) as Message;
      this.messages.push(data.toString());
      if ("event" in message) this.events.push(message);
      else this.answers.push(message);
    });
    socket.on("ping", (data) => this.pings.push(data));
    socket.on("error", () => {});
    this.closed = new Promise((resolve) => {
      socket.on("close", (code, reason) => resolve({ code, reason: reason.toString() }));
    });
  }

  static async open(server: TestServer, caller?: string, query = "", options: ClientOptions = {}): Promise<Client> {
    const headers = caller === undefined ? {} : { "x-caller": caller };
    const client = new Client(new WebSocket(server.url + query, { headers, ...options }));
    await once(client.socket, "open");
    return client;
  }

  send(message: unknown): void {
    this.socket.send(typeof message === "string" || Buffer.isBuffer(message) ? message : JSON.stringify(message));
  }

  /** Sends a request and waits for the next answer. */
  async ask(message: unknown): Promise<Message | undefined> {
    const place = this.answers.items.length;
    this.send(message);
    return (await this.answers.take(place + 1))[place];
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.socket.terminate();
    await this.closed;
  }
}

/** A client below WebSocket: it shakes hands, then sends bytes as they are and reads nothing by itself. */
export async function openRaw(server: TestServer, headers: Record<string, string> = {}): Promise<Socket> {
  const socket = connect(server.port, "127.0.0.1");
  socket.on("error", () => {});
  socket.write(handshake(server, headers));
  await once(socket, "readable");
  return socket;
}

/** Writes the request of a handshake. */
export function handshake({ port }: TestServer, headers: Record<string, string> = {}, path = "/ws"): string {
  const fields = {
    Host: `127.0.0.1:${port}`,
    Connection: "Upgrade",
    Upgrade: "websocket",
    "Sec-WebSocket-Version": "13",
    "Sec-WebSocket-Key": "dGhlIHNhbXBsZSBub25jZQ==",
    ...headers,
  };
  const lines = Object.entries(fields).map(([name, value]) => `${name}: ${value}\r\n`);
  return `GET ${path} HTTP/1.1\r\n${lines.join("")}\r\n`;
}

/** Writes a frame as a client does, masked with zeros. */
export function frame(
  opcode: number,
  payload: string | Buffer,
  { final = true, length }: { final?: boolean; length?: number } = {},
): Buffer {
  const body = Buffer.from(payload);
  const size = length ?? body.length;
  const head = Buffer.alloc(size < 126 ? 6 : 14);
  head[0] = (final ? 0x80 : 0) | opcode;
  head[1] = 0x80 | (size < 126 ? size : 127);
  if (size >= 126) head.writeBigUInt64BE(BigInt(size), 2);
  return Buffer.concat([head, body]);
}

/** Waits until a socket is gone; what comes until then is thrown away. */
export async function gone(socket: Socket): Promise<void> {
  if (!socket.closed) await once(socket.resume(), "close");
}
