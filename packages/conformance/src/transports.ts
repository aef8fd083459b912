import { type CommandResponse, statusOf } from "@sm/router";
import { type ClientOptions, CommandError, type CommandName, createClient } from "@sm/router/client";
import { WebSocket } from "ws";
import { TestSocket } from "./test-socket.ts";

/** `owner`: on the same machine. `stranger`: on another one, without a token. */
export type Visitor = "owner" | "stranger" | { token: string };

/** A way to send requests to a server and read the answers. */
export interface Transport {
  name: string;
  /** Whether it answers `ping` to a client that has not authenticated yet. */
  pingsStrangers: boolean;
  call(url: string, request: unknown, visitor: Visitor): Promise<CommandResponse>;
}

/** Requests of local peers are believed to come from where this header says. */
export const STRANGER = { "X-Forwarded-For": "203.0.113.7" };

function headersOf(visitor: Visitor): Record<string, string> {
  if (visitor === "stranger") return STRANGER;
  return visitor === "owner" ? {} : { Authorization: `Bearer ${visitor.token}` };
}

export const http: Transport = {
  name: "HTTP",
  pingsStrangers: false,
  call: (url, request, visitor) => post(`${url}/api`, request, visitor),
};

/** The name in the path, and the payload as the body: how OpenAPI describes the commands. */
const httpByPath: Transport = {
  name: "HTTP, a path for each command",
  pingsStrangers: false,
  call(url, request, visitor) {
    const { command, payload } = request as { command: string; payload?: unknown };
    return post(`${url}/api/commands/${encodeURIComponent(command)}`, payload, visitor);
  },
};

/** @param body nothing is sent where it is `undefined`. */
async function post(url: string, body: unknown, visitor: Visitor): Promise<CommandResponse> {
  const answer = await fetch(url, {
    method: "POST",
    headers: { "Content-Type": "application/json", ...headersOf(visitor) },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  });
  const response = (await answer.json()) as CommandResponse;
  if (answer.status !== statusOf(response)) throw new Error(`HTTP status ${answer.status} is not that of its code.`);
  return response;
}

const webSocket: Transport = {
  name: "WebSocket",
  pingsStrangers: true,
  call: (url, request, visitor) => overWebSocket(url, request, visitor),
};

const webSocketWithId: Transport = {
  name: "WebSocket, with ids",
  pingsStrangers: true,
  // Only an object can have an id.
  call: (url, request, visitor) =>
    overWebSocket(url, isObject(request) ? { ...request, id: "request-1" } : request, visitor),
};

async function overWebSocket(url: string, request: unknown, visitor: Visitor): Promise<CommandResponse> {
  await using socket = await TestSocket.open(url, { headers: headersOf(visitor) });
  socket.send(JSON.stringify(request));
  const { command, id, ...response } = await socket.responses.first(() => true);
  const sent: { command?: unknown; id?: unknown } = isObject(request) ? request : {};
  const expected = typeof sent.command === "string" ? sent.command : null;
  if (command !== expected || id !== sent.id) throw new Error(`The answer names ${command} and ${id}.`);
  return response;
}

function isObject(value: unknown): value is object {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** Says in every handshake that it comes from another machine. */
class StrangerWebSocket extends WebSocket {
  constructor(url: string | URL) {
    super(url, { headers: STRANGER });
  }
}

function clientOver(transport: "http" | "websocket"): Transport {
  const ofStranger: Partial<ClientOptions> = {
    WebSocket: StrangerWebSocket,
    fetch: (url, init) => fetch(url, { ...init, headers: { ...init?.headers, ...STRANGER } }),
  };
  const optionsOf = (visitor: Visitor): Partial<ClientOptions> => {
    if (visitor === "stranger") return ofStranger;
    return { WebSocket, ...(visitor !== "owner" && { token: visitor.token }) };
  };
  return {
    name: `the typed client over ${transport}`,
    pingsStrangers: transport === "websocket",
    async call(url, request, visitor) {
      const { command, payload } = request as { command: CommandName; payload: never };
      const client = createClient({ url, transport, ...optionsOf(visitor) });
      try {
        return { success: true, data: await client.call(command, payload), error: null };
      } catch (error) {
        if (!(error instanceof CommandError)) throw error;
        const { code, message, details } = error;
        return { success: false, data: null, error: { code, message, details } };
      } finally {
        client.close();
      }
    },
  };
}

/** Transports that send whatever they are given. */
export const rawTransports: Transport[] = [http, webSocket, webSocketWithId];

/** Every way to send a command; the suite runs over each, and compares each with the first. */
export const transports: Transport[] = [...rawTransports, httpByPath, clientOver("http"), clientOver("websocket")];
