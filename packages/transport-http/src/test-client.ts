import { type Agent, type IncomingHttpHeaders, request } from "node:http";
import { hostname } from "node:os";
import { AppError } from "@sm/core";
import type { CommandResponse } from "@sm/router";
import { type AccessSettings, accessRules, createGate, type Gate } from "@sm/router/access";
import type { HttpOptions } from "./options.ts";
import { type HttpServer, type ListenOptions, serveHttp } from "./server.ts";

/** A server for one test, closed at the end of its block. */
export interface Served extends HttpServer, AsyncDisposable {
  logged: object[];
  /** Requests that reached the dispatcher. */
  dispatched: unknown[];
}

/** Serves a dispatcher that answers `"done"` and a library without sessions, unless `options` say otherwise. */
export async function serve(options: Partial<HttpOptions> = {}, listen: Partial<ListenOptions> = {}): Promise<Served> {
  const logged: object[] = [];
  const dispatched: unknown[] = [];
  const http = await serveHttp(
    { ...testOptions({ logged, dispatched }), ...options },
    { port: 0, host: "127.0.0.1", graceMs: 1_000, ...listen },
  );
  return { ...http, logged, dispatched, [Symbol.asyncDispose]: () => http.close() };
}

/** Options that a test may spread its own over. */
export function testOptions({ logged, dispatched }: Pick<Served, "logged" | "dispatched">): HttpOptions {
  return {
    dispatcher: {
      async dispatch(request): Promise<CommandResponse> {
        dispatched.push(request);
        return { success: true, data: "done", error: null };
      },
    },
    sessions: {
      exportStream: async () => ({
        file_name: "a.jsonl",
        media_type: "application/x-ndjson",
        chunks: (async function* () {})(),
      }),
      status: () => ({
        state: "ready",
        reason: null,
        sessions: 3,
        pending: 0,
        skipped_files: 0,
        bytes_done: 0,
        bytes_total: 0,
      }),
    },
    exportTickets: { look: noTicket, redeem: noTicket },
    version: "1.2.3",
    gate: testGate(),
    log: { error: (fields) => logged.push(fields) },
  };
}

async function noTicket(): Promise<never> {
  throw new AppError("NOT_FOUND", "There are no tickets.");
}

/** Makes a gate with one token, `sm_right`. The proxy is at 127.0.0.1 unless the settings name others. */
export function testGate(settings: Partial<AccessSettings> = {}): Gate {
  const rules = accessRules({
    authEnabled: true,
    allowedHosts: [],
    allowedOrigins: [],
    trustedProxies: ["127.0.0.1"],
    machineName: hostname(),
    ...settings,
  });
  const verify = (token: string) => (token === "sm_right" ? { id: "1", scope: "full" as const } : null);
  return createGate({ rules, tokens: { verify, onEnd: () => () => {} } });
}

export interface Answer {
  status: number;
  headers: IncomingHttpHeaders;
  body: string;
}

export interface Question {
  method?: string;
  headers?: Record<string, string | string[]>;
  /** Several pieces are sent without a length, as chunks. */
  body?: string | Uint8Array | Uint8Array[];
  /** A connection of its own if absent. */
  agent?: Agent;
}

/** Sends a request as it stands, with headers that `fetch` forbids. Rejects if the answer breaks off. */
export function send(url: string, { method = "GET", headers = {}, body = "", agent }: Question = {}): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const outgoing = request(url, { method, headers, agent: agent ?? false }, (incoming) => {
      const chunks: Buffer[] = [];
      incoming.on("data", (chunk: Buffer) => chunks.push(chunk));
      incoming.on("error", reject);
      incoming.on("end", () =>
        resolve({
          status: incoming.statusCode ?? 0,
          headers: incoming.headers,
          body: Buffer.concat(chunks).toString(),
        }),
      );
    });
    outgoing.on("error", reject);
    if (Array.isArray(body)) for (const piece of body) outgoing.write(piece);
    outgoing.end(Array.isArray(body) ? undefined : body);
  });
}

/** Sends a body to `POST /api`. */
export function post(
  server: HttpServer,
  body: Question["body"],
  headers: Record<string, string> = {},
): Promise<Answer> {
  return send(`${server.url}/api`, {
    method: "POST",
    headers: { "Content-Type": "application/json", ...headers },
    ...(body === undefined ? {} : { body }),
  });
}
