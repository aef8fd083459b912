import { spawn } from "node:child_process";
import { once } from "node:events";
import { chmod, lstat, mkdir, mkdtemp, rm, stat, symlink, writeFile } from "node:fs/promises";
import { request } from "node:http";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { readSettings } from "./settings.ts";
import { type RunningServer, startServer } from "./start.ts";

let folder: string;
let path: string;
let running: RunningServer | null;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "session-manager-"));
  path = join(folder, "run", "service.sock");
  running = null;
});

afterEach(async () => {
  await running?.close();
  await rm(folder, { recursive: true });
});

async function start(socket_path: string): Promise<RunningServer> {
  await writeFile(join(folder, "session-manager.json"), JSON.stringify({ http_port: 0, socket_path }));
  const places = { "config-dir": folder, "data-dir": join(folder, "data"), "agent-home": join(folder, "pi") };
  running = await startServer({ version: "1.2.3", settings: readSettings(places, {}), output: { write: () => {} } });
  return running;
}

async function problem(socketPath = path): Promise<string> {
  const outcome = await start(socketPath).catch((error: unknown) => error);
  expect(outcome).toMatchObject({ name: "StartError" });
  return (outcome as Error).message;
}

/** Runs a command over the socket. */
async function call(command: string): Promise<{ success: boolean }> {
  const headers = { Host: "localhost", "Content-Type": "application/json" };
  const outgoing = request({ socketPath: path, path: "/api", method: "POST", headers });
  outgoing.end(JSON.stringify({ command }));
  const [incoming] = await once(outgoing, "response");
  return JSON.parse(await text(incoming));
}

describe.skipIf(process.platform === "win32")("the UNIX socket", () => {
  it("is this account's alone, serves it as a local client, and goes with the service", async () => {
    const server = await start(path);
    expect([(await stat(join(folder, "run"))).mode & 0o777, (await stat(path)).mode & 0o777]).toEqual([0o700, 0o600]);
    expect(await call("list_terminals")).toMatchObject({ success: true });
    expect((await fetch(`${server.url}/health`)).status).toBe(200);
    await server.close();
    await expect(lstat(path)).rejects.toMatchObject({ code: "ENOENT" });
  });

  it("takes the place of one that a killed service has left", async () => {
    await mkdir(join(folder, "run"), { mode: 0o700 });
    const script = `require("node:net").createServer().listen(${JSON.stringify(path)}, () => process.stdout.write("here"))`;
    const killed = spawn(process.execPath, ["-e", script], { stdio: ["ignore", "pipe", "ignore"] });
    await once(killed.stdout, "data");
    killed.kill("SIGKILL");
    await once(killed, "exit");
    expect((await lstat(path)).isSocket()).toBe(true);
    await start(path);
    expect(await call("ping")).toMatchObject({ success: true });
  });

  it("does not take the place of one that answers", async () => {
    await mkdir(join(folder, "run"), { mode: 0o700 });
    const other = createServer().listen(path);
    await once(other, "listening");
    expect(await problem()).toContain("Another program is listening");
    expect((await lstat(path)).isSocket()).toBe(true);
    other.close();
  });

  it.each<[string, () => Promise<unknown>]>([
    ["a file", () => writeFile(path, "mine")],
    ["a link", () => symlink("/nowhere", path)],
  ])("does not take the place of %s", async (_, make) => {
    await mkdir(join(folder, "run"), { mode: 0o700 });
    await make();
    expect(await problem()).toContain("is not a socket");
    await lstat(path);
  });

  it.each([0o755, 0o770, 0o701, 0o1777])("does not lie in a folder that others may enter (mode %i)", async (mode) => {
    await mkdir(join(folder, "run"));
    await chmod(join(folder, "run"), mode);
    expect(await problem()).toContain("Other accounts can access");
    await expect(lstat(path)).rejects.toMatchObject({ code: "ENOENT" });
  });

  it("has a path that the system can hold", async () => {
    expect(await problem(join(folder, "x".repeat(120)))).toContain("too long");
  });
});
