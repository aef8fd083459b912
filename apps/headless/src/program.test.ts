import { resolve } from "node:path";
import type { Flags } from "@sm/server/early";
import { CommanderError } from "commander";
import { afterEach, describe, expect, it, vi } from "vitest";
import { runFake } from "./fake-shell.fixture.ts";
import { createProgram, type ServeOptions } from "./program.ts";
import { SUBCOMMANDS } from "./subcommands.ts";

afterEach(() => {
  vi.unstubAllEnvs();
});

const PAGE = { sessions: [], next_cursor: null, total: 0, pending: 0, total_size_bytes: null };
const HITS = {
  hits: [],
  total: 0,
  total_is_exact: true,
  next_cursor: null,
  took_ms: 1,
  indexing: { done: 0, pending: 0 },
};
const ANSWERS = { list_sessions: PAGE, search: HITS, ping: { pong: true } };

describe("the command line", () => {
  it.each<[string[], Flags, Partial<ServeOptions>]>([
    [[], {}, {}],
    [["serve"], {}, {}],
    [["serve", "--port", "0", "--demo"], { port: "0" }, { isDemo: true }],
    [["--open", "serve", "-p", "8080"], { open: "true", port: "8080" }, {}],
    [["serve", "-q"], { "log-level": "error" }, {}],
    [["-q", "--log-level", "debug"], { "log-level": "debug" }, {}],
    [["--port", "0", "--bind", "::1"], { port: "0", bind: "::1" }, {}],
    [["--open", "--log-level", "debug"], { open: "true", "log-level": "debug" }, {}],
    [
      ["--data-dir", "list", "--config-dir", "token", "--agent-home", "call"],
      { "data-dir": "list", "config-dir": "token", "agent-home": "call" },
      {},
    ],
    [["--demo"], {}, { isDemo: true }],
    [["--join"], {}, { isJoining: true }],
    [["--exit-with-parent", "--port", "0"], { port: "0" }, { endsWithInput: true }],
    [["serve", "--store", "postgres://hub@db/hub"], {}, { store: "postgres://hub@db/hub" }],
  ])("serves with %j", async (argv, flags, options) => {
    const run = await runFake(argv);
    const isQuiet = argv.includes("-q");
    const others = { isDemo: false, isJoining: false, isQuiet, endsWithInput: false, store: null };
    expect(run).toMatchObject({ served: [{ flags, ...others, ...options }], connected: [], error: null });
  });

  it.each<[string[], string, object]>([
    [["list"], "list_sessions", {}],
    [["list", "tide", "clock"], "list_sessions", { query: "tide clock" }],
    [
      ["list", "--limit", "5", "--sort", "cost", "--favorites"],
      "list_sessions",
      { limit: 5, sort: "cost", favorites_only: true },
    ],
    [["list", "--archived"], "list_sessions", { archived: "only" }],
    [["list", "--archived", "include"], "list_sessions", { archived: "include" }],
    [["search", "tide", "--archived"], "search", { query: "tide", archived: "only" }],
    [["list", "--sort", "title"], "list_sessions", { sort: "title", order: "asc" }],
    [
      ["list", "--project", "/code", "--since", "2026-01-01T00:00Z"],
      "list_sessions",
      { project: "/code", since: "2026-01-01T00:00:00.000Z" },
    ],
    [["list", "--project", "."], "list_sessions", { project: resolve(".") }],
    [["search", "tide", "clock"], "search", { query: "tide clock" }],
    [
      ["search", "tide", "-clock", "-9", "--role", "user", "prefix*"],
      "search",
      { query: "tide -clock -9 prefix*", role: "user" },
    ],
    [
      ["search", "--limit", "3", '"event stream" -x', "--sort", "newest"],
      "search",
      { query: '"event stream" -x', limit: 3, sort: "newest" },
    ],
    [["search", "--", "-clock", "tide"], "search", { query: "-clock tide" }],
    [
      ["search", "-n", "5", "-notes", "tide", "-quick", "-version", "-n7"],
      "search",
      { query: "-notes tide -quick -version", limit: 7 },
    ],
    [["search", "--", "-notes", "tide"], "search", { query: "-notes tide" }],
    [["list", "-n5", "search"], "list_sessions", { query: "search", limit: 5 }],
    [["search", "(tide OR ebb)", "--per-session", "10"], "search", { query: "(tide OR ebb)", per_session: 10 }],
    [["call", "ping"], "ping", {}],
    [["call", "ping", '{"a": [1]}'], "ping", { a: [1] }],
    [["call", "ping", "null"], "ping", null as unknown as object],
  ])("sends %j", async (argv, command, payload) => {
    const run = await runFake(["--json", ...argv], { answers: ANSWERS });
    expect(run.error).toBeNull();
    expect(run.sent).toEqual([[command, payload]]);
    expect(run.closed).toBe(1);
  });

  it("reads the payload from standard input", async () => {
    const run = await runFake(["call", "ping", "-"], { answers: ANSWERS, typed: '{"from": "here"}' });
    expect(run.sent).toEqual([["ping", { from: "here" }]]);
  });

  it.each([
    [["list", "--data-dir", "/data", "--json"]],
    [["--data-dir", "/data", "--json", "list"]],
    [["--data-dir=/data", "list", "--json"]],
  ])("takes common options before and after the name: %j", async (argv) => {
    const run = await runFake(argv, { answers: ANSWERS, columns: 80 });
    expect(run.connected).toEqual([{ flags: { "data-dir": "/data" }, server: null, token: null, only: null }]);
    expect(JSON.parse(run.stdout)).toEqual(PAGE);
  });

  it.each([
    [["list", "--server", "http://host:1", "--token", "sm_x"], {}, "http://host:1", "sm_x"],
    [["list"], { SESSION_MANAGER_SERVER: "http://host:2", SESSION_MANAGER_TOKEN: "sm_y" }, "http://host:2", "sm_y"],
    [["list", "--server", "http://host:3"], { SESSION_MANAGER_SERVER: "http://host:2" }, "http://host:3", null],
    [["list"], { SESSION_MANAGER_SERVER: "", SESSION_MANAGER_TOKEN: "" }, null, null],
  ])("%j with %j asks the server that is named", async (argv, env, server, token) => {
    for (const [name, value] of Object.entries(env)) vi.stubEnv(name, value);
    expect((await runFake(argv, { answers: ANSWERS })).connected).toMatchObject([{ server, token }]);
  });

  it.each([
    [["lisst"], "unknown command 'lisst'\n(Commands: serve, list, search,"],
    [["list", "--prot", "1"], "unknown option '--prot'"],
    [["search", "tide", "--rol", "user"], "unknown option '--rol'"],
    [["search"], "missing required argument 'query'"],
    [["show"], "missing required argument 'session'"],
    [["show", "a", "b"], "too many arguments"],
    [["list", "--limit", "many"], "It must be a whole number."],
    [["export", "last", "--format", "pdf"], "Allowed choices are html, markdown, json, jsonl."],
    [["token", "create", "x", "--scope", "all"], "Allowed choices are read, full."],
    [["list", "--sort", "colour"], "Allowed choices are modified, created, size, messages, cost, title."],
    [["list", "-abc"], "unknown option '-abc'"],
    [["--port", "70000"], "option '-p, --port <number>' argument '70000' is invalid. It must be a whole number from"],
    [["serve", "--log-level", "loud"], "option '--log-level <level>' argument 'loud' is invalid. Allowed choices are"],
    [["serve", "now"], "too many arguments for 'serve'"],
    [["serve", "--json"], "--json cannot be used when serving"],
    [["list", "--port", "1"], "--port is only for serving, not for commands"],
    [["--demo", "list"], "--demo is only for serving, not for commands"],
    [["list", "--token", "sm_secret"], "--token needs --server"],
    [["--json"], "--json cannot be used when serving"],
    [["--no-color"], "--color cannot be used when serving"],
    [["--demo", "--data-dir", "/tmp"], "--demo uses its own directories and cannot be combined with --data-dir"],
  ])("refuses %j", async (argv, message) => {
    const run = await runFake(argv, { answers: ANSWERS });
    expect(run.error).toBeInstanceOf(CommanderError);
    expect(run.error).toMatchObject({ exitCode: 1 });
    expect(run.stderr).toContain(message);
    expect(run.stderr).not.toContain("sm_secret");
    expect(run).toMatchObject({ stdout: "", served: [], connected: [] });
  });

  it("refuses an address of a hub's database that is none, and does not show it", async () => {
    const { error, served, stderr } = await runFake(["serve", "--store", "hub:secret"]);
    expect(error).toMatchObject({ exitCode: 2, message: expect.stringContaining("--store needs an address such as") });
    expect({ served, stderr }).toEqual({ served: [], stderr: "" });
  });

  it("refuses a payload that is not JSON", async () => {
    const run = await runFake(["call", "ping", "{"], { answers: ANSWERS });
    expect(run).toMatchObject({ error: { exitCode: 2, message: expect.stringContaining("not JSON") }, sent: [] });
    expect(run.closed).toBe(1);
  });

  it("closes the connection when a command fails", async () => {
    expect(await runFake(["call", "ping"], { answers: {} })).toMatchObject({ error: expect.any(Error), closed: 1 });
  });
});

describe("--help", () => {
  const program = createProgram("1.2.3", {
    serve: () => Promise.reject(),
    write: () => undefined,
    shell: () => {
      throw new Error();
    },
    connect: () => Promise.reject(),
    speakMcp: () => Promise.reject(),
    user: { env: {}, home: "/nobody", program: "" },
    execute: () => Promise.reject(),
  });

  it("is of every command that main.ts knows", () => {
    const names = program.commands.map((command) => command.name()).filter((name) => name !== "serve");
    expect(new Set([...names, "help"])).toEqual(SUBCOMMANDS);
  });

  const shown = program.commands.filter((command) => !command.name().startsWith("__"));
  const names = shown.flatMap((command) =>
    command.commands.length === 0
      ? [[command.name()]]
      : command.commands.map((child) => [command.name(), child.name()]),
  );
  it.each(names)("of %s %s shows an example and the options that it takes", async (...name) => {
    const words = name.filter((word) => word !== undefined);
    const { stdout, error } = await runFake([...words, "--help"]);
    expect(error).toMatchObject({ exitCode: 0 });
    expect(stdout).toMatch(new RegExp(`^Examples?:\n(?:.*\n)*? {2}session-cli ${words.join(" ")}`, "m"));
    const isServing = words[0] === "serve";
    expect(stdout).toContain("  --data-dir");
    for (const flag of ["--server", "--json"]) expect(stdout.includes(`  ${flag}`)).toBe(!isServing);
    for (const flag of ["-p, --port", "--demo"]) expect(stdout.includes(`  ${flag}`)).toBe(isServing);
  });

  it.each([
    [["help"], "Usage: session-cli [options] [command]"],
    [["help", "list"], "Usage: session-cli list "],
  ])("is also printed by %j", async (argv, usage) => {
    const { stdout, error } = await runFake(argv);
    expect(error).toMatchObject({ exitCode: 0 });
    expect(stdout).toContain(usage);
  });

  it("lists the exit codes", async () => {
    const { stdout } = await runFake(["--help"]);
    expect(stdout).toContain(
      "Exit codes: 0 success, 1 failure, 2 invalid option or argument, 3 not found or ambiguous, 4 refused",
    );
  });
});
