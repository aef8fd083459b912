import { mkdir, mkdtemp, readdir, rm, writeFile } from "node:fs/promises";
import { createServer, type Server } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { readSettings } from "./settings.ts";
import { type RunningServer, startServer } from "./start.ts";

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

async function start(config: object = {}): Promise<RunningServer> {
  await writeFile(join(folder, "session-manager.json"), JSON.stringify({ http_port: 0, ...config }));
  const settings = readSettings(
    { "config-dir": folder, "data-dir": join(folder, "data"), "agent-home": join(folder, "pi") },
    {},
  );
  running = await startServer({ version: "1.2.3", settings, output: { write: (line) => lines.push(line) } });
  return running;
}

async function startProblem(config: object): Promise<string> {
  const outcome = await start(config).catch((error: unknown) => error);
  expect(outcome).toMatchObject({ name: "StartError" });
  return (outcome as Error).message;
}

async function call(url: string, command: string): Promise<unknown> {
  const response = await fetch(`${url}/api`, {
    method: "POST",
    headers: { "Content-Type": "application/json" },
    body: JSON.stringify({ command }),
  });
  return response.json();
}

function logged(): { level: string; msg: string; time: string }[] {
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
    const header = { type: "session", version: 3, timestamp: "2025-03-01T08:00:00.000Z", cwd: "/work" };
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

  it("warns of fields that it does not know", async () => {
    await start({ http_prot: 80 });
    expect(logged()).toContainEqual(expect.objectContaining({ level: "warn", fields: ["http_prot"] }));
  });

  it("refuses to start where nothing would be served", async () => {
    expect(await startProblem({ http_enabled: false })).toBe(
      `Nothing would be served, because http_enabled is false in ${join(folder, "session-manager.json")}: set it to true.`,
    );
  });

  it("says what to do about a port that is taken, and leaves nothing open", async () => {
    const other = await listen();
    const { port } = other.address() as { port: number };
    const message = await startProblem({ http_port: port });
    expect(message).toContain(`Port ${port} on 127.0.0.1 is taken`);
    expect(message).toContain("choose another port with --port, or with http_port in");
    await new Promise((resolve) => other.close(resolve));
    await start({ http_port: port });
  });

  it("says what to do about an address of another machine", async () => {
    expect(await startProblem({ bind_addr: "192.0.2.1" })).toContain(
      "192.0.2.1 is no address of this machine: change --bind, or bind_addr in",
    );
  });

  it("says what is wrong with a data directory that cannot be used", async () => {
    await writeFile(join(folder, "data"), "a file");
    expect(await startProblem({})).toContain(join(folder, "data"));
  });
});

function listen(): Promise<Server> {
  return new Promise((resolve) => {
    const server = createServer().listen(0, "127.0.0.1", () => resolve(server));
  });
}
