import { randomBytes } from "node:crypto";
import { rename } from "node:fs/promises";
import type { CommandResponse } from "@sm/router";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type Nginx, startNginx } from "./nginx.ts";
import { PATIENT } from "./patient.ts";
import { type RealService, SHARING, SUGGESTS_PROXY, startRealService } from "./real-service.ts";
import { findSystemProgram } from "./system-program.ts";
import { TestEventStream } from "./test-event-stream.ts";
import { startTestServer } from "./test-server.ts";
import { TestSocket } from "./test-socket.ts";

const nginx = findSystemProgram("nginx");

// The clients of a test are on this machine, where none needs a token. A second proxy in front of nginx, which it is
// told to believe, makes it see clients on other machines.
const SECOND_PROXY = "set_real_ip_from 127.0.0.0/8; real_ip_header X-Forwarded-For;";
const REMOTE = "203.0.113.7";

describe.skipIf(nginx === null)("behind nginx with the documented configuration", () => {
  let service: RealService;
  let proxy: Nginx;
  let token: string;

  beforeAll(async () => {
    service = await startRealService();
    proxy = await startNginx(nginx ?? "", service.url, SECOND_PROXY);
    token = (await service.ask<{ token: string }>("create_token", { name: "remote" })).token;
  });

  afterAll(async () => {
    await proxy[Symbol.asyncDispose]();
    await service[Symbol.asyncDispose]();
  });

  async function call(request: object, headers: Record<string, string> = {}) {
    const answer = await fetch(`${proxy.url}/api`, {
      method: "POST",
      headers: { "Content-Type": "application/json", ...headers },
      body: JSON.stringify(request),
    });
    return { status: answer.status, response: (await answer.json()) as CommandResponse };
  }

  it("runs commands for a client on this machine", async () => {
    const { status, response } = await call({ command: "list_sessions", payload: { limit: 1 } });
    expect(status).toBe(200);
    expect(response).toMatchObject({ success: true, data: { total: 4 }, error: null });
  });

  it.each([
    ["as large as the service allows", 8 * 1_048_576, 400, "INVALID_PAYLOAD"],
    ["a byte larger, with the answer of the service", 8 * 1_048_576 + 1, 413, "PAYLOAD_TOO_LARGE"],
  ])("hands on a body %s", async (_, bytes, status, code) => {
    const empty = JSON.stringify({ command: "ping", payload: { x: "" } });
    const request = { command: "ping", payload: { x: "x".repeat(bytes - empty.length) } };
    expect(await call(request)).toMatchObject({ status, response: { error: { code } } });
  });

  it("streams a download", async () => {
    const query = new URLSearchParams({ path: service.home.paths.branched, format: "markdown" });
    const answer = await fetch(`${proxy.url}/api/export?${query}`);
    expect(answer.headers.get("content-disposition")).toContain("attachment");
    const exported = await service.ask<{ content: string }>("export_session", {
      path: service.home.paths.branched,
      format: "markdown",
    });
    expect(await answer.text()).toBe(exported.content);
  });

  it.each([
    ["that the proxy in front names", REMOTE],
    ["that pretends to be local", `127.0.0.1, ${REMOTE}`],
    ["that pretends to be behind a proxy of ours", `127.0.0.1, ::1, ${REMOTE}`],
  ])("asks a client on another machine for a token: %s", async (_, forwardedFor) => {
    const headers = { "X-Forwarded-For": forwardedFor };
    const ping = { command: "ping" };
    expect(await call(ping, headers)).toMatchObject({ status: 401, response: { error: { code: "UNAUTHORIZED" } } });
    expect(await call(ping, { ...headers, Authorization: `Bearer ${token}` })).toMatchObject({ status: 200 });
    await expect(TestEventStream.open(proxy.url, headers)).rejects.toThrow("401");
    using stream = await TestEventStream.open(proxy.url, { ...headers, Authorization: `Bearer ${token}` });
    await stream.events.first(({ event }) => event === "hello");
  });

  it("brings an event at once, and again after a reconnect what came meanwhile", async () => {
    const path = await service.home.copy();
    const moved = path.replace("copy", "moved");
    const isTold = (where: string) => (item: { payload: unknown }) => JSON.stringify(item.payload).includes(where);
    let seq: number;
    {
      using stream = await TestEventStream.open(proxy.url);
      expect(stream.headers["content-type"]).toContain("text/event-stream");
      // Would wait for ever in a buffer that is not full.
      ({ seq } = await stream.events.first(isTold(path)));
    }
    await rename(path, moved);
    await service.settled();
    using stream = await TestEventStream.open(proxy.url, { "Last-Event-ID": `${seq}` });
    await stream.events.first(isTold(moved));
    const numbers = stream.events.items.slice(1).map((event) => event.seq);
    expect(numbers).toEqual(numbers.map((_, place) => seq + 1 + place));
  });

  it("carries a WebSocket, with commands, events and the token of a client on another machine", async () => {
    await using socket = await TestSocket.open(proxy.url, { headers: { "X-Forwarded-For": REMOTE } });
    expect(await socket.ask("list_sessions")).toMatchObject({ success: false, error: { code: "UNAUTHORIZED" } });
    expect(await socket.ask("auth", { token })).toMatchObject({ data: { authenticated: true, scope: "full" } });
    await socket.events.first(({ event }) => event === "hello");
    const path = await service.home.copy();
    await socket.events.first(({ payload }) => JSON.stringify(payload).includes(path));
    const content = randomBytes(512 * 1024).toString("hex");
    const large = await service.home.add("large", [
      { type: "session", version: 3, id: "large", timestamp: new Date().toISOString(), cwd: "/" },
      { type: "message", id: "l1", parentId: null, timestamp: null, message: { role: "user", content } },
    ]);
    expect(await socket.ask("read_session_file", { path: large })).toMatchObject({
      data: expect.stringContaining(content),
    });
  });

  it("shows a shared page to a client on another machine, and keeps its link out of the log", async () => {
    await using shared = await startRealService({ config: SHARING, expectedProblems: [SUGGESTS_PROXY] });
    await using front = await startNginx(nginx ?? "", shared.url, SECOND_PROXY);
    const { url } = await shared.ask<{ url: string }>("share_session", { path: shared.home.paths.branched });
    const { pathname } = new URL(url);
    const headers = { "X-Forwarded-For": REMOTE };
    const answer = await fetch(front.url + pathname, { headers });
    expect(answer.status).toBe(200);
    expect(answer.headers.get("content-security-policy")).toContain("sandbox allow-scripts");
    expect(await answer.text()).toContain("Names with umlauts");
    expect((await fetch(`${front.url}/share/unknown`, { headers })).status).toBe(404);
    await expect.poll(() => front.accessLog(), PATIENT).toContain('"GET /share/..." 404');
    const log = await front.accessLog();
    expect(log).toContain('"GET /share/..." 200');
    expect(log).not.toContain(pathname.split("/").at(-1));
  });

  it("keeps links out of what it says of a service that does not answer", async () => {
    const stopped = await startRealService();
    await stopped[Symbol.asyncDispose]();
    await using front = await startNginx(nginx ?? "", stopped.url, SECOND_PROXY);
    for (const path of ["/share/secret", "/health"]) expect((await fetch(front.url + path)).status).toBe(502);
    await expect.poll(() => front.errorLog(), PATIENT).toContain("GET /health");
    expect(front.errorLog()).not.toContain("secret");
  });

  it("keeps tokens and paths out of its log", async () => {
    const query = new URLSearchParams({ token, path: service.home.paths.old, format: "jsonl" });
    const answer = await fetch(`${proxy.url}/api/export?${query}`, { headers: { "X-Forwarded-For": REMOTE } });
    expect(answer.status).toBe(200);
    await answer.arrayBuffer();
    await expect.poll(() => proxy.accessLog(), PATIENT).toContain(`${REMOTE} `);
    const log = await proxy.accessLog();
    expect(log).toContain('"GET /api/export" 200');
    expect(log).not.toContain(token);
    expect(log).not.toContain(service.home.folder);
  });
});

it.skipIf(nginx === null)("lets the heartbeats of both streams through nginx", async () => {
  await using server = await startTestServer({ heartbeatMs: 20 });
  await using proxy = await startNginx(nginx ?? "", server.url);
  await using socket = await TestSocket.open(proxy.url);
  using stream = await TestEventStream.open(proxy.url);
  await socket.heartbeats.until((pings) => pings[2]);
  await stream.comments.until((comments) => comments[2]);
  // Pongs came back as well: without two of them the server closes.
  expect(socket.socket.readyState).toBe(socket.socket.OPEN);
});
