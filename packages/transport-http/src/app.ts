import { hostname } from "node:os";
import type { HttpBindings } from "@hono/node-server";
import { RESPONSE_ALREADY_SENT } from "@hono/node-server/utils/response";
import { type Caller, errorBody, failure, openExport, unauthorized } from "@sm/router";
import { accessRules, admit } from "@sm/router/access";
import { Hono } from "hono";
import { readJson } from "./body.ts";
import { downloadHeaders, sendDownload } from "./download.ts";
import { healthOf } from "./health.ts";
import { type HttpOptions, limitsOf } from "./options.ts";
import { PAGE_POLICY, page } from "./page.ts";
import { createReplies } from "./reply.ts";

/** What the routes find in their context: Node's request and response, and who calls. */
export type HttpEnv = { Bindings: HttpBindings; Variables: { caller: Caller } };

/** Open to callers without a token, because there is no data of the user in them. */
const PUBLIC_PATHS = new Set(["/", "/health"]);

/** Makes the routes of the service. They need Node's request and response as bindings. */
export function createHttpApp(options: HttpOptions): Hono<HttpEnv> {
  const { dispatcher, sessions, version, log, startedAt = new Date() } = options;
  const rules = accessRules({ ...options.access, machineName: hostname() });
  const limits = limitsOf(options);
  const replies = createReplies(version);
  const app = new Hono<HttpEnv>();

  app.onError((error, c) =>
    replies.envelope(failure(errorBody(error, log, { method: c.req.method, route: c.req.path }))),
  );

  app.notFound((c) => {
    const message = `There is nothing at ${c.req.method} ${c.req.path.slice(0, 200)}; commands are sent as POST /api.`;
    return replies.envelope(failure({ code: "NOT_FOUND", message, details: null }));
  });

  app.use((c, next) => {
    const { caller } = admit(c.env.incoming, rules);
    if (caller.scope === null && !PUBLIC_PATHS.has(c.req.path)) throw unauthorized();
    c.set("caller", caller);
    return next();
  });

  app.post("/api", async (c) => {
    const request = await readJson(c.env.incoming, limits.bodyBytes);
    return replies.envelope(await dispatcher.dispatch(request, c.var.caller));
  });

  app.get("/api/export", async (c) => {
    const download = await openExport(new URL(c.req.url).searchParams, sessions);
    const headers = { ...replies.headers, ...downloadHeaders(download) };
    if (c.req.method === "HEAD") {
      await download.chunks[Symbol.asyncIterator]().return?.();
      return new Response(null, { headers });
    }
    c.env.outgoing.writeHead(200, headers);
    await sendDownload(download, c.env.outgoing, log);
    return RESPONSE_ALREADY_SENT;
  });

  app.get("/health", () => {
    const health = healthOf(sessions.status(), version, startedAt);
    return replies.json(health, health.status === "ok" ? 200 : 503);
  });

  app.get("/", (c) => {
    const html = page(new URL(c.req.url).origin, version);
    const headers = {
      ...replies.headers,
      "Content-Type": "text/html; charset=utf-8",
      "Content-Security-Policy": PAGE_POLICY,
    };
    return new Response(html, { headers });
  });

  for (const [path, methods] of Object.entries({
    "/api": "POST",
    "/api/export": "GET, HEAD",
    "/health": "GET, HEAD",
    "/": "GET, HEAD",
  })) {
    app.all(path, () => {
      const message = `${path} takes ${methods} only.`;
      const response = failure({ code: "INVALID_REQUEST", message, details: null });
      return replies.envelope(response, { status: 405, headers: { Allow: methods } });
    });
  }

  return app;
}
