import { hostname } from "node:os";
import type { AccessSettings } from "@sm/router/access";
import { describe, expect, it } from "vitest";
import { createHttpApp } from "./app.ts";
import type { HttpEnv } from "./http-env.ts";
import type { HttpOptions } from "./options.ts";
import { type Question, send, serve, testGate, testOptions } from "./test-client.ts";

const ROUTES: [path: string, question: Question][] = [
  ["/api", { method: "POST", body: '{"command":"ping"}', headers: { "Content-Type": "application/json" } }],
  ["/api/commands/ping", { method: "POST", headers: { "Content-Type": "application/json" } }],
  ["/api/openapi.json", {}],
  ["/api/export?path=/a.jsonl&format=jsonl", {}],
  ["/health", {}],
  ["/metrics", {}],
  ["/api/events", {}],
  ["/ws", {}],
  ["/", {}],
  ["/nothing", {}],
];

/** Every route that a service can have. */
const everyRoute: Partial<HttpOptions> = {
  mounts: { "/api/events": (_incoming, outgoing) => outgoing.end() },
  onUpgrade: (_request, socket) => socket.destroy(),
  metrics: { contentType: "text/plain", text: async () => "" },
  openApi: async () => ({}),
};

const serveAll = (settings: Partial<AccessSettings> = {}) => serve({ ...everyRoute, gate: testGate(settings) });

const STATUS_OF_OTHERS: Record<string, number> = { "/nothing": 404, "/ws": 426 };

describe.each(ROUTES)("%s", (path, question) => {
  const ask = (url: string, headers: Record<string, string | string[]>) =>
    send(url + path, { ...question, headers: { ...question.headers, ...headers } });

  it.each<[string, Record<string, string | string[]>]>([
    ["a rebound host", { Host: "rebound.example.com" }],
    ["a foreign origin", { Origin: "https://example.com" }],
    ["an opaque origin", { Origin: "null" }],
    ["a cross-site request", { "Sec-Fetch-Site": "cross-site" }],
  ])("forbids %s to a local client", async (_case, headers) => {
    await using server = await serveAll();
    const answer = await ask(server.url, headers);
    expect(answer.status).toBe(403);
    expect(JSON.parse(answer.body)).toMatchObject({ success: false, error: { code: "FORBIDDEN" } });
    expect(answer.headers["x-session-manager-version"]).toBe("1.2.3");
    expect(server.dispatched).toEqual([]);
  });

  it("allows what the service is called", async () => {
    await using server = await serveAll({ allowedHosts: ["sm.example.org"], trustedProxies: [] });
    const expected = STATUS_OF_OTHERS[path] ?? 200;
    for (const host of ["localhost", hostname(), "sm.example.org", "[::1]"]) {
      const own = { Host: `${host}:${server.port}`, Origin: `http://${host}:${server.port}` };
      expect((await ask(server.url, own)).status).toBe(expected);
    }
  });

  it.each<[string, Record<string, string | string[]>, string[], boolean]>([
    ["a client behind a proxy", { "X-Forwarded-For": "203.0.113.7" }, ["127.0.0.1"], false],
    ["a forged beginning", { "X-Forwarded-For": "127.0.0.1, 203.0.113.7" }, ["127.0.0.1"], false],
    ["several headers", { "X-Forwarded-For": ["127.0.0.1", "203.0.113.7"] }, ["127.0.0.1"], false],
    ["a proxy that names nobody", { Via: "1.1 proxy" }, ["127.0.0.1"], false],
    ["a proxy that names garbage", { "X-Forwarded-For": "::x" }, ["127.0.0.1"], false],
    [
      "a token that nobody gave out",
      { "X-Forwarded-For": "203.0.113.7", Authorization: "Bearer sm_x" },
      ["127.0.0.1"],
      false,
    ],
    ["a local client behind a proxy", { "X-Forwarded-For": "127.0.0.1" }, ["127.0.0.1"], true],
    ["a header from a peer that is no proxy", { "X-Forwarded-For": "203.0.113.7", Via: "x" }, [], true],
  ])("asks for a token unless the client is local: %s", async (_case, headers, trustedProxies, local) => {
    await using server = await serveAll({ trustedProxies });
    const answer = await ask(server.url, headers);
    const isPublic = path === "/health" || path === "/";
    expect(answer.status === 401).toBe(!local && !isPublic);
    expect(answer.headers["www-authenticate"]).toBe(!local && !isPublic ? "Bearer" : undefined);
  });

  it.each<[string, (path: string) => string, Record<string, string>]>([
    ["in the header", (path) => path, { Authorization: "Bearer sm_right" }],
    ["in the query", (path) => `${path}${path.includes("?") ? "&" : "?"}token=sm_right`, {}],
  ])("takes a right token %s", async (_case, place, headers) => {
    await using server = await serveAll();
    const answer = await send(server.url + place(path), {
      ...question,
      headers: { "X-Forwarded-For": "203.0.113.7", ...question.headers, ...headers },
    });
    expect(answer.status).toBe(STATUS_OF_OTHERS[path] ?? 200);
  });

  it("says when to come back after too many wrong tokens", async () => {
    await using server = await serveAll();
    const headers = { "X-Forwarded-For": "203.0.113.7", Authorization: "Bearer sm_wrong" };
    const isPublic = path === "/health" || path === "/";
    for (let count = 0; count < 10; count += 1) {
      expect((await ask(server.url, headers)).status).toBe(isPublic ? 200 : 401);
    }
    const refused = await ask(server.url, headers);
    expect(refused.status).toBe(isPublic ? 200 : 429);
    if (isPublic) return;
    const seconds = Number(refused.headers["retry-after"]);
    expect(seconds).toBeGreaterThan(0);
    expect(seconds).toBeLessThanOrEqual(60);
    expect((await ask(server.url, { ...headers, "X-Forwarded-For": "203.0.113.8" })).status).toBe(401);
  });
});

describe("a peer on another machine", () => {
  async function ask(path: string, access: Partial<AccessSettings>, headers: Record<string, string> = {}) {
    const options = testOptions({ logged: [], dispatched: [] });
    const app = createHttpApp({ ...options, gate: testGate(access) });
    const incoming = {
      socket: { remoteAddress: "203.0.113.7", localPort: 52_131 },
      headers: { host: "localhost:52131", ...headers },
    };
    return (await app.request(path, {}, { incoming } as unknown as HttpEnv["Bindings"])).status;
  }

  it("cannot make itself local with a header", async () => {
    expect(await ask("/api", {}, { "x-forwarded-for": "127.0.0.1" })).toBe(401);
    expect(await ask("/api/export", {}, { "x-forwarded-for": "::1" })).toBe(401);
  });

  it("needs no token for what is public", async () => {
    expect(await ask("/health", {})).toBe(200);
  });

  it("needs no token at all when authentication is off", async () => {
    expect(await ask("/api", { authEnabled: false })).toBe(405);
  });

  it("is not local either when it is a proxy that asks for its own machine", async () => {
    expect(await ask("/api", { trustedProxies: ["203.0.113.7"] }, { "x-forwarded-for": "127.0.0.1" })).toBe(401);
  });
});
