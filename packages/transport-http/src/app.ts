import type { IncomingMessage } from "node:http";
import { RESPONSE_ALREADY_SENT } from "@hono/node-server/utils/response";
import { AppError } from "@sm/core";
import {
  AnswerBudget,
  type AnswerPart,
  type Caller,
  describeExport,
  downloadBytes,
  encodeResponse,
  errorBody,
  failure,
  openExport,
  unauthorized,
} from "@sm/router";
import { type AccessRequest, clientName, type Gate } from "@sm/router/access";
import { type Context, Hono } from "hono";
import { readJson, readOptionalJson } from "./body.ts";
import { connectionSignal } from "./connection-signal.ts";
import { isPreflight } from "./cors.ts";
import { downloadHeaders } from "./download-headers.ts";
import { healthOf, proofFor, signInHealth, vaultHealth } from "./health.ts";
import type { HttpEnv } from "./http-env.ts";
import { batchBytes, readBatch } from "./hub-batch.ts";
import { type HttpOptions, limitsOf } from "./options.ts";
import { PLAIN_PAGE_POLICY, page } from "./plain-page.ts";
import { type Presence, presence } from "./presence.ts";
import { createReplies, type Replies } from "./reply.ts";
import { COMMAND_PATH, HUB_PATH, OPENAPI_PATH, routeOf, routesOf, SHARE_PATH, WEBSOCKET_PATH } from "./routes.ts";
import { begun, sendPieces } from "./send-pieces.ts";
import { addSharedPages, asReader, isReadOfShare } from "./shared-pages.ts";
import { addSignIn, isSigningIn } from "./sign-in.ts";
import type { WebFiles } from "./web-files.ts";

/** Accessible without a token, like the files of the page, because they contain no user data. */
const PUBLIC_PATHS = new Set(["/", "/health"]);

/** Creates the routes of the service. Requires Node's request and response as bindings. */
export function createHttpApp(options: HttpOptions): Hono<HttpEnv> {
  const { version, gate, web, log } = options;
  const replies = createReplies(version);
  const routes = routesOf(options);
  const app = new Hono<HttpEnv>();

  app.onError((error, c) =>
    replies.envelope(failure(errorBody(error, log, { method: c.req.method, route: withoutSecret(c.req.path) }))),
  );

  app.notFound((c) => {
    const message = `No route for ${c.req.method} ${c.req.path.slice(0, 200)}. Send commands as POST /api.`;
    return replies.envelope(failure({ code: "NOT_FOUND", message, details: null }));
  });

  app.use((c, next) => {
    const { incoming } = c.env;
    const isOfReader = routes.has(SHARE_PATH) && isReadOfShare(c.req.path, incoming);
    if (isOfReader || (options.signIn !== undefined && isSigningIn(c.req.path, incoming))) {
      gate.admit(asReader(incoming));
      return next();
    }
    const preflight = isPreflight(incoming, gate);
    if (preflight || PUBLIC_PATHS.has(c.req.path) || isOfPage(c.req.path, incoming)) {
      gate.admit(withoutToken(incoming));
      return preflight ? Promise.resolve(replies.preflight()) : next();
    }
    const admission = gate.admit(incoming);
    if (admission.caller.scope === null) throw unauthorized(admission.caller);
    c.set("admission", admission);
    return next();
  });

  addCommands(app, options, replies);
  addExport(app, options, replies);
  addHub(app, options, replies);
  addSharedPages(app, options, replies);
  addSignIn(app, options, replies);
  addHealth(app, options, replies);

  app.get("/", async (c) => {
    if (web !== undefined) return answerWithPage(web, c.req.path, c.env.incoming);
    const html = page(new URL(c.req.url).origin, version);
    const headers = {
      ...replies.headers,
      "Content-Type": "text/html; charset=utf-8",
      "Content-Security-Policy": PLAIN_PAGE_POLICY,
    };
    return new Response(html, { headers });
  });

  addMetrics(app, options, replies);
  addMounts(app, options, replies);
  addPostMounts(app, options, replies);

  const { openApi } = options;
  if (openApi !== undefined) app.get(OPENAPI_PATH, async () => replies.json(await openApi(), 200));

  for (const [path, methods] of routes) {
    app.all(path, () => {
      const message = `${path} takes ${methods} only.`;
      const response = failure({ code: "INVALID_REQUEST", message, details: null });
      return replies.envelope(response, { status: 405, headers: { Allow: methods } });
    });
  }

  if (web !== undefined) {
    app.get("*", (c, next) =>
      isOfPage(c.req.path, c.env.incoming) ? answerWithPage(web, c.req.path, c.env.incoming) : next(),
    );
  }

  return app;

  function isOfPage(path: string, { method, headers }: IncomingMessage): boolean {
    if (web === undefined || routes.has(routeOf(path)) || (method !== "GET" && method !== "HEAD")) return false;
    return web.has(path, headers);
  }

  async function answerWithPage(web: WebFiles, path: string, { headers }: IncomingMessage): Promise<Response> {
    const answer = await web.answer(path, headers);
    if (answer === null) throw new AppError("NOT_FOUND", "This file no longer exists. Reload the page.");
    return new Response(answer.body, { status: answer.status, headers: { ...replies.headers, ...answer.headers } });
  }
}

function addCommands(app: Hono<HttpEnv>, options: HttpOptions, replies: Replies): void {
  const { dispatcher, gate, log } = options;
  const limits = limitsOf(options);

  app.post("/api", async (c) => {
    return answer(c, await readJson(c.env.incoming, limits.bodyBytes));
  });

  app.post(COMMAND_PATH, async (c) => {
    const payload = await readOptionalJson(c.env.incoming, limits.bodyBytes);
    return answer(c, { command: c.req.param("name"), payload });
  });

  async function answer(c: Context<HttpEnv>, request: unknown): Promise<Response> {
    const presence = presenceOf(c, gate);
    try {
      const response = await dispatcher.dispatch(request, callerOf(c, presence));
      const body = encodeResponse(response);
      if (typeof body === "string") return replies.envelope(response, { body });
      c.env.outgoing.writeHead(200, replies.jsonHeaders);
      await sendPieces(body, c.env.outgoing, log, { route: c.req.path }, presence.signal);
      return RESPONSE_ALREADY_SENT;
    } finally {
      presence.end();
    }
  }
}

/** Adds downloads, which are streamed. */
function addExport(app: Hono<HttpEnv>, options: HttpOptions, replies: Replies): void {
  const { gate, log, budget = new AnswerBudget() } = options;
  app.get("/api/export", async (c) => {
    const query = new URL(c.req.url).searchParams;
    const presence = presenceOf(c, gate);
    const caller = callerOf(c, presence);
    let part: AnswerPart | undefined;
    try {
      part = await budget.take(downloadBytes(query), caller);
      if (c.req.method === "HEAD") {
        const headers = downloadHeaders(await describeExport(query, options, caller));
        return new Response(null, { headers: { ...replies.headers, ...headers } });
      }
      const download = await openExport(query, options, caller);
      const chunks = await begun(download.chunks);
      c.env.outgoing.writeHead(200, { ...replies.headers, ...downloadHeaders(download) });
      await sendPieces(chunks, c.env.outgoing, log, { file_name: download.file_name }, presence.signal);
      return RESPONSE_ALREADY_SENT;
    } finally {
      part?.release();
      presence.end();
    }
  });
}

/** Takes batches of machines. */
function addHub(app: Hono<HttpEnv>, options: HttpOptions, replies: Replies): void {
  const { gate, hub, budget = new AnswerBudget() } = options;
  const { bodyBytes } = limitsOf(options);
  app.post(HUB_PATH, async (c) => {
    if (hub === undefined) {
      const message = "This service is no hub. Send to one that keeps its sessions in PostgreSQL.";
      throw new AppError("NOT_FOUND", message);
    }
    if (c.get("admission").caller.scope !== "full") {
      throw new AppError("FORBIDDEN", "Sending sessions needs an API token with full access.");
    }
    const presence = presenceOf(c, gate);
    const caller = callerOf(c, presence);
    let part: AnswerPart | undefined;
    try {
      part = await budget.take(batchBytes(c.env.incoming, bodyBytes), caller);
      const batch = await readBatch(c.env.incoming, bodyBytes);
      return replies.envelope({ success: true, data: await hub.receive(caller.tokenId, batch), error: null });
    } finally {
      part?.release();
      presence.end();
    }
  });
}

function addHealth(app: Hono<HttpEnv>, options: HttpOptions, replies: Replies): void {
  const { sessions, version, gate, hub, startedAt = new Date(), prove, vaultProblems, signIn } = options;
  app.get("/health", (c) => {
    const status = sessions.status();
    const problems = vaultProblems?.() ?? [];
    // Reasons and problems may contain paths.
    const isShown = (status.reason === null && problems.length === 0) || mayRead(c.env.incoming);
    const shown = isShown ? status : { ...status, reason: null };
    const health = {
      ...healthOf(shown, { version, kind: hub === undefined ? "home" : "hub", startedAt }),
      ...(vaultProblems !== undefined && { vault: vaultHealth(problems, isShown) }),
      ...signInHealth(signIn),
      ...proofFor(c.req.query("nonce"), prove),
    };
    return replies.json(health, health.status === "ok" ? 200 : 503);
  });

  /** Counts wrong tokens here too: the response reveals whether a token is valid. */
  function mayRead(request: AccessRequest): boolean {
    try {
      return gate.admit(request).caller.scope !== null;
    } catch (error) {
      if (error instanceof AppError) return false;
      throw error;
    }
  }
}

function addMetrics(app: Hono<HttpEnv>, { metrics }: HttpOptions, replies: Replies): void {
  if (metrics === undefined) return;
  app.get("/metrics", async () => {
    const text = await metrics.text();
    return new Response(text, { headers: { ...replies.headers, "Content-Type": metrics.contentType } });
  });
}

/** Adds the routes of other transports: event streams and the WebSocket. */
function addMounts(app: Hono<HttpEnv>, { mounts = {}, onUpgrade }: HttpOptions, replies: Replies): void {
  for (const [path, serve] of Object.entries(mounts)) {
    app.get(path, (c) => {
      if (c.req.method === "HEAD") return new Response(null, { headers: replies.headers });
      serve(c.env.incoming, c.env.outgoing, c.get("admission"));
      return RESPONSE_ALREADY_SENT;
    });
  }

  if (onUpgrade !== undefined) {
    app.get(WEBSOCKET_PATH, () => {
      const message = `${WEBSOCKET_PATH} requires a WebSocket upgrade. Proxies must forward the headers "Upgrade" and "Connection".`;
      const response = failure({ code: "INVALID_REQUEST", message, details: null });
      return replies.envelope(response, { status: 426, headers: { Connection: "Upgrade", Upgrade: "websocket" } });
    });
  }
}

/** Adds the routes of other transports that answer requests with a body. */
function addPostMounts(app: Hono<HttpEnv>, options: HttpOptions, { headers }: Replies): void {
  const { gate, postMounts = {} } = options;
  const { bodyBytes } = limitsOf(options);
  for (const [path, answer] of Object.entries(postMounts)) {
    app.post(path, async (c) => {
      const body = await readJson(c.env.incoming, bodyBytes);
      const presence = presenceOf(c, gate);
      try {
        const { status, headers: own, body: content } = await answer(c.req.raw, body, callerOf(c, presence));
        return new Response(content, { status, headers: { ...Object.fromEntries(own), ...headers } });
      } finally {
        presence.end();
      }
    });
  }
}

function presenceOf(c: Context<HttpEnv>, gate: Gate): Presence {
  return presence(connectionSignal(c.env.incoming.socket), c.get("admission").caller, gate);
}

function callerOf(c: Context<HttpEnv>, { signal }: Presence): Caller {
  const admission = c.get("admission");
  return { ...admission.caller, client: clientName(admission), signal };
}

/** Who reads the log must not be able to open links. */
function withoutSecret(path: string): string {
  const route = routeOf(path);
  return route === SHARE_PATH ? route : path;
}

/** Public paths stay public for clients whose token is invalid, or who sent too many wrong ones. */
function withoutToken({ socket, httpVersion, headers, rawHeaders }: AccessRequest): AccessRequest {
  return { socket, httpVersion, headers: { ...headers, authorization: undefined }, rawHeaders };
}
