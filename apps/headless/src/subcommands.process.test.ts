import { execFileSync, spawnSync } from "node:child_process";
import { once } from "node:events";
import { appendFile, mkdir, readdir, readFile, rm, stat, writeFile } from "node:fs/promises";
import { networkInterfaces } from "node:os";
import { basename, join } from "node:path";
import { pathToFileURL } from "node:url";
import type { SessionRecord } from "@sm/core";
import { beforeEach, describe, expect, it } from "vitest";
import { call, type Run, testBinary, until } from "./binary.fixture.ts";
import { writeSamples } from "./demo/samples.ts";

const binary = testBinary("subcommands");

/** Paths of the sample sessions, the newest first. */
let samples: string[];

beforeEach(async () => {
  samples = await writeSamples(join(binary.folder, ".pi", "agent", "sessions"), Date.now());
});

interface Outcome {
  stdout: string;
  stderr: string;
  code: number | null;
}

async function cli(args: readonly string[], env?: NodeJS.ProcessEnv, input?: string): Promise<Outcome> {
  const { output, ended } = binary.run(args, env, input);
  const { code } = await ended;
  return { ...output, code };
}

/** Runs a command that has to succeed, and reads its JSON. */
async function json<Data>(...args: string[]): Promise<Data> {
  const { stdout, stderr, code } = await cli([...args, "--json"]);
  expect({ stderr, code }).toEqual({ stderr: "", code: 0 });
  return JSON.parse(stdout) as Data;
}

/** An address by which this machine is reached from others; to it, it is another machine itself. */
const networkAddress = Object.values(networkInterfaces())
  .flatMap((addresses) => addresses ?? [])
  .find(({ family, internal }) => family === "IPv4" && !internal)?.address;

const serverFile = () => join(binary.folder, ".local", "share", "session-manager", "server.json");

async function exists(path: string): Promise<boolean> {
  return (await stat(path).catch(() => null)) !== null;
}

async function kill(service: Run): Promise<void> {
  service.child.kill("SIGKILL");
  await service.ended;
}

describe("without a server", () => {
  it("lists and searches the sessions by itself", async () => {
    const { sessions, pending } = await json<{ sessions: SessionRecord[]; pending: number }>("list");
    expect(sessions.map(({ path }) => path)).toEqual(samples);
    expect(pending).toBe(0);

    const { hits, indexing } = await json<{ hits: object[]; indexing: { pending: number } }>("search", "出汁");
    expect(hits.length).toBeGreaterThan(0);
    expect(indexing.pending).toBe(0);
  });

  it("reads and changes them", async () => {
    const { sessions } = await json<{ sessions: SessionRecord[] }>("list", "--limit", "1");
    const [last] = sessions;
    const id = last?.id.slice(0, 13) ?? "";
    expect((await cli(["show", id])).stdout).toMatch(/^# Session: .+\n(.*\n)+## User\n/);
    expect((await cli(["export", id, "--format", "jsonl"])).stdout).toBe(await readFile(last?.path ?? "", "utf8"));
    expect(await json("export", id, "--format", "json")).toMatchObject({ session_id: last?.id });
    expect(await json("rename", id, "New name")).toMatchObject({ path: last?.path, name: "New name" });
    expect(await json("call", "list_sessions", '{"query": "new name"}')).toMatchObject({ total: 1 });
  });

  it("organises them, and changes the configuration", async () => {
    const models = join(binary.folder, "models.json");
    await writeFile(models, '{"providers": {}} // mine\n');
    expect(await cli(["tag", "create", "work"])).toMatchObject({ code: 0 });
    expect(await cli(["tag", "add", "work", "last"])).toMatchObject({ code: 0 });
    expect(await cli(["favorite", "add", samples[1] ?? ""])).toMatchObject({ code: 0 });
    expect(await json("list", "--tag", "work")).toMatchObject({ total: 1, sessions: [{ path: samples[0] }] });
    expect(await json("favorite", "list")).toEqual([samples[1]]);
    expect(await json("models", "import", models)).toEqual({ backup_name: null });
    const bundle = await json<object>("config", "show");
    expect(bundle).toMatchObject({ tags: [{ name: "work" }], model_config: { providers: {} } });
    const saved = join(binary.folder, "bundle.json");
    await writeFile(saved, JSON.stringify({ ...bundle, tags: [], agent_settings: { theme: "dark" } }));
    await json("config", "import", saved);
    expect(await json("tag", "list")).toEqual([]);
    expect(await readFile(join(binary.folder, ".pi", "agent", "settings.json"), "utf8")).toContain('"theme": "dark"');
    const origins = (await json<{ origin: string }[]>("config", "versions")).map(({ origin }) => origin);
    expect(origins).toEqual(["save_config_bundle", "import_model_config_from_path", "create_tag"]);
    expect(await json("skills")).toEqual([]);
  });

  it("exports many of them", async () => {
    const zip = join(binary.folder, "all.zip");
    expect(await cli(["export", "*", "--output", zip])).toEqual({
      code: 0,
      stdout: "",
      stderr: `Written to ${zip}.\n`,
    });
    const bytes = await readFile(zip, "latin1");
    expect(bytes.slice(0, 4)).toBe("PK\x03\x04");
    // Each name is there twice: before its file and in the directory of the zip.
    expect(bytes.match(/\.html/g)).toHaveLength(2 * (samples.length + 1));

    const folder = join(binary.folder, "folder");
    const note = `Written to ${folder}: ${samples.length} sessions.\n`;
    const args = ["export", "**/*.jsonl", "--output", folder, "--format", "jsonl", "--since", "3650d"];
    expect(await cli(args)).toEqual({ code: 0, stdout: "", stderr: note });
    const names = samples.map((path) => basename(path));
    expect((await readdir(folder)).sort()).toEqual([...names].sort());
    expect(await readFile(join(folder, names[0] ?? ""))).toEqual(await readFile(samples[0] ?? ""));
    expect(await cli(args)).toMatchObject({ code: 4, stderr: expect.stringContaining("--force") });
    await rm(zip);
    await rm(folder, { recursive: true });
  });

  it("tells what a redaction would replace", async () => {
    const previews = await json<object[]>("export", samples[0] ?? "", "--redact", "--preview");
    expect(previews).toEqual([{ path: samples[0], findings: expect.any(Array), total: expect.any(Number) }]);
  });

  it.runIf(process.platform === "linux")("opens an export in the browser", async () => {
    const programs = join(binary.folder, "bin");
    await mkdir(programs);
    // Nobody sees the file before the line is in it.
    const script = '#!/bin/sh\necho "$1" > "$HOME/opening" && mv "$HOME/opening" "$HOME/opened"\n';
    await writeFile(join(programs, "xdg-open"), script, { mode: 0o755 });
    const { code, stderr } = await cli(["export", "last", "--open"], { PATH: `${programs}:${process.env.PATH}` });
    const path = /^Written to (.+\.html)\.\n$/.exec(stderr)?.[1] ?? "";
    expect({
      code,
      opened: await until(() => readFile(join(binary.folder, "opened"), "utf8").catch(() => undefined)),
    }).toEqual({
      code: 0,
      opened: `${pathToFileURL(path).href}\n`,
    });
    expect(await readFile(path, "utf8")).toMatch(/^<!doctype html>/);
  });

  it("deletes what is named, when it is told to", async () => {
    const refused = await cli(["delete", "last"]);
    expect(refused).toMatchObject({ stdout: "", code: 2, stderr: expect.stringContaining("--yes") });
    expect(await exists(samples[0] ?? "")).toBe(true);
    const [first = "", second = ""] = samples;
    expect(await json("delete", "last", second, "--yes")).toMatchObject({
      deleted: [{ path: first }, { path: second }],
    });
    expect(await json("list")).toMatchObject({ total: samples.length - 2 });
  });

  it("manages tokens before there was any server", async () => {
    const { stdout, stderr, code } = await cli(["token", "create", "laptop", "--scope", "read", "--expires", "30d"]);
    expect({ stdout, code }).toEqual({ stdout: expect.stringMatching(/^sm_[\w-]{43}\n$/), code: 0 });
    expect(stderr).toContain("laptop");
    expect(stderr).not.toContain("sm_");
    expect(await json("token", "list")).toMatchObject([{ name: "laptop", scope: "read", hint: stdout.slice(3, 9) }]);
    expect(await json("token", "revoke", "laptop")).toMatchObject({ revoked: true });
    expect(await json("token", "list")).toEqual([]);
  });

  it("says what is wrong with the configuration", async () => {
    const { stdout, stderr, code } = await cli(["list", "--config-dir", join(binary.folder, ".pi")], {});
    expect({ stderr, code }).toEqual({ stderr: "", code: 0 });
    expect(stdout).not.toBe("");
    await appendFile(join(binary.folder, ".pi", "session-manager.json"), '{"http_port": "1"}');
    const broken = await cli(["list", "--config-dir", join(binary.folder, ".pi")]);
    expect(broken).toMatchObject({ stdout: "", code: 1, stderr: expect.stringContaining("session-manager.json:1:15") });
  });
});

describe("with a server", () => {
  it("asks the one that uses the same data directory", async () => {
    // It knows other sessions, so that an answer tells whose it is.
    const service = await binary.serve(["--agent-home", join(binary.folder, "other")]);
    expect(await json("list")).toMatchObject({ total: 0 });
    expect(await json("call", "ping", "{}")).toEqual({ pong: true });
    expect(await json("call", "--list", "ping")).toMatchObject({ name: "ping", access: "read" });
    expect(await json("list", "--data-dir", join(binary.folder, "data"))).toMatchObject({ total: samples.length });

    // What a killed server leaves behind is nothing to go by.
    await kill(service);
    expect(await exists(serverFile())).toBe(true);
    expect(await json("list")).toMatchObject({ total: samples.length });
  });

  it.skipIf(networkAddress === undefined)("sends the token to one that asks its own machine for it", async () => {
    await binary.serve(["--bind", networkAddress ?? ""]);
    const { stdout: token } = await cli(["token", "create", "here"]);
    expect(await cli(["list"])).toMatchObject({ code: 4, stderr: expect.stringContaining("UNAUTHORIZED") });
    expect(await cli(["list"], { SESSION_MANAGER_TOKEN: token.trim() })).toMatchObject({ code: 0, stderr: "" });
  });

  it("does everything through it", async () => {
    const service = await binary.serve();
    const [path = ""] = samples;
    expect(await json("rename", path, "New name")).toMatchObject({ name: "New name" });
    const { sessions } = await call<{ sessions: SessionRecord[] }>(service.url, "list_sessions", { query: "new name" });
    expect(sessions.map((session) => session.path)).toEqual([path]);
    expect((await cli(["show", path, "--limit", "1"])).stdout).toContain("# Session: New name");
    expect((await cli(["export", path, "--format", "jsonl"])).stdout).toBe(await readFile(path, "utf8"));
    const zip = join(binary.folder, "all.zip");
    expect(await cli(["export", "*", "--output", zip, "--format", "json"])).toMatchObject({ code: 0 });
    expect((await readFile(zip, "latin1")).match(/\.json/g)).toHaveLength(2 * samples.length);
    const folder = join(binary.folder, "folder/");
    expect(await cli(["export", path, "--output", folder])).toMatchObject({ code: 0 });
    expect(await readdir(folder)).toEqual(["New-name.html"]);
    expect(await json("delete", path, "--yes")).toMatchObject({ deleted: [{ path }] });
    expect(await json("list", "--server", service.url)).toMatchObject({ total: samples.length - 1 });
  });

  it("makes and revokes tokens that it obeys at once", async () => {
    const { url } = await binary.serve();
    const token = (await cli(["token", "create", "laptop"])).stdout.trim();
    const ask = async (): Promise<number> => {
      const headers = { Authorization: `Bearer ${token}`, "X-Forwarded-For": "203.0.113.7" };
      const body = '{"command": "list_sessions"}';
      const init = { method: "POST", headers: { ...headers, "Content-Type": "application/json" }, body };
      return (await fetch(`${url}/api`, init)).status;
    };
    expect(await ask()).toBe(200);
    await json("token", "revoke", "laptop");
    expect(await ask()).toBe(401);
  });
});

describe("exit codes", () => {
  it.each([
    [["list", "--sort", "colour"], 2, /^error: option '--sort <order>' argument 'colour' is invalid\. Allowed choices/],
    [["list", "--limit", "0"], 2, /^error: option '-n, --limit <number>' argument '0' is invalid\. .+\n$/],
    [
      ["search", "x", "--per-session", "0"],
      2,
      /^error: option '--per-session <number>' argument '0' is invalid\. .+\n$/,
    ],
    [["--port", "many"], 2, /^error: option '-p, --port <number>' argument 'many' is invalid\./],
    [["call", "pingg"], 2, /^UNKNOWN_COMMAND: .*"ping"/],
    [["show"], 2, /^error: missing required argument/],
    [["show", "ffffffff"], 3, /^No session has the title "ffffffff" or an id that starts with it/],
    [["show", "0"], 3, /^"0" is ambiguous/],
    [["show", "/etc/hosts"], 4, /^FORBIDDEN: /],
    [["list", "--server", "http://127.0.0.1:9"], 5, /^NO_ANSWER: /],
    [["list", "--server", "localhost:1"], 2, /not a server address/],
  ])("%j ends with %i", async (args, code, message) => {
    const outcome = await cli(args);
    expect(outcome).toMatchObject({ stdout: "", code, stderr: expect.stringMatching(message) });
  });

  it("reads a payload from standard input", async () => {
    expect(await cli(["call", "ping", "-"], {}, "{}")).toMatchObject({ code: 0, stderr: "" });
    expect(await cli(["call", "ping", "-"], {}, '{"a": 1}')).toMatchObject({
      code: 2,
      stderr: expect.stringMatching(/^INVALID_PAYLOAD: a: Unknown field\.\n$/),
    });
  });
});

describe("a reader that leaves", () => {
  it("ends an export without a word", async () => {
    const [path = ""] = samples;
    const line = `${JSON.stringify({ type: "custom", id: "x", parentId: null, data: "x".repeat(100_000) })}\n`;
    await appendFile(path, line.repeat(50));
    const { child, output, ended } = binary.run(["export", path, "--format", "jsonl"]);
    if (child.stdout !== null) await once(child.stdout, "data");
    child.stdout?.destroy();
    expect(await ended).toEqual({ code: 0, signal: null });
    expect(output.stderr).toBe("");
  });
});

describe.runIf(process.platform === "linux")("a disk that is full", () => {
  it.each([[["list"]], [["export", "last"]]])("fails %j", (args) => {
    const { status, stderr } = spawnSync(
      "sh",
      ["-c", 'exec "$@" > /dev/full', "sh", process.execPath, binary.path, ...args],
      {
        encoding: "utf8",
        env: { PATH: process.env.PATH, HOME: binary.folder, TMPDIR: binary.folder },
      },
    );
    expect({ status, stderr }).toEqual({ status: 1, stderr: expect.stringContaining("ENOSPC") });
  });
});

// Part of every Debian; other systems have another program of this name.
const hasTerminal = process.platform === "linux" && spawnSync("script", ["--version"]).status === 0;

/** Runs a command line on a terminal of 80 columns, where somebody types. */
function onTerminal(args: readonly string[], typed = "", env: NodeJS.ProcessEnv = {}): string {
  const command = [process.execPath, binary.path, ...args].map((word) => `'${word}'`).join(" ");
  return execFileSync("script", ["--quiet", "--return", "--command", `stty cols 80; ${command}`, "/dev/null"], {
    input: typed,
    encoding: "utf8",
    env: { PATH: process.env.PATH, HOME: binary.folder, TMPDIR: binary.folder, TERM: "xterm", ...env },
  }).replaceAll("\r\n", "\n");
}

/** What a terminal shows in the end: without the line that says how far the index is. */
function withoutProgress(output: string): string {
  return output.replace(/\r\p{Cc}\[2K(Indexing[^\r\p{Cc}]*)?/gu, "");
}

describe.runIf(hasTerminal)("on a terminal", () => {
  it("draws tables with colours, as wide as it is", () => {
    const lines = withoutProgress(onTerminal(["list"]))
      .trimEnd()
      .split("\n");
    expect(lines.length).toBe(samples.length + 2);
    expect(lines[0]).toMatch(/^\p{Cc}\[1mID /u);
    expect(lines.at(-1)).toContain(`${samples.length} sessions`);
    expect(withoutProgress(onTerminal(["list"], "", { NO_COLOR: "1" }))).not.toMatch(/\p{Cc}\[/u);
    expect(JSON.parse(withoutProgress(onTerminal(["list", "--json"])))).toMatchObject({ total: samples.length });
  });

  it("takes the progress of the index away", () => {
    const output = onTerminal(["search", "出汁"]);
    expect(withoutProgress(output)).toContain("出汁");
    expect(withoutProgress(output)).not.toContain("Indexing");
  });

  it("asks before it deletes", async () => {
    expect(() => onTerminal(["delete", "last"], "n\n")).toThrow();
    expect(await exists(samples[0] ?? "")).toBe(true);
    expect(onTerminal(["delete", "last"], "y\n")).toContain("Move this session to the trash? [y/N]");
    expect(await exists(samples[0] ?? "")).toBe(false);
  });

  it("shows control characters, and obeys none", async () => {
    const [path = ""] = samples;
    await cli(["rename", path, "\x1b]0;owned\x07\x1b[2J"]);
    for (const args of [["list"], ["show", path], ["search", "owned"], ["export", path], ["call", "scan_sessions"]]) {
      const written = withoutProgress(onTerminal(args, "", { NO_COLOR: "1" }));
      expect(written).toContain("owned");
      expect(written.replaceAll(/[\n\t]/g, "")).not.toMatch(/\p{Cc}/u);
    }
  });
});

if (!hasTerminal) console.info("There is no terminal to test on: the program script of util-linux is missing.");

it("leaves nothing behind but its data", async () => {
  await cli(["search", "tide"]);
  expect((await readdir(binary.folder)).sort()).toEqual([".local", ".pi"]);
});
