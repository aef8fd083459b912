import { subscribe, unsubscribe } from "node:diagnostics_channel";
import type { RequestOptions } from "node:http";
import type { Socket } from "node:net";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { codeOf, type Headers, PING, postJson, sendRequest } from "../raw-http.ts";
import { type RealService, startRealService } from "../real-service.ts";
import { TestEventStream } from "../test-event-stream.ts";
import { startTestServer } from "../test-server.ts";
import { Refused, TestSocket } from "../test-socket.ts";
import { STRANGER } from "../transports.ts";

// What web pages and strangers try in order to be let in, each with the answer of the whole service.

let service: RealService;

beforeAll(async () => {
  service = await startRealService({ expectedProblems: ["A wrong API token was rejected."] });
});

afterAll(() => service[Symbol.asyncDispose]());

const send = (path: string, options: RequestOptions = {}) => sendRequest(service.url + path, options);
const post = (headers: Headers, body = PING) => postJson(service.url, headers, body);

async function refusalOf(headers: Headers, path = "/ws"): Promise<{ status: number; code: string | undefined }> {
  const refused = await TestSocket.open(service.url, { headers, path }).then(
    (socket) => socket[Symbol.asyncDispose]().then(() => new Error("It was let in.")),
    (error: unknown) => error,
  );
  if (!(refused instanceof Refused)) throw refused;
  return { status: refused.status, code: codeOf(refused.body) };
}

/** What a request without a usable token gets on every route that needs one. */
async function expectStranger(headers: Headers): Promise<void> {
  const onEveryRoute = await Promise.all([
    post(headers),
    send("/api/events", { headers }),
    send("/api/export?path=/a.jsonl&format=jsonl", { headers }),
    send("/api/openapi.json", { headers }),
    send("/metrics", { headers }),
  ]);
  for (const { status, body, headers: answered } of onEveryRoute) {
    expect({ status, code: codeOf(body), challenge: answered["www-authenticate"] }).toEqual({
      status: 401,
      code: "UNAUTHORIZED",
      challenge: "Bearer",
    });
  }
  await using socket = await TestSocket.open(service.url, { headers });
  expect(await socket.ask("list_sessions")).toMatchObject({ success: false, error: { code: "UNAUTHORIZED" } });
  expect(socket.events.items).toEqual([]);
}

interface NewToken {
  id: string;
  token: string;
}

const newToken = (fields: object = {}) => service.ask<NewToken>("create_token", { name: "attack", ...fields });
const bearer = (token: string) => ({ Authorization: `Bearer ${token}` });

describe("web pages", () => {
  it.each<[attack: string, headers: Headers]>([
    ["DNS rebinding: the page's own name as host", { Host: "rebound.example.com" }],
    ["DNS rebinding with the port of the service", { Host: "rebound.example.com:52131" }],
    ["cross-site request: a foreign origin", { Origin: "https://example.com" }],
    ["a sandboxed frame: origin null", { Origin: "null" }],
    ["a local file: origin file://", { Origin: "file://" }],
    ["cross-site request without origin", { "Sec-Fetch-Site": "cross-site" }],
    ["another port of this machine", { Origin: "http://localhost:1" }],
    ["another scheme", { Origin: "https://127.0.0.1" }],
  ])("%s → 403 on every route and for WebSocket, although local", async (_, headers) => {
    const routes = [
      "/",
      "/health",
      "/metrics",
      "/api/events",
      "/api/export?path=/a&format=html",
      "/api/openapi.json",
      "/api",
      "/api/commands/ping",
      "/ws",
    ];
    const answers = [post(headers), ...routes.map((route) => send(route, { headers }))];
    for (const { status, body, headers: answered } of await Promise.all(answers)) {
      expect({ status, code: codeOf(body) }).toEqual({ status: 403, code: "FORBIDDEN" });
      expect(answered["access-control-allow-origin"]).toBeUndefined();
    }
    expect(await refusalOf(headers)).toEqual({ status: 403, code: "FORBIDDEN" });
  });

  it("cross-origin preflight → 403 and no permission", async () => {
    const headers = { Origin: "https://example.com", "Access-Control-Request-Method": "POST" };
    const { status, headers: answered } = await send("/api", { method: "OPTIONS", headers });
    expect(status).toBe(403);
    expect(Object.keys(answered).filter((name) => name.startsWith("access-control"))).toEqual([]);
  });

  it.each([
    "text/plain",
    "application/x-www-form-urlencoded",
    "multipart/form-data; boundary=x",
    "",
    "application/jsonp",
  ])("a form's content type %j, which needs no preflight → 415", async (type) => {
    const { status, body } = await post({ "Content-Type": type });
    expect({ status, code: codeOf(body) }).toEqual({ status: 415, code: "UNSUPPORTED_MEDIA_TYPE" });
  });
});

describe("who calls from where", () => {
  it.each<[attack: string, headers: Headers]>([
    ["X-Forwarded-For that begins with a local address", { "X-Forwarded-For": "127.0.0.1, 203.0.113.7" }],
    [
      "X-Forwarded-For with the addresses of our proxies behind it",
      { "X-Forwarded-For": "203.0.113.7, 127.0.0.1, ::1" },
    ],
    ["X-Forwarded-For that cannot be read", { "X-Forwarded-For": "127.1" }],
    ["X-Forwarded-For in another notation of a local address", { "X-Forwarded-For": "0x7f.0.0.1" }],
    ["an empty X-Forwarded-For", { "X-Forwarded-For": "" }],
    ["X-Real-IP without X-Forwarded-For", { "X-Real-IP": "127.0.0.1" }],
    ["Forwarded without X-Forwarded-For", { Forwarded: "for=127.0.0.1" }],
    ["X-Forwarded-Host without X-Forwarded-For", { "X-Forwarded-Host": "localhost" }],
    ["Via without X-Forwarded-For", { Via: "1.1 proxy" }],
  ])("through a trusted proxy: %s → 401", async (_, headers) => {
    await expectStranger(headers);
  });

  it.each([
    "/health/../metrics",
    "/%2e/metrics",
    "/health/%2e%2e/metrics",
    "//metrics",
    "/metrics/",
    "/METRICS",
    "/metrics%3f",
  ])("a public path on the way to one that is not: %s → nothing of it", async (path) => {
    const { status, body } = await send(path, { headers: STRANGER });
    expect([401, 404]).toContain(status);
    expect(body).not.toContain("session_manager_");
  });

  it.each<[attack: string, headers: Headers]>([
    ["alone", {}],
    ["with a forged X-Forwarded-For", { "X-Forwarded-For": "127.0.0.1" }],
    [
      "with every forwarding header forged",
      { "X-Forwarded-For": "::1", "X-Real-IP": "::1", Forwarded: "for=127.0.0.1" },
    ],
  ])("a peer on another machine, %s → 401", async (_, headers) => {
    const restore = injectPeer("203.0.113.7");
    await expectStranger(headers).finally(restore);
  });

  it("a peer that is no proxy but sends X-Forwarded-For → the header is not read", async () => {
    await using own = await startRealService({ config: { trusted_proxies: [] } });
    expect(await postJson(own.url, { "X-Forwarded-For": "203.0.113.7" })).toMatchObject({ status: 200 });
  });
});

describe("tokens", () => {
  it.each<[place: string, attempt: (token: string) => Promise<{ status: number }>]>([
    ["in the body", (token) => post(STRANGER, JSON.stringify({ command: "ping", payload: {}, token }))],
    ["in the payload", (token) => post(STRANGER, JSON.stringify({ command: "ping", payload: { token } }))],
    ["as auth over HTTP", (token) => post(STRANGER, JSON.stringify({ command: "auth", payload: { token } }))],
    ["in a cookie", (token) => post({ ...STRANGER, Cookie: `token=${token}; Authorization=Bearer ${token}` })],
    ["as a Basic password", (token) => post({ ...STRANGER, Authorization: `Basic ${btoa(`token:${token}`)}` })],
    ["without a scheme", (token) => post({ ...STRANGER, Authorization: token })],
    ["in a header of its own", (token) => post({ ...STRANGER, "X-Api-Key": token })],
    ["in the path", (token) => send(`/metrics/${token}`, { headers: STRANGER })],
    ["in a fragment", (token) => send(`/metrics%23token=${token}`, { headers: STRANGER })],
  ])("the right token %s → 401", async (_, attempt) => {
    expect((await attempt((await newToken()).token)).status).toBe(401);
  });

  it("the right token as WebSocket subprotocol → stays without access", async () => {
    const { token } = await newToken();
    const opened = TestSocket.open(service.url, { headers: STRANGER, protocols: [token] });
    const answer = await opened.then(
      async (socket) => {
        const { error } = await socket.ask("list_sessions");
        await socket[Symbol.asyncDispose]();
        return error?.code;
      },
      // A client that names a protocol may refuse a server that chooses none.
      () => "UNAUTHORIZED",
    );
    expect(answer).toBe("UNAUTHORIZED");
  });

  it("the right token where it belongs → 200, and the answer does not repeat it", async () => {
    const { token } = await newToken();
    const answers = [
      await post({ ...STRANGER, ...bearer(token) }),
      await send(`/metrics?token=${token}`, { headers: STRANGER }),
    ];
    for (const { status, body } of answers) {
      expect(status).toBe(200);
      expect(body).not.toContain(token);
    }
    using stream = await TestEventStream.open(service.url, STRANGER, `?token=${token}`);
    await stream.events.first(({ event }) => event === "hello");
    await using socket = await TestSocket.open(service.url, { headers: STRANGER, path: `/ws?token=${token}` });
    expect(await socket.ask("list_sessions")).toMatchObject({ success: true });
  });

  it("a revoked token on an open WebSocket and event stream → both are closed at once", async () => {
    const { id, token } = await newToken();
    const headers = { ...STRANGER, ...bearer(token) };
    await using byHeader = await TestSocket.open(service.url, { headers });
    await using byMessage = await TestSocket.open(service.url, { headers: STRANGER });
    expect(await byMessage.ask("auth", { token })).toMatchObject({ success: true });
    using stream = await TestEventStream.open(service.url, headers);
    await service.ask("revoke_token", { id });
    expect(await byHeader.closed).toMatchObject({ code: 4401 });
    expect(await byMessage.closed).toMatchObject({ code: 4401 });
    await stream.closed;
    expect(await post(headers)).toMatchObject({ status: 401 });
  });

  it("a token that expires on an open WebSocket and event stream → both are closed, and it is worth nothing", async () => {
    const { token } = await newToken({ expires_at: new Date(Date.now() + 2_000).toISOString() });
    const headers = { ...STRANGER, ...bearer(token) };
    await using socket = await TestSocket.open(service.url, { headers });
    using stream = await TestEventStream.open(service.url, headers);
    expect(await socket.closed).toMatchObject({ code: 4401 });
    await stream.closed;
    expect(await post(headers)).toMatchObject({ status: 401 });
  });

  it("a read token on commands that write → FORBIDDEN, and nothing happens", async () => {
    const { token } = await newToken({ scope: "read" });
    const headers = { ...STRANGER, ...bearer(token) };
    const path = await service.home.copy();
    await using socket = await TestSocket.open(service.url, { headers });
    for (const [command, payload] of [
      ["delete_session", { path }],
      ["rename_session", { path, name: "Taken" }],
      ["create_token", { name: "more", scope: "full" }],
      ["save_session_paths", { paths: ["/"] }],
    ] as const) {
      const expected = { success: false, error: { code: "FORBIDDEN" } };
      expect(JSON.parse((await post(headers, JSON.stringify({ command, payload }))).body)).toMatchObject(expected);
      expect(await socket.ask(command, payload)).toMatchObject(expected);
    }
    expect(await socket.ask("read_session_file", { path })).toMatchObject({
      success: true,
      data: expect.not.stringContaining("Taken"),
    });
  });

  it("guessing: the 11th wrong token of an address in a minute → 429, other addresses go on", async () => {
    const guess = (address: string, token: string) =>
      post({ "X-Forwarded-For": address, ...bearer(token) }).then(({ status }) => status);
    const statuses: number[] = [];
    for (let attempt = 0; attempt < 11; attempt++) statuses.push(await guess("203.0.113.99", `sm_guess${attempt}`));
    expect(statuses).toEqual([...Array.from({ length: 10 }, () => 401), 429]);
    await using socket = await TestSocket.open(service.url, { headers: { "X-Forwarded-For": "203.0.113.99" } });
    expect(await socket.ask("auth", { token: "sm_guess" })).toMatchObject({ error: { code: "RATE_LIMITED" } });
    expect(await guess("203.0.113.98", "sm_guess")).toBe(401);
    expect(await post({ "X-Forwarded-For": "203.0.113.99" })).toMatchObject({ status: 401 });
  });

  it("guessing over WebSocket: a wrong token → UNAUTHORIZED and closed with 4401", async () => {
    await using socket = await TestSocket.open(service.url, { headers: { "X-Forwarded-For": "203.0.113.97" } });
    expect(await socket.ask("auth", { token: "sm_guess" })).toMatchObject({ error: { code: "UNAUTHORIZED" } });
    expect(await socket.closed).toMatchObject({ code: 4401 });
  });

  it("a WebSocket that never authenticates → closed with 4401 when its time is over", async () => {
    await using server = await startTestServer({ authMs: 50 });
    await using socket = await TestSocket.open(server.url, { headers: STRANGER });
    server.bus.publish("config-changed", { version_id: "secret" });
    expect(await socket.closed).toMatchObject({ code: 4401 });
    expect(socket.events.items).toEqual([]);
  });

  it("nothing of a token, right or wrong, in the log and the metrics", async () => {
    const { token } = await newToken();
    await post({ ...STRANGER, ...bearer(token) });
    await send(`/metrics?token=${token}`, { headers: STRANGER });
    await post({ "X-Forwarded-For": "203.0.113.96", ...bearer("sm_wrong-token") });
    const seen = `${service.log.join("")}${(await send("/metrics")).body}`;
    expect(seen).not.toContain(token);
    expect(seen).not.toContain("sm_wrong-token");
  });
});

/** Makes every connection look as if it came from this address; returns what ends that. */
function injectPeer(address: string): () => void {
  const channel = "net.server.socket";
  const onSocket = (message: unknown) => {
    Object.defineProperty((message as { socket: Socket }).socket, "remoteAddress", { value: address });
  };
  subscribe(channel, onSocket);
  return () => unsubscribe(channel, onSocket);
}
