import type { IncomingMessage, ServerResponse } from "node:http";
import type { Duplex } from "node:stream";
import type { HubService, SessionLibrary } from "@sm/core";
import type { AnswerBudget, Caller, Dispatcher, DispatchLog, ExportSources, ShareService } from "@sm/router";
import type { Admission, Gate } from "@sm/router/access";
import type { ConnectionLimits, RefusedConnection } from "./connection-limits.ts";
import type { SignIn } from "./sign-in-provider.ts";
import type { WebFiles } from "./web-files.ts";

/** Default: 1,024 connections, 128 per address. */
export interface HttpLimits extends ConnectionLimits {
  /** Bytes of a request body; default 8 MiB. */
  bodyBytes: number;
}

/** Handles an admitted GET request on Node's own request and response. */
export type Mount = (incoming: IncomingMessage, outgoing: ServerResponse, admission: Admission) => void;

/** Answers an admitted POST request whose body was read as JSON, for as long as the caller's signal lasts. */
export type PostMount = (request: Request, body: unknown, caller: Caller) => Promise<Response>;

/** A completed request. Its values come from closed sets, independent of what clients send. */
export interface AnsweredRequest {
  /** `other` for unknown routes. */
  method: string;
  /** Path of a route, or `other`. */
  route: string;
  /** 499, as in nginx, if the client disconnected before the response. */
  status: number;
}

export interface HttpOptions extends ExportSources {
  dispatcher: Dispatcher;
  sessions: ExportSources["sessions"] & Pick<SessionLibrary, "status">;
  /** Version of the service (semver). */
  version: string;
  gate: Gate;
  /** Paths served by other transports. They require a token if one is needed. */
  mounts?: Readonly<Record<string, Mount>>;
  /** The same for POST requests. */
  postMounts?: Readonly<Record<string, PostMount>>;
  /** Responds to the nonce of `/health?nonce=`, which authenticates the service. No proof if absent. */
  prove?: (nonce: string) => string;
  /** Takes over the connection of a WebSocket handshake, admitted or not. No WebSockets if absent. */
  onUpgrade?: (request: IncomingMessage, socket: Duplex, head: Buffer) => void;
  /** The web page at `/` and its addresses. If absent, a plain page explains how to call the service. */
  web?: WebFiles;
  /** The pages of links at `/share/`, readable without a token. None if absent. */
  shares?: Pick<ShareService, "look" | "open">;
  /** Takes what machines send to `/api/hub`. If absent, the service is no hub, and says so. */
  hub?: HubService;
  /** Lets people sign in with a provider, at `/auth/`. If absent, there are only tokens that somebody was given. */
  signIn?: SignIn;
  /** Creates the OpenAPI description served at `/api/openapi.json`: that of `@sm/router/description`. */
  openApi?: () => Promise<object>;
  /** Memory budget for large responses, shared with the dispatcher; downloads have a separate one if absent. */
  budget?: AnswerBudget;
  /** Served at `/metrics`. */
  metrics?: { contentType: string; text(): Promise<string> };
  /** What `/health` tells of the vault; must not wait. If absent, it tells nothing. */
  vaultProblems?: () => readonly string[];
  /** Called for every request when its response was sent or its client disconnected. Not for handshakes. */
  onRequest?: (request: AnsweredRequest) => void;
  /** Called for every connection closed by a limit. */
  onRefused?: (connection: RefusedConnection) => void;
  limits?: Partial<HttpLimits>;
  log: DispatchLog;
  /** Default: now. */
  startedAt?: Date;
}

const MEBIBYTE = 1_048_576;

export function limitsOf(options: HttpOptions): HttpLimits {
  return { bodyBytes: 8 * MEBIBYTE, connections: 1_024, addressConnections: 128, ...options.limits };
}
