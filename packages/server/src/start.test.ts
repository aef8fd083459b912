import { createHmac } from "node:crypto";
import { once } from "node:events";
import { mkdir, mkdtemp, readdir, readFile, realpath, rm, writeFile } from "node:fs/promises";
import { request } from "node:http";
import { createServer, type Server } from "node:net";
import { hostname, tmpdir } from "node:os";
import { join } from "node:path";
import type { Duplex } from "node:stream";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { readSettings } from "./settings.ts";
import { type RunningServer, type ServerOptions, startServer } from "./start.ts";

let folder: string;
let lines: string[];
let running: RunningServer | null;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "session-manager-server-"));
  lines = [];
  running = null;
});

afterEach(async () => {
  await running?.close();
  await rm(folder, { recursive: true });
});

async function start(config: object = {}, options: Partial<ServerOptions> = {}): Promise<RunningServer> {
  await writeFile(join(folder, "session-manager.json"), JSON.stringify({ http_port: 0, ...config }));
  const settings = readSettings(
    { "config-dir": folder, "data-dir": join(folder, "data"), "agent-home": join(folder, "pi") },
    {},
  );
  const output = { write: (line: string) => lines.push(line) };
  running = await startServer({ version: "1.2.3", settings, output, ...options });
  return running;
}

async function startProblem(config: object): Promise<string> {
  const outcome = await start(config).catch((error: unknown) => error);
  expect(outcome).toMatchObject({ name: "StartError" });
  return (outcome as Error).message;
}

/** A client on another machine, behind the proxy that every test is taken for. */
const REMOTE = { "X-Forwarded-For": "203.0.113.7" };

const post = (url: string, body: object, headers: Record<string, string> = {}) =>
  fetch(`${url}/api`, {
    method: "POST",
    headers: { "Content-Type": "application/json", ...headers },
    body: JSON.stringify(body),
  });

async function call(url: string, command: string, payload = {}): Promise<unknown> {
  return (await post(url, { command, payload })).json();
}

async function ask<Data>(url: string, command: string, payload = {}): Promise<Data> {
  const { data, error } = (await call(url, command, payload)) as { data: Data; error: unknown };
  expect(error).toBeNull();
  return data;
}

/** An open event stream; `until` reads on until its text so far matches, or to its end. */
async function openEvents(url: string, headers: Record<string, string> = {}) {
  const response = await fetch(`${url}/api/events`, { headers });
  expect(response.status).toBe(200);
  const reader = response.body?.pipeThrough(new TextDecoderStream()).getReader();
  let text = "";
  return {
    async until(pattern: RegExp | null): Promise<string> {
      while (pattern === null || !pattern.test(text)) {
        const { done, value } = (await reader?.read()) ?? { done: true };
        if (done) break;
        text += value;
      }
      return text;
    },
  };
}

const metricsOf = async (url: string) => (await fetch(`${url}/metrics`)).text();

function logged(): { level: string; msg: string; time: string; allowed_hosts?: string[] }[] {
  return lines.map((line) => JSON.parse(line));
}

describe("startServer", () => {
  it("answers commands on a free port", async () => {
    const { url } = await start();
    expect(await call(url, "ping")).toEqual({ success: true, data: { pong: true }, error: null });
    expect(url).not.toBe("http://127.0.0.1:0");
  });

  it("serves the sessions of the agent home and of further paths", async () => {
    const own = join(folder, "pi", "agent", "sessions", "--work--");
    const further = join(folder, "further");
    const header = { type: "session", version: 3, timestamp: "2025-03-01T08:00:00.000Z", cwd: "/code" };
    for (const [directory, id] of [
      [own, "one"],
      [further, "two"],
    ] as const) {
      await mkdir(directory, { recursive: true });
      await writeFile(join(directory, `${id}.jsonl`), `${JSON.stringify({ ...header, id })}\n`);
    }
    const { url } = await start({ session_paths: [further] });
    const { data } = (await call(url, "scan_sessions")) as { data: { id: string }[] };
    expect(data.map(({ id }) => id).sort()).toEqual(["one", "two"]);
  });

  it("serves the directories that the agent's settings name, and follows another choice", async () => {
    const agent = join(folder, "pi", "agent");
    const header = { type: "session", version: 3, timestamp: "2025-03-01T08:00:00.000Z", cwd: "/code" };
    for (const name of ["one", "two", "three"]) {
      await mkdir(join(folder, name));
      await writeFile(join(folder, name, `${name}.jsonl`), `${JSON.stringify({ ...header, id: name })}\n`);
    }
    const directories = async (...names: string[]) => Promise.all(names.map((name) => realpath(join(folder, name))));
    await mkdir(agent, { recursive: true });
    await writeFile(join(agent, "settings.json"), JSON.stringify({ sessionDir: join(folder, "one") }));
    vi.stubEnv("PI_CODING_AGENT_SESSION_DIR", join(folder, "two"));
    try {
      const { url } = await start({ session_paths: [join(folder, "three"), join(folder, "one")] });
      expect(await ask(url, "get_all_session_dirs")).toEqual(await directories("two", "one", "three"));
      expect(await ask(url, "get_session_paths")).toEqual([join(folder, "three"), join(folder, "one")]);
      expect(await ask<unknown[]>(url, "scan_sessions")).toHaveLength(3);
      expect(await ask(url, "save_session_paths", { paths: [] })).toEqual([]);
      expect(await ask(url, "get_all_session_dirs")).toEqual(await directories("two", "one"));
      await writeFile(join(agent, "settings.json"), JSON.stringify({ sessionDir: join(folder, "three") }));
      const followed = await directories("two", "three");
      await expect.poll(() => ask(url, "get_all_session_dirs"), { timeout: 30_000 }).toEqual(followed);
    } finally {
      vi.unstubAllEnvs();
    }
  });

  it("reads the sessions of other agents where they are found, says so, and follows a switch", async () => {
    const home = join(folder, "omp");
    const header = { type: "session", version: 3, id: "one", timestamp: "2025-03-01T08:00:00.000Z", cwd: "/code" };
    await mkdir(join(home, "sessions"), { recursive: true });
    await writeFile(join(home, "sessions", "one.jsonl"), `${JSON.stringify(header)}\n`);
    const { url, agents } = await start({ agents: { omp: { homes: [home] }, gemini: {} } });
    const directories = [join(home, "sessions")];
    expect(agents).toEqual([{ name: "Oh My Pi", directories }]);
    expect(await ask<unknown[]>(url, "scan_sessions")).toHaveLength(1);
    const found = () => ask<{ agent: string; sessions: number; enabled: boolean }[]>(url, "get_agent_homes");
    expect(await found()).toMatchObject([
      { agent: "pi", sessions: 0 },
      { agent: "omp", homes: [home], directories: [{ path: directories[0], exists: true }], sessions: 1 },
      // Another home of the agent is chosen: the account's own homes are not read.
      { agent: "claude-code", enabled: true, directories: [] },
      { agent: "codex", enabled: true, directories: [] },
    ]);
    await expect.poll(() => logged().map(({ msg }) => msg)).toContain("All sessions are indexed.");
    expect(logged()).toContainEqual(expect.objectContaining({ agents: { omp: 1 }, sessions: 1 }));
    expect(logged()).toContainEqual(
      expect.objectContaining({ msg: "The sessions of Oh My Pi are read.", directories }),
    );
    expect(logged()).toContainEqual(expect.objectContaining({ level: "warn", fields: ["agents.gemini"] }));
    await ask(url, "save_agent_homes", { agents: { omp: { enabled: false, homes: [home] } } });
    expect(await ask(url, "get_all_session_dirs")).toEqual([]);
    expect(await ask(url, "list_sessions")).toMatchObject({ total: 0 });
  });

  it("names its version and the limits of the configuration hold", async () => {
    const { url } = await start({ limits: { body_bytes: 10 } });
    const health = await fetch(`${url}/health`);
    expect(health.headers.get("X-Session-Manager-Version")).toBe("1.2.3");
    expect(await call(url, "ping")).toMatchObject({ success: false, error: { code: "PAYLOAD_TOO_LARGE" } });
  });

  it("keeps its files in the data directory", async () => {
    await start();
    expect(await readdir(join(folder, "data"))).toContain("state.db");
  });

  it("tells other programs where it is, until it ends", async () => {
    const { url } = await start();
    const path = join(folder, "data", "server.json");
    const { started_at, ...rest } = JSON.parse(await readFile(path, "utf8"));
    const secret = expect.stringMatching(/^[\w-]{43}$/);
    expect(rest).toEqual({ url, pid: process.pid, version: "1.2.3", secret, token: null });
    const nonce = "0123456789abcdef";
    const proof = createHmac("sha256", rest.secret).update(nonce).digest("hex");
    expect(await (await fetch(`${url}/health?nonce=${nonce}`)).json()).toMatchObject({ api_version: 1, proof });
    expect(
      logged()
        .map((line) => JSON.stringify(line))
        .join(),
    ).not.toContain(rest.secret);
    expect(Date.parse(started_at)).toBeLessThanOrEqual(Date.now());
    await running?.close();
    expect(await readdir(join(folder, "data"))).not.toContain("server.json");
  });

  it("logs lines of JSON with level and time", async () => {
    await start();
    const [first] = logged();
    expect(first).toMatchObject({ level: "info", msg: "The service has started." });
    expect(first?.time).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
  });

  it("logs nothing below the level of the configuration", async () => {
    await start({ log_level: "error" });
    expect(lines).toEqual([]);
  });

  it("stops accepting requests when it is closed, as often as it is asked to", async () => {
    const server = await start();
    await Promise.all([server.close(), server.close()]);
    await expect(fetch(server.url)).rejects.toThrow();
    expect(logged().filter(({ msg }) => msg === "The service has stopped.")).toHaveLength(1);
  });

  it.each([
    [{ auth_enabled: false, bind_addr: "0.0.0.0" }, true],
    [{ auth_enabled: false, bind_addr: "127.0.0.1" }, false],
    [{ auth_enabled: false, bind_addr: "localhost" }, false],
    [{ auth_enabled: true, bind_addr: "0.0.0.0" }, false],
  ])("warns of open doors with %j: %s", async (config, expected) => {
    await start(config);
    const warnings = logged().filter(({ level, msg }) => level === "warn" && msg.includes("auth_enabled is false"));
    expect(warnings).toHaveLength(expected ? 1 : 0);
  });

  it.each<[object, string[] | null]>([
    [
      { allowed_hosts: ["sessions.example.org", "localhost", "10.0.0.9", hostname().toUpperCase()] },
      ["sessions.example.org"],
    ],
    [{ allowed_hosts: ["sessions.example.org"], local_token: true }, null],
    [{ allowed_hosts: ["127.0.0.1", "[::1]:52131"] }, null],
  ])("says what a name of others may mean with %j: %j", async (config, names) => {
    await start(config);
    const warnings = logged().filter(({ level, msg }) => level === "warn" && msg.includes("X-Forwarded-For"));
    expect(warnings.map(({ allowed_hosts }) => allowed_hosts)).toEqual(names === null ? [] : [names]);
  });

  it("warns of fields that it does not know", async () => {
    await start({ http_prot: 80 });
    expect(logged()).toContainEqual(expect.objectContaining({ level: "warn", fields: ["http_prot"] }));
  });

  it("refuses to start where nothing would be served", async () => {
    expect(await startProblem({ http_enabled: false })).toBe(
      `Nothing to serve, because http_enabled is false in ${join(folder, "session-manager.json")}. Set it to true.`,
    );
  });

  it("says what to do about a port that is taken, and leaves nothing open", async () => {
    const other = await listen();
    const { port } = other.address() as { port: number };
    const message = await startProblem({ http_port: port });
    expect(message).toContain(`Port ${port} on 127.0.0.1 is in use`);
    expect(message).toContain("choose another port with --port or http_port in");
    await new Promise((resolve) => other.close(resolve));
    await start({ http_port: port });
  });

  it("takes a free port in place of the default one, but never of one that was chosen", async () => {
    // Whoever else holds the default one serves the test as well.
    const other = createServer().on("error", () => other.close());
    const isListening = new Promise<void>((resolve) => other.once("listening", resolve).once("error", () => resolve()));
    other.listen(52131, "127.0.0.1");
    await isListening;
    const { url } = await start({ http_port: undefined }, { takesFreePort: true });
    expect(url).toMatch(/^http:\/\/127\.0\.0\.1:(?!52131$)\d+$/);
    await running?.close();
    const chosen = start({ http_port: 52131 }, { takesFreePort: true });
    await expect(chosen).rejects.toThrow("Port 52131 on 127.0.0.1 is in use");
    if (other.listening) await new Promise((resolve) => other.close(resolve));
  });

  it("says what to do about an address of another machine", async () => {
    expect(await startProblem({ bind_addr: "192.0.2.1" })).toContain(
      "192.0.2.1 is not an address of this machine. Change --bind or bind_addr in",
    );
  });

  it("says what is wrong with a data directory that cannot be used", async () => {
    await writeFile(join(folder, "data"), "a file");
    expect(await startProblem({})).toContain(join(folder, "data"));
  });
});

describe("a client on another machine", () => {
  it("comes in with a token, until it is revoked", async () => {
    const { url } = await start();
    expect((await post(url, { command: "ping" }, REMOTE)).status).toBe(401);
    const { id, token } = await ask<{ id: string; token: string }>(url, "create_token", { name: "phone" });
    const headers = { ...REMOTE, Authorization: `Bearer ${token}` };
    expect((await post(url, { command: "ping" }, headers)).status).toBe(200);

    const events = await openEvents(url, headers);
    await events.until(/event: hello\n/);
    await ask(url, "revoke_token", { id });
    await events.until(null);
    expect((await post(url, { command: "ping" }, headers)).status).toBe(401);
    expect(lines.join()).not.toContain(token);
  });

  it("may try as many wrong tokens as the configuration says; they are counted, and logged without the token", async () => {
    const { url } = await start({ limits: { wrong_tokens_per_minute: 2 } });
    const headers = { ...REMOTE, Authorization: "Bearer sm_guess" };
    const statuses: number[] = [];
    for (let count = 0; count < 3; count += 1) statuses.push((await post(url, { command: "ping" }, headers)).status);
    expect(statuses).toEqual([401, 401, 429]);
    expect(await metricsOf(url)).toContain("session_manager_auth_failures_total 3\n");
    expect(logged()).toContainEqual(expect.objectContaining({ level: "warn", address: "203.0.113.7" }));
    expect(lines.join()).not.toContain("sm_guess");
  });
});

describe("save_session_paths", () => {
  it("changes the file, the library follows, and every client is told", async () => {
    const further = join(folder, "further");
    await mkdir(further);
    const header = { type: "session", version: 3, id: "two", timestamp: "2025-03-01T08:00:00.000Z", cwd: "/code" };
    await writeFile(join(further, "two.jsonl"), `${JSON.stringify(header)}\n`);
    const { url } = await start({ unknown_field: 1 });
    const events = await openEvents(url);
    await events.until(/event: hello\n/);

    expect(await ask(url, "save_session_paths", { paths: [further] })).toEqual([further]);
    expect(await ask(url, "get_session_paths")).toEqual([further]);
    expect(await ask(url, "get_all_session_dirs")).toEqual([await realpath(further)]);
    expect(await ask<{ id: string }[]>(url, "scan_sessions")).toMatchObject([{ id: "two" }]);
    expect(await events.until(/"version_id"/)).toMatch(
      /event: config-changed\nid: \d+\ndata: {"version_id":"[\da-f-]+"}\n/,
    );
    const file = await readFile(join(folder, "session-manager.json"), "utf8");
    expect(JSON.parse(file)).toEqual({ http_port: 0, unknown_field: 1, session_paths: [further] });
  });
});

describe("metrics", () => {
  it("count what is answered, and what clients make up makes no new line", async () => {
    const { url } = await start();
    const linesOf = async () => (await metricsOf(url)).match(/^session_manager_\S+/gm);
    await call(url, "ping");
    await call(url, "unknown-0");
    await fetch(`${url}/unknown-0`);
    await metricsOf(url);
    const before = await linesOf();
    expect(before?.length).toBeGreaterThan(20);
    for (let count = 1; count <= 20; count += 1) {
      await call(url, `unknown-${count}`);
      await fetch(`${url}/unknown-${count}?token=secret`);
    }
    expect(await linesOf()).toEqual(before);
    const text = await metricsOf(url);
    expect(text).toContain('session_manager_commands_total{command="ping",code="OK"} 1\n');
    expect(text).toContain('session_manager_commands_total{command="unknown",code="UNKNOWN_COMMAND"} 21\n');
    expect(text).toContain('session_manager_http_requests_total{method="POST",route="/api",status="200"} 1\n');
    expect(text).toContain('session_manager_http_requests_total{method="GET",route="other",status="404"} 21\n');
    expect(text).not.toMatch(/secret|unknown-/);
  });

  it("know the sessions and the connections that are open now", async () => {
    const sessions = join(folder, "pi", "agent", "sessions");
    await mkdir(sessions, { recursive: true });
    const header = { type: "session", version: 3, id: "one", timestamp: "2025-03-01T08:00:00.000Z", cwd: "/code" };
    await writeFile(join(sessions, "one.jsonl"), `${JSON.stringify(header)}\n`);
    const { url } = await start();
    await call(url, "scan_sessions");
    const socket = await openWebSocket(url);
    await openEvents(url);
    const text = await metricsOf(url);
    expect(text).toContain("session_manager_sessions 1\n");
    expect(text).toContain("session_manager_sse_connections 1\n");
    expect(text).toContain("session_manager_ws_connections 1\n");
    socket.destroy();
  });
});

describe("close", () => {
  it("waits for no client that only listens: WebSockets are told to go, event streams end", async () => {
    const { url } = await start();
    const events = await openEvents(url);
    const socket = await openWebSocket(url);
    let received = "";
    socket.setEncoding("hex").on("data", (text) => {
      received += text;
      // A client answers a closing frame with its own, masked.
      if (CLOSING_1001.test(received)) socket.end(Buffer.from("888200000000" + "03e9", "hex"));
    });
    const closed = once(socket, "close");
    await Promise.all([running?.close(), closed, events.until(null)]);
    expect(received).toMatch(CLOSING_1001);
  });
});

/** Opcode 8 and the code 1001, going away; in hexadecimal. */
const CLOSING_1001 = /88..03e9/;

function openWebSocket(url: string): Promise<Duplex> {
  const headers = {
    Connection: "Upgrade",
    Upgrade: "websocket",
    "Sec-WebSocket-Version": "13",
    "Sec-WebSocket-Key": Buffer.alloc(16).toString("base64"),
  };
  return new Promise((resolve, reject) => {
    request(`${url}/ws`, { headers, agent: false })
      .on("upgrade", (_response, socket) => resolve(socket))
      .on("error", reject)
      .end();
  });
}

function listen(): Promise<Server> {
  return new Promise((resolve) => {
    const server = createServer().listen(0, "127.0.0.1", () => resolve(server));
  });
}
