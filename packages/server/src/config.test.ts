import { execFileSync } from "node:child_process";
import { mkdir, mkdtemp, readFile, rm, truncate, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { DEFAULT_VAULT_SETTINGS } from "@sm/core";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { type Config, loadConfig, MAX_BYTES } from "./config.ts";
import { USUAL_AGENTS } from "./no-other-agents.fixture.ts";
import { type Flags, readSettings } from "./settings.ts";
import { vaultSettings } from "./vault-settings.ts";

const HOME = resolve("/home/ada");

const DEFAULTS: Config = {
  http_enabled: true,
  http_port: 52131,
  bind_addr: "127.0.0.1",
  auth_enabled: true,
  local_users: "own",
  local_token: false,
  socket_path: null,
  session_paths: [],
  agent_home: null,
  agents: USUAL_AGENTS,
  prices: {},
  agents_enabled: true,
  agent_command: null,
  terminals_enabled: true,
  terminal_idle_minutes: 30,
  allowed_hosts: [],
  allowed_origins: [],
  trusted_proxies: ["127.0.0.1", "::1"],
  log_level: "info",
  vault: {
    enabled: true,
    exclude_formats: [],
    exclude_projects: [],
    max_bytes: null,
    deleted_days: 30,
    replaced_days: 30,
  },
  mcp: { enabled: true, redact: true },
  hub: null,
  chunk_store: null,
  oidc: null,
  sharing: { enabled: false },
  limits: {
    body_bytes: 8_388_608,
    message_bytes: 8_388_608,
    connections: 1024,
    address_connections: 128,
    connection_commands: 256,
    answer_bytes: 134_217_728,
    waiting_commands: 256,
    command_seconds: 120,
    output_stall_seconds: 10,
    wrong_tokens_per_minute: 10,
  },
};

let directory: string;
let path: string;

beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), "session-manager-config-"));
  path = join(directory, "session-manager.json");
});

afterEach(() => rm(directory, { recursive: true }));

async function load(text: string | null, flags: Flags = {}, env: NodeJS.ProcessEnv = {}) {
  if (text !== null) await writeFile(path, text);
  return loadConfig(directory, readSettings(flags, env), HOME);
}

async function problem(text: string | null, flags: Flags = {}, env: NodeJS.ProcessEnv = {}): Promise<string> {
  const outcome = await load(text, flags, env).catch((error: unknown) => error);
  expect(outcome).toMatchObject({ name: "StartError" });
  return (outcome as Error).message;
}

describe("loadConfig", () => {
  it("uses the defaults without a file", async () => {
    expect(await load(null)).toEqual({ config: DEFAULTS, path, unknownFields: [], isPortChosen: false, overrides: [] });
  });

  it("tells which fields a flag or a variable overrides, and which", async () => {
    const { overrides } = await load('{"http_port": 4000}', { port: "18101" }, { SESSION_MANAGER_LOG_LEVEL: "warn" });
    expect(overrides).toEqual([
      { field: "http_port", value: 18101, source: "--port" },
      { field: "log_level", value: "warn", source: "SESSION_MANAGER_LOG_LEVEL" },
    ]);
  });

  it("has the defaults that its documentation names", async () => {
    const documentation = await readFile(new URL("../../../docs/configuration.md", import.meta.url), "utf8");
    const [, block = ""] = /```json\n([^`]*"http_enabled"[^`]*)```/.exec(documentation) ?? [];
    expect(JSON.parse(block)).toEqual(DEFAULTS);
  });

  it("uses the defaults without a configuration directory", async () => {
    expect((await loadConfig(join(directory, "none"), {}, HOME)).config).toEqual(DEFAULTS);
  });

  it.each<[Partial<Config>]>([
    [{ http_enabled: false }],
    [{ http_port: 0 }],
    [{ http_port: 65_535 }],
    [{ bind_addr: "0.0.0.0" }],
    [{ auth_enabled: false }],
    [{ local_users: "all" }],
    [{ local_token: true }],
    [{ socket_path: resolve("/run/user/1000/session-manager.sock") }],
    [{ session_paths: [resolve("/srv/sessions")] }],
    [{ agent_home: resolve("/srv/pi") }],
    [{ agent_home: null }],
    [{ agents: { ...USUAL_AGENTS, codex: { enabled: false, homes: [resolve("/srv/codex")] } } }],
    [{ prices: { "my-model": { input: 1, output: 2.5, cache_read: 0 } } }],
    [{ agents_enabled: false }],
    [{ agent_command: "pi-next" }],
    [{ agent_command: resolve("/opt/pi/bin/pi") }],
    [{ terminals_enabled: false }],
    [{ terminal_idle_minutes: 10_080 }],
    [{ allowed_hosts: ["sessions.example.org"] }],
    [{ allowed_origins: ["https://sessions.example.org"] }],
    [{ trusted_proxies: ["10.0.0.1", "fd00::1"] }],
    [{ log_level: "debug" }],
    [
      {
        vault: {
          enabled: false,
          exclude_formats: ["codex"],
          exclude_projects: [resolve("/srv/secret")],
          max_bytes: 1_000_000,
          deleted_days: 0,
          replaced_days: 36_500,
        },
      },
    ],
    [{ mcp: { enabled: false, redact: false } }],
    [{ sharing: { enabled: true } }],
    [
      {
        limits: {
          body_bytes: 1,
          message_bytes: 2,
          connections: 3,
          address_connections: 8,
          connection_commands: 4,
          answer_bytes: 8,
          waiting_commands: 7,
          command_seconds: 5,
          output_stall_seconds: 6,
          wrong_tokens_per_minute: 7,
        },
      },
    ],
  ])("takes %j from the file and leaves the other defaults", async (fields) => {
    expect((await load(JSON.stringify(fields))).config).toEqual({ ...DEFAULTS, ...fields });
  });

  it("fills in what the file does not say of agents, and names those that it does not know", async () => {
    const agents = { codex: { homes: ["~/other"] }, gemini: { enabled: true }, "claude-code": { enabled: false } };
    const { config, unknownFields } = await load(JSON.stringify({ agents, more: 1 }));
    expect(config.agents).toEqual({
      omp: { enabled: true, homes: [] },
      "claude-code": { enabled: false, homes: [] },
      codex: { enabled: true, homes: [join(HOME, "other")] },
    });
    expect(unknownFields).toEqual(["more", "agents.gemini"]);
  });

  it.each<[unknown, string]>([
    [[], "agents must be an object"],
    [{ codex: true }, "agents.codex must be an object"],
    [{ codex: { enabled: "yes" } }, "agents.codex.enabled must be true or false"],
    [{ codex: { homes: ["relative"] } }, "agents.codex.homes.0 must be an absolute path"],
  ])("refuses %j as agents", async (agents, message) => {
    expect(await problem(JSON.stringify({ agents }))).toContain(message);
  });

  it("takes one setting of the vault from the file, and names those that it does not know", async () => {
    const { config, unknownFields } = await load('{"vault": {"exclude_projects": ["~/secret"], "size": 1}}');
    expect(config.vault).toEqual({ ...DEFAULTS.vault, exclude_projects: [join(HOME, "secret")] });
    expect(unknownFields).toEqual(["vault.size"]);
    expect(vaultSettings(DEFAULTS)).toEqual(DEFAULT_VAULT_SETTINGS);
  });

  it.each<[unknown, string]>([
    [[], "vault must be an object"],
    [{ enabled: 1 }, "vault.enabled must be true or false"],
    [{ exclude_formats: ["omp"] }, "vault.exclude_formats.0 must be one of pi, claude-code, codex"],
    [{ exclude_projects: ["relative"] }, "vault.exclude_projects.0 must be an absolute path"],
    [{ max_bytes: 0 }, "vault.max_bytes must be a whole number above 0"],
    [{ deleted_days: -1 }, "vault.deleted_days must be a whole number of days"],
  ])("refuses %j as settings of the vault", async (vault, message) => {
    expect(await problem(JSON.stringify({ vault }))).toContain(message);
  });

  it("takes where a hub keeps bytes, and expands its paths", async () => {
    const directory = { kind: "directory", directory: "~/chunks" };
    expect((await load(JSON.stringify({ chunk_store: directory }))).config.chunk_store).toEqual({
      ...{ kind: "directory", directory: join(HOME, "chunks"), removed_days: 30 },
    });
    const bucket = { kind: "s3", bucket: "hub-chunks", credentials_file: "~/s3", secret: "x" };
    const { config, unknownFields } = await load(JSON.stringify({ chunk_store: bucket }));
    expect(config.chunk_store).toEqual({
      ...{ kind: "s3", bucket: "hub-chunks", endpoint: null, region: "us-east-1", prefix: "", path_style: null },
      ...{ credentials_file: join(HOME, "s3"), removed_days: 30 },
    });
    expect(unknownFields).toEqual(["chunk_store.secret"]);
  });

  it.each<[unknown, string]>([
    ["s3", "chunk_store must be an object"],
    [{ kind: "ftp" }, 'chunk_store.kind must be "directory" or "s3"'],
    [{ kind: "directory", directory: "relative" }, "chunk_store.directory must be an absolute path"],
    [{ kind: "s3", bucket: "A" }, "chunk_store.bucket must be the name of a bucket"],
    [{ kind: "s3", bucket: "hub", prefix: "a" }, 'chunk_store.prefix must be empty or end with "/"'],
    [{ kind: "s3", bucket: "hub", endpoint: "s3.example.com" }, "chunk_store.endpoint must be the URL"],
  ])("refuses %j as the place for a hub's bytes", async (store, message) => {
    expect(await problem(JSON.stringify({ chunk_store: store }))).toContain(message);
  });

  const OIDC = { issuer: "https://id.example.com/realms/acme", client_id: "hub" };

  it("takes a provider from the file, with what it does not say, and names what it does not know", async () => {
    const oidc = { ...OIDC, allowed_domains: ["Example.com"], required_claims: { hd: "example.com" }, secret: "x" };
    const { config, unknownFields } = await load(JSON.stringify({ oidc: { ...oidc, client_secret_file: "~/secret" } }));
    expect(config.oidc).toEqual({
      ...OIDC,
      client_secret_file: join(HOME, "secret"),
      ...{ name: null, public_url: null, scopes: ["openid", "profile", "email"], name_claim: null },
      allowed_domains: ["example.com"],
      required_claims: { hd: ["example.com"] },
      ...{ default_role: "member", role_claim: null, roles: {}, session_hours: 12 },
    });
    expect(unknownFields).toEqual(["oidc.secret"]);
  });

  it.each<[object, string]>([
    [{}, "oidc lets in everybody"],
    [{ allowed_domains: [] }, "oidc lets in everybody"],
    [{ allowed_domains: ["@example.com"] }, "oidc.allowed_domains.0 must be a domain"],
    [{ default_role: null }, "oidc has no role for those who are new"],
    [{ default_role: null, role_claim: "groups" }, 'oidc has a "role_claim" without "roles"'],
    [{ issuer: "http://id.example.com" }, "oidc.issuer must be the address of a provider with https"],
    [{ issuer: "id.example.com" }, "oidc.issuer must be the address of a provider with https"],
    [{ public_url: "https://hub.example.com/x" }, "oidc.public_url must be the address that people open"],
    [{ scopes: ["email"] }, "oidc.scopes must have the scope"],
    [{ roles: { admins: "admin" } }, "oidc.roles.admins must be one of owner, member, reader"],
    [{ session_hours: 0 }, "oidc.session_hours must be a whole number"],
  ])("refuses %j of a provider", async (fields, message) => {
    const oidc = { ...OIDC, ...fields };
    expect(await problem(JSON.stringify({ oidc }))).toContain(message);
  });

  it("takes one limit from the file and leaves the other defaults", async () => {
    const { config } = await load('{"limits": {"connections": 5}}');
    expect(config.limits).toEqual({ ...DEFAULTS.limits, connections: 5 });
  });

  it("expands ~ in paths", async () => {
    const { config } = await load('{"session_paths": ["~/a/../b"], "agent_home": "~", "agent_command": "~/bin/pi"}');
    expect(config).toMatchObject({
      session_paths: [join(HOME, "b")],
      agent_home: HOME,
      agent_command: join(HOME, "bin", "pi"),
    });
  });

  it("names unknown fields, passes them over and leaves the file alone", async () => {
    const text = '{"http_prot": 1, "http_port": 2, "future": {"a": 1}}\n';
    const { config, unknownFields, isPortChosen } = await load(text);
    expect(config).toEqual({ ...DEFAULTS, http_port: 2 });
    expect(unknownFields).toEqual(["http_prot", "future"]);
    expect(isPortChosen).toBe(true);
    expect(await readFile(path, "utf8")).toBe(text);
  });

  it("reads comments and trailing commas, and leaves the file alone", async () => {
    const text = '// Mine.\n{\n  "http_port": 2, /* two */\n  "session_paths": ["/a",],\n}\n';
    expect((await load(text)).config).toMatchObject({ http_port: 2, session_paths: [resolve("/a")] });
    expect(await readFile(path, "utf8")).toBe(text);
  });

  it("reads a file with a byte order mark", async () => {
    expect((await load('\uFEFF{"http_port": 2}')).config.http_port).toBe(2);
  });

  it.each([
    ['{\n  "http_port": 52131\n  "auth_enabled": true\n}\n', '3:3: "," is missing'],
    ["", "1:1: a value is missing"],
    ["// none\n{ /* none", "2:3: a comment is not closed"],
    ['// one\n{\n  "http_port": "80", // wrong\n}', '3:16: http_port must be an integer from 0 to 65535, not "80"'],
    ["[]", '1:1: expected an object, such as {"http_port": 52131}'],
    ['{\n  "http_port": "80"\n}', '2:16: http_port must be an integer from 0 to 65535, not "80"'],
    ['{"http_port": 65536}', "1:15: http_port must be an integer from 0 to 65535, not 65536"],
    ['{"http_port": 1.5}', "1:15: http_port must be an integer from 0 to 65535, not 1.5"],
    ['{"http_enabled": "no"}', '1:18: http_enabled must be true or false, not "no"'],
    ['{"auth_enabled": null}', "1:18: auth_enabled must be true or false, not null"],
    [
      '{"bind_addr": ""}',
      '1:15: bind_addr must be an address of this machine, such as "127.0.0.1" or "0.0.0.0", not ""',
    ],
    ['{"session_paths": "/a"}', '1:19: session_paths must be an array of strings, not "/a"'],
    ['{"session_paths": ["/a",\n"b"]}', '2:1: session_paths.1 must be an absolute path, or begin with "~/", not "b"'],
    ['{"agent_home": 1}', '1:16: agent_home must be an absolute path, or begin with "~/", not 1'],
    ['{"agents_enabled": "no"}', '1:20: agents_enabled must be true or false, not "no"'],
    [
      '{"agent_command": "node ./pi.js"}',
      '1:19: agent_command must be the name of a program on the PATH, or its absolute path, or begin with "~/", not "node ./pi.js"',
    ],
    ['{"terminal_idle_minutes": 0}', "1:27: terminal_idle_minutes must be a whole number from 1 to 10080, not 0"],
    ['{"allowed_hosts": [1]}', "1:20: allowed_hosts.0 must be a string, not 1"],
    ['{"allowed_origins": {}}', "1:21: allowed_origins must be an array of strings, not {}"],
    ['{"trusted_proxies": ["proxy"]}', '1:22: trusted_proxies.0 must be an IP address, not "proxy"'],
    ['{"limits": []}', "1:12: limits must be an object, not []"],
    [
      '{"limits": {"command_seconds": 86401}}',
      "1:32: limits.command_seconds must be a whole number from 1 to 86400, not 86401",
    ],
    ['{"limits": {"connections": 0}}', "1:28: limits.connections must be a whole number above 0, not 0"],
    [
      '{"log_level": "loud"}',
      '1:15: log_level must be one of trace, debug, info, warn, error, fatal, silent, not "loud"',
    ],
  ])("refuses %j and leaves the file alone", async (text, reason) => {
    expect(await problem(text)).toBe(`${path}:${reason}\nCorrect the file, or remove it to start with the defaults.`);
    expect(await readFile(path, "utf8")).toBe(text);
  });

  it("names every wrong field at once", async () => {
    const message = await problem('{"http_port": -1,\n"auth_enabled": 1}');
    expect(message).toContain(`${path}:1:15: http_port`);
    expect(message).toContain(`${path}:2:17: auth_enabled`);
  });

  it("names a file that is no text", async () => {
    await writeFile(path, Buffer.from('{"bind_addr": "\xe9"}', "latin1"));
    expect(await problem(null)).toBe(`The configuration ${path} cannot be read: it is not UTF-8.`);
  });

  it("names a file that cannot be read", async () => {
    await mkdir(path);
    expect(await problem(null)).toMatch(/cannot be read: .* it is not a regular file/);
  });

  it.runIf(process.platform !== "win32")("does not wait for a pipe in the place of the file", async () => {
    execFileSync("mkfifo", [path]);
    expect(await problem(null)).toMatch(/cannot be read: .* it is not a regular file/);
  });

  it("names a file that is too large", async () => {
    await writeFile(path, "");
    await truncate(path, MAX_BYTES + 1);
    expect(await problem(null)).toContain("is larger than 8388608 bytes");
  });
});

describe("settings", () => {
  const file = JSON.stringify({ http_port: 1, bind_addr: "::1", agent_home: resolve("/file"), log_level: "warn" });
  const env = {
    SESSION_MANAGER_PORT: "2",
    SESSION_MANAGER_BIND: "0.0.0.0",
    SESSION_MANAGER_AGENT_HOME: resolve("/env"),
    SESSION_MANAGER_LOG_LEVEL: "error",
  };
  const flags = { port: "3", bind: "::", "agent-home": resolve("/flag"), "log-level": "debug" };
  const fromEnv = { http_port: 2, bind_addr: "0.0.0.0", agent_home: resolve("/env"), log_level: "error" };
  const fromFlags = { http_port: 3, bind_addr: "::", agent_home: resolve("/flag"), log_level: "debug" };

  it("lets the environment win over the file", async () => {
    expect((await load(file, {}, env)).config).toMatchObject(fromEnv);
  });

  it("lets flags win over environment and file", async () => {
    expect((await load(file, flags, env)).config).toMatchObject(fromFlags);
  });

  it("takes an empty variable for none", async () => {
    expect((await load(file, {}, { SESSION_MANAGER_PORT: "" })).config.http_port).toBe(1);
  });

  it("resolves an agent home that is given as a shell user would", async () => {
    expect((await load(null, { "agent-home": "some/pi" })).config.agent_home).toBe(resolve("some/pi"));
    expect((await load(null, {}, { SESSION_MANAGER_AGENT_HOME: "~/pi" })).config.agent_home).toBe(join(HOME, "pi"));
  });

  it.each<[Flags, NodeJS.ProcessEnv, string]>([
    [{ port: "http" }, {}, '--port must be an integer from 0 to 65535, not "http".'],
    [{ port: "70000" }, {}, '--port must be an integer from 0 to 65535, not "70000".'],
    [{ port: "" }, {}, '--port must be an integer from 0 to 65535, not "".'],
    [{}, { SESSION_MANAGER_PORT: "0x50" }, 'SESSION_MANAGER_PORT must be an integer from 0 to 65535, not "0x50".'],
    [{ bind: "" }, {}, '--bind must be an address of this machine, such as "127.0.0.1" or "0.0.0.0", not "".'],
    [
      {},
      { SESSION_MANAGER_LOG_LEVEL: "all" },
      'SESSION_MANAGER_LOG_LEVEL must be one of trace, debug, info, warn, error, fatal, silent, not "all".',
    ],
  ])("refuses %j %j", async (wrongFlags, wrongEnv, message) => {
    expect(await problem(null, wrongFlags, wrongEnv)).toBe(message);
  });
});
