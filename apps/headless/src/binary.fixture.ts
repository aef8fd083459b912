import { type ChildProcess, execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, afterEach, beforeAll, beforeEach, expect } from "vitest";

/** Nothing that is waited for takes more than a second or two, unless the machine is busy. */
const MAX_WAIT_MS = 40_000;
const ROOM = fileURLToPath(new URL("..", import.meta.url));

export interface Run {
  child: ChildProcess;
  output: { stdout: string; stderr: string };
  ended: Promise<{ code: number | null; signal: string | null }>;
}

export interface Service extends Run {
  url: string;
  port: number;
}

export interface Binary {
  /** Of the built binary. */
  path: string;
  /** A folder of the test's own: the home of what it runs. */
  readonly folder: string;
  run(args: readonly string[], env?: NodeJS.ProcessEnv, input?: string): Run;
  /** Starts the service and waits for its URL. */
  serve(args?: readonly string[], env?: NodeJS.ProcessEnv): Promise<Service>;
}

/**
 * The binary for the tests of one file, which end after each test what they have started. It is built for them, unless
 * whoever has just built everything says with `SESSION_MANAGER_BUILT_BINARY` where it is.
 */
export function testBinary(name: string): Binary {
  const { SESSION_MANAGER_BUILT_BINARY: built } = process.env;
  // Inside the package, so that the binary finds its dependencies; not dist, which somebody may be running.
  const build = join(ROOM, "node_modules", `.test-build-${name}`);
  const path = built ?? join(build, "main.js");
  let folder = "";
  let started: ChildProcess[] = [];

  beforeAll(() => {
    if (built === undefined) execFileSync(process.execPath, [join(ROOM, "build.mjs"), build]);
  });

  afterAll(() => rm(build, { recursive: true, force: true }));

  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), "session-cli-"));
    started = [];
  });

  afterEach(async () => {
    const running = started.filter(({ exitCode, signalCode }) => exitCode === null && signalCode === null);
    const gone = running.map((child) => once(child, "exit"));
    for (const child of running) child.kill("SIGKILL");
    await Promise.all(gone);
    await rm(folder, { recursive: true, maxRetries: 3 });
  });

  function run(args: readonly string[], env: NodeJS.ProcessEnv = {}, input?: string): Run {
    const child = spawn(process.execPath, [path, ...args], {
      stdio: [input === undefined ? "ignore" : "pipe", "pipe", "pipe"],
      // A temporary folder of its own shows what is left behind, apart from the compiled code that Node keeps.
      env: { PATH: process.env.PATH, HOME: folder, TMPDIR: folder, NODE_DISABLE_COMPILE_CACHE: "1", ...env },
    });
    started.push(child);
    child.stdin?.end(input);
    const output = { stdout: "", stderr: "" };
    child.stdout?.setEncoding("utf8").on("data", (text) => (output.stdout += text));
    child.stderr?.setEncoding("utf8").on("data", (text) => (output.stderr += text));
    const ended = new Promise<{ code: number | null; signal: string | null }>((resolve) => {
      child.on("close", (code, signal) => resolve({ code, signal }));
    });
    return { child, output, ended };
  }

  return {
    path,
    get folder() {
      return folder;
    },
    run,
    async serve(args = [], env = {}) {
      const service = run(["--port", "0", ...args], env);
      const url = await until(() => /^Session Manager is listening on (http:\S+)\n/.exec(service.output.stdout)?.[1]);
      return { ...service, url, port: Number(new URL(url).port) };
    },
  };
}

export async function until<T>(read: () => T | undefined | Promise<T | undefined>): Promise<T> {
  const end = performance.now() + MAX_WAIT_MS;
  while (performance.now() < end) {
    const value = await read();
    if (value !== undefined) return value;
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
  throw new Error("What was waited for did not come.");
}

export async function call<Data>(url: string, command: string, payload: object = {}): Promise<Data> {
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
