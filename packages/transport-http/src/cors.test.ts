import { describe, expect, it } from "vitest";
import { type Question, send, serve, testGate } from "./test-client.ts";

const PAGE = "https://app.example.org";

const PING: Question = { method: "POST", body: '{"command":"ping"}', headers: { "Content-Type": "application/json" } };

const PREFLIGHT = {
  Origin: PAGE,
  "Access-Control-Request-Method": "POST",
  "Access-Control-Request-Headers": "authorization,content-type",
};

/** Whose own page is at another machine, as those of allowed origins often are. */
const STRANGER = { "X-Forwarded-For": "203.0.113.7" };

const serveAllowing = () => serve({ gate: testGate({ allowedOrigins: [PAGE, "HTTP://Localhost:5173/"] }) });

const sharing = (headers: object) => Object.keys(headers).filter((name) => /^access-control-|^vary$/.test(name));

describe("a page of an allowed origin", () => {
  it.each<[string, string, Question, number]>([
    ["an answer", "/api", PING, 200],
    ["a refusal for want of a token", "/api", { ...PING, headers: { ...PING.headers, ...STRANGER } }, 401],
    ["that the type is wrong", "/api", { ...PING, headers: {} }, 415],
    ["a method that is not taken", "/api", {}, 405],
    ["what is not there", "/nothing", {}, 404],
    ["health", "/health", {}, 200],
    ["a download", "/api/export?path=/a.jsonl&format=jsonl", {}, 200],
  ])("may read %s", async (_case, path, question, status) => {
    await using server = await serveAllowing();
    const answer = await send(server.url + path, { ...question, headers: { ...question.headers, Origin: PAGE } });
    expect(answer.status).toBe(status);
    expect(answer.headers).toMatchObject({
      "access-control-allow-origin": PAGE,
      "access-control-expose-headers": "Content-Disposition, Retry-After, X-Session-Manager-Version",
      vary: "Origin",
      "x-session-manager-version": "1.2.3",
    });
  });

  it("is named as its browser writes it", async () => {
    await using server = await serveAllowing();
    const origin = "http://localhost:5173";
    const { headers } = await send(`${server.url}/health`, {
      headers: { Origin: origin, "Sec-Fetch-Site": "same-site" },
    });
    expect(headers["access-control-allow-origin"]).toBe(origin);
  });

  it.each(["/api", "/health"])("may ask what to send to %s, for which it needs no token yet", async (path) => {
    await using server = await serveAllowing();
    const answer = await send(server.url + path, { method: "OPTIONS", headers: { ...PREFLIGHT, ...STRANGER } });
    expect({ status: answer.status, body: answer.body }).toEqual({ status: 204, body: "" });
    expect(answer.headers).toMatchObject({
      "access-control-allow-origin": PAGE,
      "access-control-allow-methods": "GET, HEAD, POST",
      "access-control-allow-headers":
        "Authorization, Content-Type, Last-Event-ID, Mcp-Method, Mcp-Name, Mcp-Protocol-Version",
      "x-session-manager-version": "1.2.3",
    });
    expect(server.dispatched).toEqual([]);
  });

  it.each<[string, Record<string, string>]>([
    ["a rebound host", { Host: "rebound.example.com" }],
    ["another site", { "Sec-Fetch-Site": "cross-site" }],
  ])("is still refused from %s", async (_case, headers) => {
    await using server = await serveAllowing();
    const answer = await send(`${server.url}/api`, { method: "OPTIONS", headers: { ...PREFLIGHT, ...headers } });
    expect(answer.status).toBe(403);
  });
});

describe("nothing is shared with", () => {
  it.each<[string, Question, number]>([
    ["another origin", { ...PING, headers: { ...PING.headers, Origin: "https://example.org" } }, 403],
    ["another origin's question", { method: "OPTIONS", headers: { ...PREFLIGHT, Origin: "https://example.org" } }, 403],
    ["several origins", { ...PING, headers: { ...PING.headers, Origin: `${PAGE}, https://example.org` } }, 403],
    ["a client that is no page", PING, 200],
    ["a question that is no preflight", { method: "OPTIONS" }, 405],
  ])("%s", async (_case, question, status) => {
    await using server = await serveAllowing();
    const answer = await send(`${server.url}/api`, question);
    expect({ status: answer.status, sharing: sharing(answer.headers) }).toEqual({ status, sharing: [] });
  });
});
