import { type ChildProcess, execFileSync, spawn } from "node:child_process";
import { mkdir, mkdtemp, readdir, rm, writeFile } from "node:fs/promises";
import { createConnection, createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import type { SessionRecord } from "@sm/core";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";

const ROOM = fileURLToPath(new URL("..", import.meta.url));
// Inside the package, so that the binary finds its dependencies; not dist, which somebody may be running.
const BUILD = join(ROOM, "node_modules", ".test-build");
const BINARY = join(BUILD, "main.js");

let folder: string;
let started: ChildProcess[];

beforeAll(() => {
  execFileSync(process.execPath, [join(ROOM, "build.mjs"), BUILD]);
});

afterAll(() => rm(BUILD, { recursive: true }));

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "session-cli-"));
  started = [];
});

afterEach(async () => {
  for (const child of started) child.kill("SIGKILL");
  await rm(folder, { recursive: true, maxRetries: 3 });
});

interface Run {
  child: ChildProcess;
  output: { stdout: string; stderr: string };
  ended: Promise<{ code: number | null; signal: string | null }>;
}

function run(args: string[], env: NodeJS.ProcessEnv = {}): Run {
  const child = spawn(process.execPath, [BINARY, ...args], {
    stdio: ["ignore", "pipe", "pipe"],
    // A temporary folder of its own shows what is left behind.
    env: { PATH: process.env.PATH, HOME: folder, TMPDIR: folder, ...env },
  });
  started.push(child);
  const output = { stdout: "", stderr: "" };
  child.stdout.setEncoding("utf8").on("data", (text) => (output.stdout += text));
  child.stderr.setEncoding("utf8").on("data", (text) => (output.stderr += text));
  const ended = new Promise<{ code: number | null; signal: string | null }>((resolve) => {
    child.on("close", (code, signal) => resolve({ code, signal }));
  });
  return { child, output, ended };
}

/** Starts the service and waits for its URL. */
async function serve(args: string[] = [], env: NodeJS.ProcessEnv = {}): Promise<Run & { url: string; port: number }> {
  const service = run(["--port", "0", ...args], env);
  const url = await until(() => /^Session Manager is listening on (http:\S+)\n/.exec(service.output.stdout)?.[1]);
  return { ...service, url, port: Number(new URL(url).port) };
}

async function until<T>(read: () => T | undefined | Promise<T | undefined>): Promise<T> {
  for (let attempt = 0; attempt < 1000; attempt += 1) {
    const value = await read();
    if (value !== undefined) return value;
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
  throw new Error("What was waited for did not come.");
}

async function call<Data>(url: string, command: string, payload: object = {}): Promise<Data> {
  const response = await fetch(`${url}/api`, {
    method: "POST",
    headers: { "Content-Type": "application/json" },
    body: JSON.stringify({ command, payload }),
  });
  const { success, data, error } = (await response.json()) as { success: boolean; data: Data; error: unknown };
  expect(error).toBeNull();
  expect(success).toBe(true);
  return data;
}

describe("session-cli", () => {
  it("prints its version", async () => {
    const { output, ended } = run(["--version"]);
    expect(await ended).toEqual({ code: 0, signal: null });
    expect(output).toEqual({ stdout: "0.1.0\n", stderr: "" });
  });

  it("explains every flag", async () => {
    const { output, ended } = run(["--help"]);
    expect(await ended).toEqual({ code: 0, signal: null });
    const flags = "port bind config-dir data-dir agent-home open log-level demo help version".split(" ");
    for (const flag of flags) expect(output.stdout).toMatch(new RegExp(`^  --${flag}\\b`, "m"));
  });

  it.each([
    [["--prot", "1"], "unknown option '--prot'"],
    [["serve"], "too many arguments"],
    [["--port", "many"], '--port must be an integer from 0 to 65535, not "many".'],
    [["--demo", "--data-dir", "/tmp"], "--demo has its own directories and cannot be used together with --data-dir"],
  ])("refuses %j", async (args, message) => {
    const { output, ended } = run(args);
    expect(await ended).toEqual({ code: 1, signal: null });
    expect(output.stderr).toContain(message);
    expect(output.stdout).toBe("");
  });

  it.runIf(process.platform === "linux")(
    "moves a deleted session to the trash, which a bundled library could not",
    async () => {
      const { url } = await serve(["--agent-home", join(folder, "pi")]);
      const path = join(folder, "pi", "agent", "sessions", "a.jsonl");
      await mkdir(join(folder, "pi", "agent", "sessions"), { recursive: true });
      await writeFile(
        path,
        `${JSON.stringify({ type: "session", version: 3, id: "a", timestamp: "2026-01-01T00:00:00.000Z" })}\n`,
      );
      await call(url, "scan_sessions");
      expect(await call(url, "delete_session", { path })).toEqual({ path, method: "trash" });
      expect(await readdir(join(folder, ".local", "share", "Trash", "files"))).toHaveLength(1);
    },
  );

  it("names the URL in its first line, then logs lines of JSON", async () => {
    const { url, output, child, ended } = await serve();
    expect(url).toMatch(/^http:\/\/127\.0\.0\.1:[1-9]\d*$/);
    child.kill("SIGTERM");
    await ended;
    const [first, ...log] = output.stdout.trimEnd().split("\n");
    expect(first).toBe(`Session Manager is listening on ${url}`);
    expect(log.map((line) => JSON.parse(line).level)).toContain("info");
    expect(output.stderr).toBe("");
  });

  it("follows its environment", async () => {
    const env = {
      SESSION_MANAGER_LOG_LEVEL: "silent",
      SESSION_MANAGER_DATA_DIR: join(folder, "data"),
      SESSION_MANAGER_CONFIG_DIR: join(folder, "config"),
      SESSION_MANAGER_AGENT_HOME: join(folder, "pi"),
    };
    const { output, child, ended } = await serve([], env);
    child.kill("SIGTERM");
    await ended;
    expect(output.stdout.split("\n")).toHaveLength(2);
    expect(await readdir(join(folder, "data"))).toContain("state.db");
  });

  it.each(["SIGTERM", "SIGINT"] as const)("answers what is in flight after %s, then ends with 0", async (signal) => {
    const { port, child, ended } = await serve();
    const body = '{"command": "ping"}';
    const socket = createConnection(port, "127.0.0.1");
    let answer = "";
    socket.setEncoding("utf8").on("data", (text) => (answer += text));
    socket.write(
      `POST /api HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Type: application/json\r\nContent-Length: ${body.length}\r\n\r\n`,
    );
    socket.write(body.slice(0, 5));
    // The server has the first half once it answers something that came later.
    await call(`http://127.0.0.1:${port}`, "ping");
    child.kill(signal);
    await refused(port);
    socket.write(body.slice(5));
    expect(await ended).toEqual({ code: 0, signal: null });
    expect(answer).toContain('"data":{"pong":true}');
  });

  it.each([
    ["SIGINT", 130],
    ["SIGTERM", 143],
  ] as const)("ends at once after a second %s", async (signal, code) => {
    const { port, child, ended } = await serve();
    const socket = createConnection(port, "127.0.0.1").on("error", () => {});
    socket.write(
      "POST /api HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Type: application/json\r\nContent-Length: 9\r\n\r\n{",
    );
    await call(`http://127.0.0.1:${port}`, "ping");
    child.kill(signal);
    await refused(port);
    await new Promise((resolve) => setTimeout(resolve, 400));
    child.kill(signal);
    expect(await ended).toEqual({ code, signal: null });
  });

  it("goes on when nobody reads its output any more", async () => {
    const { url, child, ended } = await serve(["--log-level", "trace"]);
    child.stdout?.destroy();
    child.stderr?.destroy();
    await call(url, "ping");
    await call(url, "scan_sessions");
    child.kill("SIGTERM");
    expect(await ended).toEqual({ code: 0, signal: null });
  });

  it("logs a defect and ends with 1", async () => {
    const preload = encodeURIComponent('process.on("SIGUSR2", () => { throw new Error("a defect"); })');
    const { output, child, ended } = await serve([], { NODE_OPTIONS: `--import=data:text/javascript,${preload}` });
    child.kill("SIGUSR2");
    expect(await ended).toEqual({ code: 1, signal: null });
    const last = JSON.parse(output.stdout.trimEnd().split("\n").at(-1) ?? "");
    expect(last).toMatchObject({ level: "fatal", err: { message: "a defect" } });
  });

  it("does not start with a malformed configuration", async () => {
    const config = join(folder, ".config");
    await mkdir(config);
    await writeFile(join(config, "session-manager.json"), '{\n  "http_port": 0,\n  "bind_addr": 127.0.0.1\n}\n');
    const { output, ended } = run([], { XDG_CONFIG_HOME: config });
    expect(await ended).toEqual({ code: 1, signal: null });
    expect(output.stderr).toContain(`${join(config, "session-manager.json")}:3:16: expected a value, found "1"`);
    expect(output.stdout).toBe("");
  });

  it("says what to do about a port that is taken", async () => {
    const other = createServer().listen(0, "127.0.0.1");
    await new Promise((resolve) => other.once("listening", resolve));
    const { port } = other.address() as { port: number };
    const { output, ended } = run(["--port", String(port)]);
    expect(await ended).toEqual({ code: 1, signal: null });
    other.close();
    expect(output.stderr).toContain(`Port ${port} on 127.0.0.1 is taken`);
    expect(output.stdout).toBe("");
  });

  it("goes on without a browser to open", async () => {
    const { url, output, child, ended } = await serve(["--open"], { PATH: folder });
    await until(() => (output.stdout.includes("The browser could not be opened.") ? true : undefined));
    await call(url, "ping");
    child.kill("SIGTERM");
    expect(await ended).toEqual({ code: 0, signal: null });
  });

  it("serves well-formed sample sessions and leaves nothing behind", async () => {
    const { url, child, ended } = await serve(["--demo"], { SESSION_MANAGER_AGENT_HOME: join(folder, "mine") });
    const records = await call<SessionRecord[]>(url, "scan_sessions");
    expect(records.length).toBeGreaterThanOrEqual(6);
    for (const { path, malformed_lines, message_count, title, usage } of records) {
      expect({ path, malformed_lines }).toEqual({ path, malformed_lines: 0 });
      expect(message_count).toBeGreaterThan(3);
      expect(title).not.toBe("");
      expect(usage.cost_usd).toBeGreaterThan(0);
      const { content } = await call<{ content: string }>(url, "export_session", { path, format: "markdown" });
      expect(content).toContain("## User");
    }
    expect(records.some(({ branch_count }) => branch_count === 3)).toBe(true);
    const found = await until(async () => {
      const { hits, indexing } = await call<{ hits: unknown[]; indexing: { pending: number } }>(url, "search", {
        query: "出汁",
      });
      return indexing.pending === 0 ? hits : undefined;
    });
    expect(found.length).toBeGreaterThan(0);
    child.kill("SIGTERM");
    expect(await ended).toEqual({ code: 0, signal: null });
    expect(await readdir(folder)).toEqual([]);
  });
});

/** Waits until the service accepts no connections any more. */
async function refused(port: number): Promise<void> {
  for (;;) {
    const open = await new Promise<boolean>((resolve) => {
      const socket = createConnection(port, "127.0.0.1")
        .on("connect", () => resolve(true))
        .on("error", () => resolve(false));
      socket.on("connect", () => socket.destroy());
    });
    if (!open) return;
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
}
