import { execFile } from "node:child_process";
import { mkdir, mkdtemp, readFile, rm, stat, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { type RunningServer, readSettings, startServer } from "@sm/server";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { startBareNginx } from "../nginx.ts";
import { asNobody, canBeNobody, type RawRequest } from "../other-account.ts";
import { codeOf, type Headers, head, postJson, sendRequest } from "../raw-http.ts";
import { type RealService, startRealService } from "../real-service.ts";
import { findSystemProgram } from "../system-program.ts";
import { TestEventStream } from "../test-event-stream.ts";
import { Refused, TestSocket } from "../test-socket.ts";

// What other accounts of this machine try, and what comes through proxies that do not say whom they ask for.

const run = promisify(execFile);

const nginx = findSystemProgram("nginx");
const curl = findSystemProgram("curl");

/** It is published by itself, and no package of ours can depend on it. */
const EXTENSION_SERVICE = fileURLToPath(new URL("../../../pi-extension/src/find-service.ts", import.meta.url));

/** One service for each way to keep the others out. */
let service: RealService;
let open: RealService;
let asking: RunningServer;
const askingLog: string[] = [];
let folder: string;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "session-manager-"));
  const socket_path = join(folder, "private", "service.sock");
  [service, open, asking] = await Promise.all([
    startRealService({ config: { socket_path } }),
    startRealService({ config: { local_users: "all" } }),
    startAsking(),
  ]);
});

afterAll(async () => {
  for (const one of [service, open]) await one?.[Symbol.asyncDispose]();
  await asking?.close();
  await rm(folder, { recursive: true });
});

/** What a test service asks of itself would be refused by one that asks for the token of the start. */
async function startAsking(): Promise<RunningServer> {
  const places = { "config-dir": join(folder, "config"), "data-dir": join(folder, "data"), "agent-home": folder };
  await mkdir(places["config-dir"]);
  const config = { http_port: 0, local_token: true };
  await writeFile(join(places["config-dir"], "session-manager.json"), JSON.stringify(config));
  return startServer({
    version: "1.2.3",
    settings: readSettings(places, {}),
    output: { write: (line) => askingLog.push(line) },
  });
}

const closing = { Connection: "close" };

function command(name: string, payload: object, headers: Headers = {}): RawRequest {
  const body = JSON.stringify({ command: name, payload });
  const fields = { "Content-Type": "application/json", "Content-Length": `${Buffer.byteLength(body)}` };
  return { bytes: head("POST /api HTTP/1.1", { ...fields, ...closing, ...headers }) + body };
}

const get = (path: string, headers: Headers = {}): RawRequest => ({
  bytes: head(`GET ${path} HTTP/1.1`, { ...closing, ...headers }),
});

const SHELL = { command: "create_terminal", payload: { cwd: "/" } };

/** Shakes hands and sends a request in the same breath, in a masked frame. */
function overWebSocket(request: object): RawRequest {
  const handshake = head("GET /ws HTTP/1.1", {
    Connection: "Upgrade",
    Upgrade: "websocket",
    "Sec-WebSocket-Version": "13",
    "Sec-WebSocket-Key": "dGhlIHNhbXBsZSBub25jZQ==",
  });
  const text = Buffer.from(JSON.stringify(request));
  const frame = Buffer.concat([Buffer.from([0x81, 0x80 | text.length, 0, 0, 0, 0]), text]);
  return { bytes: Buffer.concat([Buffer.from(handshake), frame]), end: '"success":' };
}

const statusOf = (answer: string | undefined) => Number(/^HTTP\/1\.1 (\d+)/.exec(answer ?? "")?.[1]);

describe.skipIf(!canBeNobody)("another account of the machine", () => {
  const requests = ({ home }: RealService): RawRequest[] => [
    command("list_sessions", {}),
    command(SHELL.command, SHELL.payload),
    get("/metrics"),
    get("/api/openapi.json"),
    get(`/api/export?path=${encodeURIComponent(home.paths.old)}&format=jsonl`),
    { ...get("/api/events"), end: "event: hello" },
  ];

  it("gets nothing over HTTP, and is told which setting it is", async () => {
    const answers = await asNobody(service.url, requests(service));
    expect(answers.map(statusOf)).toEqual(answers.map(() => 401));
    for (const answer of answers) {
      expect(answer).toContain("another account (uid 65534)");
      expect(answer).toContain('\\"local_users\\"');
    }
    expect(await service.ask("list_terminals")).toEqual([]);
  });

  it("gets no shell over WebSocket", async () => {
    const [answer] = await asNobody(service.url, [overWebSocket(SHELL)]);
    expect(statusOf(answer)).toBe(101);
    expect(answer).toContain('"success":false');
    expect(answer).toContain('"code":"UNAUTHORIZED"');
    expect(await service.ask("list_terminals")).toEqual([]);
  });

  it("pretends to be a local client of a proxy → 401", async () => {
    for (const headers of [{ "X-Forwarded-For": "127.0.0.1" }, { "X-Forwarded-For": "::1", Via: "1.1 x" }]) {
      expect(statusOf((await asNobody(service.url, [command("ping", {}, headers)]))[0])).toBe(401);
    }
  });

  it("gets what a token allows, and what is public", async () => {
    const { token } = await service.ask<{ token: string }>("create_token", { name: "other", scope: "read" });
    const headers = { Authorization: `Bearer ${token}` };
    const answers = await asNobody(service.url, [
      command("list_sessions", {}, headers),
      command(SHELL.command, SHELL.payload, headers),
      get("/health"),
    ]);
    expect(answers.map(statusOf)).toEqual([200, 403, 200]);
  });

  it("is let in where the configuration says so", async () => {
    const answers = await asNobody(open.url, [...requests(open), overWebSocket(SHELL)]);
    expect(answers.map(statusOf)).toEqual([200, 200, 200, 200, 200, 200, 101]);
    expect(await open.ask("list_terminals")).toHaveLength(2);
  });

  it("cannot open the UNIX socket", async () => {
    const path = join(folder, "private", "service.sock");
    expect([(await stat(path)).mode & 0o777, (await stat(join(folder, "private"))).mode & 0o777]).toEqual([
      0o600, 0o700,
    ]);
    const args = ["-sS", "--unix-socket", path, "http://localhost/health"];
    const attempt = run("setpriv", ["--reuid=65534", "--clear-groups", curl ?? "", ...args]);
    // What curl says where it cannot connect.
    await expect(attempt).rejects.toMatchObject({ code: 7 });
  });
});

describe("the UNIX socket", () => {
  it.skipIf(curl === null)("serves its owner everything, and checks hosts and proxies as everywhere", async () => {
    const path = join(folder, "private", "service.sock");
    const ask = async (...args: string[]) => (await run(curl ?? "", ["-sS", "--unix-socket", path, ...args])).stdout;
    const api = ["http://localhost/api", "-H", "Content-Type: application/json", "-d", '{"command": "list_terminals"}'];
    expect(JSON.parse(await ask(...api))).toMatchObject({ success: true, data: [] });
    expect(await ask("http://localhost/metrics")).toContain("session_manager_sessions");
    expect(codeOf(await ask(...api, "-H", "Host: rebound.example"))).toBe("FORBIDDEN");
    expect(codeOf(await ask(...api, "-H", "X-Forwarded-For: 203.0.113.7"))).toBe("UNAUTHORIZED");
    expect(codeOf(await ask(...api, "--http1.0"))).toBe("UNAUTHORIZED");
  });
});

describe.skipIf(nginx === null)("through nginx with nothing but proxy_pass", () => {
  const ping = (url: string, headers: Headers = {}) =>
    postJson(url, headers).then(({ status, body }) => ({ status, body }));
  const HTTP_1_1 = 'proxy_http_version 1.1; proxy_set_header Connection "";';
  const FORWARDING = [
    "Forwarded",
    "Via",
    "X-Real-IP",
    "X-Forwarded-Proto",
    "X-Forwarded-Host",
    "X-Original-URI",
    "CF-Ray",
  ].concat(["CF-Connecting-IP", "True-Client-IP", "X-Client-IP", "Ngrok-Trace-Id", "Tailscale-User-Login"]);

  it.skipIf(!canBeNobody)("of another account: nobody is local, whatever it sends", async () => {
    await using proxy = await startBareNginx(nginx ?? "", service.url, "nobody", { "/modern/": HTTP_1_1 });
    expect(await ping(proxy.url)).toMatchObject({ status: 401, body: expect.stringContaining("HTTP/1.0") });
    const modern = `${proxy.url}/modern`;
    expect(await ping(modern)).toMatchObject({ status: 401, body: expect.stringContaining("(uid 65534)") });
    await expect(TestEventStream.open(modern)).rejects.toThrow("401");
    const upgrade = { Upgrade: "websocket", Connection: "upgrade" };
    expect((await sendRequest(`${modern}/ws`, { headers: upgrade })).status).toBe(401);
  });

  it("of our own account: HTTP/1.0 and each forwarding header tell it from a client", async () => {
    const places = Object.fromEntries(
      FORWARDING.map((name) => [`/${name}/`, `${HTTP_1_1} proxy_set_header ${name} x;`] as const),
    );
    await using proxy = await startBareNginx(nginx ?? "", service.url, "own", { ...places, "/modern/": HTTP_1_1 });
    expect(await ping(proxy.url)).toMatchObject({ status: 401, body: expect.stringContaining("HTTP/1.0") });
    for (const name of FORWARDING) {
      const { status, body } = await ping(`${proxy.url}/${name}`);
      expect({ name, status, says: body.includes(name.toLowerCase()) }).toEqual({ name, status: 401, says: true });
    }
    // Nothing tells this one from a client: the token of the start is what holds.
    expect((await ping(`${proxy.url}/modern`)).status).toBe(200);
    await using guarded = await startBareNginx(nginx ?? "", asking.url, "own", { "/modern/": HTTP_1_1 });
    expect((await ping(`${guarded.url}/modern`)).status).toBe(401);
  });
});

describe("where the token of the start is asked for", () => {
  const startToken = async (): Promise<string> => JSON.parse(await readFile(asking.serverFile, "utf8")).token;

  it("nobody is let in without it, on no way", async () => {
    expect(await postJson(asking.url)).toMatchObject({ status: 401, body: expect.stringContaining("server.json") });
    for (const path of ["/metrics", "/api/events", "/api/openapi.json", "/api/export?path=/a.jsonl&format=jsonl"]) {
      expect((await sendRequest(asking.url + path)).status).toBe(401);
    }
    await using socket = await TestSocket.open(asking.url);
    expect(await socket.ask("list_sessions")).toMatchObject({ error: { code: "UNAUTHORIZED" } });
  });

  it("who has it is local", async () => {
    const token = await startToken();
    const headers = { Authorization: `Bearer ${token}` };
    expect((await postJson(asking.url, headers, JSON.stringify({ command: "list_terminals" }))).status).toBe(200);
    using stream = await TestEventStream.open(asking.url, headers);
    await stream.events.first(({ event }) => event === "hello");
    await using socket = await TestSocket.open(asking.url);
    expect(await socket.ask("auth", { token })).toMatchObject({ data: { authenticated: true, scope: "full" } });
    expect(await socket.ask("list_terminals")).toMatchObject({ success: true });
  });

  it("the agent's extension finds it by itself, where the service proves that it is the one", async () => {
    const { findService, callService } = await import(EXTENSION_SERVICE);
    const env = { SESSION_MANAGER_DATA_DIR: join(folder, "data") };
    const found = await findService(env);
    expect(found).toEqual({ url: asking.url, token: await startToken() });
    const options = { signal: new AbortController().signal, timeout: 10_000 };
    expect(await callService(found, "list_terminals", "{}", options)).toEqual([]);
    expect(await findService({ ...env, SESSION_MANAGER_URL: asking.url })).toEqual(found);
  });

  it("it is worth nothing to others, and is in no log", async () => {
    const token = await startToken();
    const headers = { Authorization: `Bearer ${token}`, "X-Forwarded-For": "203.0.113.7" };
    expect((await postJson(asking.url, headers)).status).toBe(401);
    await expect(TestSocket.open(asking.url, { headers })).rejects.toBeInstanceOf(Refused);
    if (canBeNobody) {
      const stolen = command("ping", {}, { Authorization: `Bearer ${token}` });
      expect((await asNobody(asking.url, [stolen])).map(statusOf)).toEqual([401]);
    }
    expect(askingLog.join("")).not.toContain(token);
  });
});
