import type { IncomingMessage, ServerResponse } from "node:http";
import type { Duplex } from "node:stream";
import type { SessionLibrary } from "@sm/core";
import type { AnswerBudget, Dispatcher, DispatchLog, ExportSources } from "@sm/router";
import type { Admission, Gate } from "@sm/router/access";
import type { ConnectionLimits, RefusedConnection } from "./connection-limits.ts";
import type { WebFiles } from "./web-files.ts";

/** 1,024 connections if absent, 128 of one address. */
export interface HttpLimits extends ConnectionLimits {
  /** Bytes of a request body; 8 MiB if absent. */
  bodyBytes: number;
}

/** Answers an admitted GET request to the end, on Node's own request and response. */
export type Mount = (incoming: IncomingMessage, outgoing: ServerResponse, admission: Admission) => void;

/** A request that is over. Its values come from closed sets, whatever a client sends. */
export interface AnsweredRequest {
  /** `other` where no route takes it. */
  method: string;
  /** Path of a route, or `other`. */
  route: string;
  /** 499, as nginx writes it, if the client left before it was answered. */
  status: number;
}

export interface HttpOptions extends ExportSources {
  dispatcher: Dispatcher;
  sessions: Pick<SessionLibrary, "exportStream" | "status">;
  /** Version of the service (semver). */
  version: string;
  gate: Gate;
  /** Paths that another transport answers. They need a token where one is needed. */
  mounts?: Readonly<Record<string, Mount>>;
  /** Answers the nonce of `/health?nonce=`, so that a client knows whom it talks to. Nothing is proved if absent. */
  prove?: (nonce: string) => string;
  /** Takes over the connection of a WebSocket handshake, admitted or not. Without it there are no WebSockets. */
  onUpgrade?: (request: IncomingMessage, socket: Duplex, head: Buffer) => void;
  /** The page at `/`, and all of its addresses. Without it there is a plain page that says how to call the service. */
  web?: WebFiles;
  /** Makes the OpenAPI description of the commands, served at `/api/openapi.json`: that of `@sm/router/description`. */
  openApi?: () => Promise<object>;
  /** Of the memory for large answers, shared with the dispatcher; downloads have one of their own if absent. */
  budget?: AnswerBudget;
  /** Served at `/metrics`. */
  metrics?: { contentType: string; text(): Promise<string> };
  /** Is told of every request when its answer is sent or its client has left. Handshakes are no requests. */
  onRequest?: (request: AnsweredRequest) => void;
  /** Is told of every connection that a limit has closed. */
  onRefused?: (connection: RefusedConnection) => void;
  limits?: Partial<HttpLimits>;
  log: DispatchLog;
  /** Now if absent. */
  startedAt?: Date;
}

const MEBIBYTE = 1_048_576;

export function limitsOf(options: HttpOptions): HttpLimits {
  return { bodyBytes: 8 * MEBIBYTE, connections: 1_024, addressConnections: 128, ...options.limits };
}
