import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { cpSync, existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import type { SearchPage, SessionPage } from "@sm/core";
import type { CommandResponse } from "@sm/router";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { PATIENT } from "../patient.ts";
import { SampleHome } from "../sample-home.ts";
import { TerminalView } from "../terminal-view.ts";
import { IS_REAL, installCommand, MAX_INSTALLATION_MS, packAll, run } from "./published.ts";

const folder = mkdtempSync(join(tmpdir(), "session-manager-install-"));
const app = join(folder, "app");
const home = join(folder, "home");
/** Where the agent and the service keep things is the home's own. */
const env = { PATH: process.env.PATH, HOME: home, TMPDIR: folder };
const started: ChildProcess[] = [];
let service: { url: string; child: ChildProcess };

beforeAll(async () => {
  const packed = packAll(join(folder, "packed")).find(({ manifest }) => manifest.name === "session-cli");
  if (packed === undefined) throw new Error("session-cli was not packed.");
  await installCommand(packed, app);
  mkdirSync(join(home, ".pi"), { recursive: true });
  await SampleHome.write(join(home, ".pi"));
  service = await serve(app, "npx", ["--no-install", "session-cli"]);
}, MAX_INSTALLATION_MS);

afterAll(async () => {
  await Promise.all(started.map(end));
  rmSync(folder, { recursive: true, maxRetries: 3 });
});

/** Starts the service, in a process group of its own: npx starts a shell, and that the program. */
async function serve(cwd: string, program: string, args: readonly string[]) {
  const command = [...args, "--port", "0"];
  const child = spawn(program, command, { cwd, env, detached: true, stdio: ["ignore", "pipe", "inherit"] });
  started.push(child);
  const lines = createInterface({ input: child.stdout });
  const [first] = await Promise.race([once(lines, "line"), once(lines, "close")]);
  const url = /^Session Manager is listening on (http:\S+)$/.exec(String(first))?.[1];
  if (url === undefined) throw new Error(`${program} ${command.join(" ")} did not serve: ${first}`);
  return { url, child };
}

async function end(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const ended = once(child, "exit");
  if (child.pid !== undefined) process.kill(-child.pid, "SIGTERM");
  await ended;
}

/** Finds the packages below a package, with their versions. */
function packagesIn(folder: string, path: string): string[] {
  const modules = join(folder, path, "node_modules");
  if (!existsSync(modules)) return [];
  return readdirSync(modules)
    .filter((name) => !name.startsWith("."))
    .flatMap((name) =>
      name.startsWith("@") ? readdirSync(join(modules, name)).map((part) => `${name}/${part}`) : name,
    )
    .flatMap((name) => {
      const found = `${path === "" ? "" : `${path}/`}node_modules/${name}`;
      const { version } = JSON.parse(readFileSync(join(folder, found, "package.json"), "utf8"));
      return [`${found} ${version}`, ...packagesIn(folder, found)];
    });
}

async function ask<Data>(command: string, payload: object): Promise<Data> {
  const response = await post(service.url, command, payload);
  if (!response.success) throw new Error(`${command} failed: ${JSON.stringify(response.error)}`);
  return response.data as Data;
}

async function post(url: string, command: string, payload: object): Promise<CommandResponse> {
  const body = JSON.stringify({ command, payload });
  const headers = { "Content-Type": "application/json" };
  return (await fetch(`${url}/api`, { method: "POST", headers, body })).json() as Promise<CommandResponse>;
}

describe("session-cli, installed", () => {
  it("has the versions of its shrinkwrap, and no other package", () => {
    const own = join(app, "node_modules", "session-cli");
    const { packages } = JSON.parse(readFileSync(join(own, "npm-shrinkwrap.json"), "utf8"));
    const { "": _, ...locked } = packages as Record<string, { version: string }>;
    const wanted = Object.entries(locked).map(([path, { version }]) => `${path} ${version}`);
    const found = packagesIn(own, "");
    expect(wanted).toEqual(expect.arrayContaining(found));
    // What serves compiling alone is not copied where npm does not install.
    expect(found.length).toBeGreaterThan(IS_REAL ? wanted.length - 1 : 10);
    expect(readdirSync(join(app, "node_modules")).filter((name) => !name.startsWith("."))).toEqual(["session-cli"]);
  });

  it("serves the page", async () => {
    const page = await fetch(service.url);
    expect(page.headers.get("content-type")).toContain("text/html");
    const script = /src="(\/assets\/[^"]+\.js)"/.exec(await page.text())?.[1];
    expect((await fetch(`${service.url}${script}`)).status).toBe(200);
  });

  it("lists and searches", async () => {
    await ask("scan_sessions", {});
    const { total } = await ask<SessionPage>("list_sessions", {});
    expect(total).toBeGreaterThan(3);
    await expect
      .poll(async () => (await ask<SearchPage>("search", { query: "umlauts" })).total, PATIENT)
      .toBeGreaterThan(0);
  });

  it("answers on the command line", async () => {
    const listed = await run(app, env, "npx", ["--no-install", "session-cli", "list", "--limit", "1", "--json"]);
    expect(listed).toMatchObject({ code: 0, stderr: "" });
    expect(JSON.parse(listed.stdout).sessions).toHaveLength(1);
  });

  it("opens a terminal", async () => {
    await using terminal = await TerminalView.create(service.url, home);
    await terminal.type("echo $((6 * 7))");
    await terminal.shows("42\r\n");
  });
});

describe("session-cli without its native parts", () => {
  const main = join("node_modules", "session-cli", "dist", "main.js");

  /** A copy that may be broken. */
  function copy(name: string): { app: string; modules: string } {
    const copied = join(folder, name);
    cpSync(app, copied, { recursive: true, verbatimSymlinks: true });
    return { app: copied, modules: join(copied, "node_modules", "session-cli", "node_modules") };
  }

  it.each([
    ["is not installed", (modules: string) => replace(join(modules, "node-pty")), /npm install node-pty/],
    ["does not load", (modules: string) => rmSync(join(modules, "node-pty/build"), { recursive: true }), /npm rebuild/],
  ])("does all but terminals where node-pty %s", async (name, breakIt, advice) => {
    const broken = copy(name);
    breakIt(broken.modules);
    const { url, child } = await serve(broken.app, process.execPath, [
      main,
      "--data-dir",
      join(folder, `${name} data`),
    ]);
    const { error } = await post(url, "create_terminal", { cwd: home });
    expect(error).toMatchObject({ code: "UNAVAILABLE", message: expect.stringMatching(advice) });
    expect(await post(url, "list_sessions", {})).toMatchObject({ success: true });
    await end(child);
  });

  it.each([
    ["not installed", (modules: string) => replace(join(modules, "better-sqlite3")), /npm install session-cli/],
    [
      "not compiled",
      (modules: string) => rmSync(join(modules, "better-sqlite3/build"), { recursive: true }),
      /because its installation did not compile it.*npm rebuild better-sqlite3/,
    ],
    [
      "another machine's",
      (modules: string) =>
        writeFileSync(join(modules, "better-sqlite3/build/Release/better_sqlite3.node"), "not of this machine"),
      /npm rebuild better-sqlite3/,
    ],
  ])("says in one line what to do where SQLite is %s", async (name, breakIt, advice) => {
    const broken = copy(name);
    breakIt(broken.modules);
    // One serves, the other opens the sessions by itself.
    for (const args of [["--port", "0"], ["list"]]) {
      const data = join(folder, `${name} data`);
      const { code, stdout, stderr } = await run(broken.app, env, process.execPath, [
        main,
        ...args,
        "--data-dir",
        data,
      ]);
      expect({ code, stdout }).toEqual({ code: 1, stdout: "" });
      expect(stderr).toMatch(/^[^\n]+\n$/);
      expect(stderr).toMatch(advice);
    }
  });

  /** Where a folder has a package's name, Node looks no further up. */
  function replace(directory: string): void {
    rmSync(directory, { recursive: true });
    mkdirSync(directory);
  }
});
