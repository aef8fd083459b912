import { execFileSync } from "node:child_process";
import { mkdir, readdir, readFile, writeFile } from "node:fs/promises";
import { createConnection, createServer } from "node:net";
import { join } from "node:path";
import type { SessionRecord } from "@sm/core";
import { describe, expect, it } from "vitest";
import { call, testBinary, until } from "./binary.fixture.ts";

const binary = testBinary("main");
const { run, serve } = binary;

describe("session-cli", () => {
  it("prints its version", async () => {
    const { output, ended } = run(["--version"]);
    expect(await ended).toEqual({ code: 0, signal: null });
    const { version } = JSON.parse(await readFile(new URL("../package.json", import.meta.url), "utf8"));
    expect(output).toEqual({ stdout: `${version}\n`, stderr: "" });
  });

  it("serves by name as well", async () => {
    const { url } = await serve(["serve"]);
    expect(await call(url, "ping")).toEqual({ pong: true });
  });

  it.each(["0.0.0.0", "::"])("tells how others reach it when it listens on %s", async (address) => {
    const { output, port } = await serve(["--bind", address]);
    const lines = await until(() => (output.stderr.endsWith("\n") ? output.stderr.trimEnd().split("\n") : undefined));
    expect(lines[0]).toContain("Other machines can reach it");
    const urls = lines.slice(1).map((line) => line.trim());
    expect(urls.length).toBeGreaterThan(0);
    for (const url of urls) expect(new URL(url).port).toBe(String(port));
    expect(urls.join()).not.toMatch(/127\.0\.0\.1|localhost|0\.0\.0\.0|\[::1?\]/);
    expect(output.stdout).toMatch(/^Session Manager is listening on http:\/\/(127\.0\.0\.1|\[::1\]):/);
  });

  it("explains every flag", async () => {
    const { output, ended } = run(["--help"]);
    expect(await ended).toEqual({ code: 0, signal: null });
    const flags =
      "port bind config-dir data-dir agent-home open log-level demo join exit-with-parent store help version".split(
        " ",
      );
    for (const flag of flags) expect(output.stdout).toMatch(new RegExp(`^  (-\\w, )?--${flag}\\b`, "m"));
  });

  it("does not mind a reader of its help who goes away", async () => {
    const { output, ended, child } = run(["--help"]);
    child.stdout?.destroy();
    expect(await ended).toEqual({ code: 0, signal: null });
    expect(output.stderr).toBe("");
  });

  it.each([
    [["--prot", "1"], "unknown option '--prot'", 2],
    [["serv"], "unknown command 'serv'", 2],
    [["serve", "now"], "too many arguments for 'serve'", 2],
    [["--port", "many"], "option '-p, --port <number>' argument 'many' is invalid.", 2],
    [["--demo", "--data-dir", "/tmp"], "--demo uses its own directories and cannot be combined with --data-dir", 2],
  ])("refuses %j", async (args, message, code) => {
    const { output, ended } = run(args);
    expect(await ended).toEqual({ code, signal: null });
    expect(output.stderr).toContain(message);
    expect(output.stdout).toBe("");
  });

  it.runIf(process.platform === "linux")(
    "moves a deleted session to the trash, which a bundled library could not",
    async () => {
      const { url } = await serve(["--agent-home", join(binary.folder, "pi")]);
      const path = join(binary.folder, "pi", "agent", "sessions", "a.jsonl");
      await mkdir(join(binary.folder, "pi", "agent", "sessions"), { recursive: true });
      await writeFile(
        path,
        `${JSON.stringify({ type: "session", version: 3, id: "a", timestamp: "2026-01-01T00:00:00.000Z" })}\n`,
      );
      await call(url, "scan_sessions");
      expect(await call(url, "delete_session", { path })).toEqual({
        path,
        method: "trash",
        companions: 0,
        left_behind: [],
      });
      expect(await readdir(join(binary.folder, ".local", "share", "Trash", "files"))).toHaveLength(1);
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
      SESSION_MANAGER_DATA_DIR: join(binary.folder, "data"),
      SESSION_MANAGER_CONFIG_DIR: join(binary.folder, "config"),
      SESSION_MANAGER_AGENT_HOME: join(binary.folder, "pi"),
    };
    const { output, child, ended } = await serve([], env);
    child.kill("SIGTERM");
    await ended;
    expect(output.stdout.split("\n")).toHaveLength(2);
    expect(await readdir(join(binary.folder, "data"))).toContain("state.db");
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

  /**
   * Has a thread that waits for the other end of a pipe. It cannot be ended, so that whoever ends threads waits for ever.
   */
  function withHangingThread(): NodeJS.ProcessEnv {
    const pipe = join(binary.folder, "pipe");
    execFileSync("mkfifo", [pipe]);
    const preload = encodeURIComponent(`
      import { isMainThread, Worker } from "node:worker_threads";
      if (isMainThread) {
        new Worker('require("node:fs").openSync(${JSON.stringify(pipe)})', { eval: true, execArgv: [], env: {} });
        Worker.prototype.terminate = () => new Promise(() => {});
      }`);
    return { NODE_OPTIONS: `--import=data:text/javascript,${preload}` };
  }

  it.each(["SIGINT", "SIGTERM"] as const)(
    "ends at once after a second %s, even where a thread hangs",
    async (signal) => {
      const { port, child, output, ended } = await serve([], withHangingThread());
      const socket = createConnection(port, "127.0.0.1").on("error", () => {});
      socket.write(
        "POST /api HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Type: application/json\r\nContent-Length: 9\r\n\r\n{",
      );
      await call(`http://127.0.0.1:${port}`, "ping");
      child.kill(signal);
      await refused(port);
      await new Promise((resolve) => setTimeout(resolve, 400));
      child.kill(signal);
      // For a shell that is 130 or 143.
      expect(await ended).toEqual({ code: null, signal });
      expect(output.stderr).not.toContain("did not stop within 10 s");
    },
  );

  it("ends after ten seconds where a thread hangs", async () => {
    const { child, output, ended } = await serve([], withHangingThread());
    child.kill("SIGTERM");
    expect(await ended).toEqual({ code: null, signal: "SIGTERM" });
    expect(output.stderr).toContain("did not stop within 10 s");
  }, 60_000);

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

  it("ends after a defect although a thread hangs in a call of the system", async () => {
    const pipe = join(binary.folder, "pipe");
    execFileSync("mkfifo", [pipe]);
    const script = `new Worker("require('node:fs').openSync(${JSON.stringify(pipe).replaceAll('"', "'")})", { eval: true });`;
    const preload = encodeURIComponent(
      `import { Worker } from "node:worker_threads";
       process.on("SIGUSR2", () => { ${script} setTimeout(() => { throw new Error("a defect"); }, 200); });`,
    );
    const { child, ended } = await serve([], { NODE_OPTIONS: `--import=data:text/javascript,${preload}` });
    child.kill("SIGUSR2");
    expect(await ended).toEqual({ code: null, signal: "SIGKILL" });
  });

  it("does not start with a malformed configuration", async () => {
    const config = join(binary.folder, ".config");
    await mkdir(config);
    await writeFile(join(config, "session-manager.json"), '{\n  "http_port": 0,\n  "bind_addr": 127.0.0.1\n}\n');
    const { output, ended } = run([], { XDG_CONFIG_HOME: config });
    expect(await ended).toEqual({ code: 1, signal: null });
    expect(output.stderr).toContain(`${join(config, "session-manager.json")}:3:21: an unknown word`);
    expect(output.stdout).toBe("");
  });

  it("says what to do about a port that is taken", async () => {
    const other = createServer().listen(0, "127.0.0.1");
    await new Promise((resolve) => other.once("listening", resolve));
    const { port } = other.address() as { port: number };
    const { output, ended } = run(["--port", String(port)]);
    expect(await ended).toEqual({ code: 1, signal: null });
    other.close();
    expect(output.stderr).toContain(`Port ${port} on 127.0.0.1 is in use`);
    // The library is opened first, and may have looked through all of no sessions by then.
    const logged = output.stdout.split("\n").flatMap((line) => (line === "" ? [] : JSON.parse(line).msg));
    expect(logged.filter((message) => message !== "All sessions are indexed.")).toEqual([]);
  });

  it("goes on without a browser to open", async () => {
    const { url, output, child, ended } = await serve(["--open"], { PATH: binary.folder });
    await until(() => (output.stdout.includes("Could not open the browser.") ? true : undefined));
    await call(url, "ping");
    child.kill("SIGTERM");
    expect(await ended).toEqual({ code: 0, signal: null });
  });

  it("serves well-formed sample sessions and leaves nothing behind", async () => {
    const { url, child, ended } = await serve(["--demo"], { SESSION_MANAGER_AGENT_HOME: join(binary.folder, "mine") });
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
    expect(await readdir(binary.folder)).toEqual([]);
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
