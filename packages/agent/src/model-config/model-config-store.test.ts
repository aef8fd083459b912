import { execFileSync } from "node:child_process";
import { once } from "node:events";
import { chmod, mkdir, mkdtemp, readdir, readFile, realpath, rm, stat, symlink, writeFile } from "node:fs/promises";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import type { ModelConfigStore } from "@sm/core";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { openModelConfig } from "./model-config-store.ts";

let folder: string;
let path: string;
let elsewhere: string;
let store: ModelConfigStore;
let told: string[];

const CONFIG = { providers: { local: { baseUrl: "http://127.0.0.1:1/v1", models: [{ id: "a" }] } } };
const COMMENTED = '{\n  // at home\n  "providers": {},\n  "mine": [1, 2]\n}\n';

beforeEach(async () => {
  folder = await realpath(await mkdtemp(join(tmpdir(), "session-manager-models-")));
  path = join(folder, "home", "agent", "models.json");
  elsewhere = join(folder, "models.json");
  await mkdir(join(folder, "home", "agent"), { recursive: true });
  told = [];
  store = openModelConfig({
    agentDir: join(folder, "home", "agent"),
    agentHome: join(folder, "home"),
    otherHomes: () => [join(folder, "codex"), join(folder, "missing", "home")],
    dataDir: join(folder, "data"),
    configPath: join(folder, "config", "session-manager.json"),
    backupDir: join(folder, "backups"),
    changed: async (origin) => void told.push(origin),
  });
});

afterEach(() => rm(folder, { recursive: true }));

/** A service on a socket, until the test is over. */
async function listening(path: string): Promise<AsyncDisposable> {
  const server = createServer().listen(path);
  await once(server, "listening");
  return { [Symbol.asyncDispose]: async () => void server.close() };
}

const modeOf = async (file: string) => (await stat(file)).mode & 0o777;

describe("load", () => {
  it("tells that there is none", async () => {
    expect(await store.load()).toEqual({ path, exists: false, config: null });
  });

  it("reads what the agent reads: comments, trailing commas, unknown fields", async () => {
    await writeFile(path, '\ufeff// mine\n{"providers": {"a": {"new_field": [1,],},}, "other": null}');
    const config = { providers: { a: { new_field: [1] } }, other: null };
    expect(await store.load()).toEqual({ path, exists: true, config });
  });

  it.each([
    ['{\n  "providers": {\n    "a" {}\n  }\n}', "3:9"],
    ['{"providers": {}', "1:17"],
    ["", "1:1"],
    ["[]", "1:1"],
    ["\xff", "1:1"],
  ])("says where %j is wrong", async (text, place) => {
    await writeFile(path, text, "latin1");
    await expect(store.load()).rejects.toMatchObject({
      code: "CONFLICT",
      message: expect.stringContaining(`${path}:${place}: `),
    });
  });
});

describe("save", () => {
  it("makes the file, for the user only, without a backup of nothing", async () => {
    await rm(join(folder, "home"), { recursive: true });
    expect(await store.save(CONFIG)).toEqual({ backup_name: null });
    expect(JSON.parse(await readFile(path, "utf8"))).toEqual(CONFIG);
    expect(await modeOf(path)).toBe(0o600);
    expect(told).toEqual(["save_model_config"]);
  });

  it("keeps comments, the mode of the file, and the file before as a backup", async () => {
    await writeFile(path, COMMENTED, { mode: 0o644 });
    const { backup_name } = await store.save({ ...CONFIG, mine: [1, 2] });
    expect(await readFile(path, "utf8")).toContain("// at home");
    expect(await store.load()).toMatchObject({ config: { ...CONFIG, mine: [1, 2] } });
    expect(await modeOf(path)).toBe(0o644);
    expect(await readFile(join(folder, "backups", backup_name ?? ""), "utf8")).toBe(COMMENTED);
    expect(await modeOf(join(folder, "backups", backup_name ?? ""))).toBe(0o600);
    expect(await readdir(join(folder, "home", "agent"))).toEqual(["models.json"]);
  });

  it.each<[object, string]>([
    [{}, "providers"],
    [{ providers: [] }, "providers"],
    [{ providers: { a: 1 } }, "providers.a"],
    [{ providers: { a: { models: [{ name: "x" }] } } }, "providers.a.models.0.id"],
    [{ providers: { a: { models: [{ id: "x", contextWindow: 0 }] } } }, "providers.a.models.0.contextWindow"],
    [
      { providers: { a: { modelOverrides: { x: { cost: { input: "1" } } } } } },
      "providers.a.modelOverrides.x.cost.input",
    ],
    [{ providers: { a: { headers: { x: 1 } } } }, "providers.a.headers.x"],
  ])("refuses %j, and names the field", async (config, field) => {
    await writeFile(path, COMMENTED);
    await expect(store.save(config as never)).rejects.toMatchObject({
      code: "INVALID_PAYLOAD",
      details: [{ path: field, message: expect.any(String) }],
    });
    expect(await readFile(path, "utf8")).toBe(COMMENTED);
    expect(await store.backups()).toEqual([]);
    expect(told).toEqual([]);
  });

  it("replaces a file that is broken, and keeps it as a backup", async () => {
    await writeFile(path, "{ broken");
    const { backup_name } = await store.save(CONFIG);
    expect(await readFile(join(folder, "backups", backup_name ?? ""), "utf8")).toBe("{ broken");
    expect(await store.load()).toMatchObject({ config: CONFIG });
  });

  it("saves one after the other, each with the backup of the one before", async () => {
    const configs = Array.from({ length: 5 }, (_, number) => ({ ...CONFIG, number }));
    await Promise.all(configs.map((config) => store.save(config)));
    expect(configs).toContainEqual((await store.load()).config);
    expect(await store.backups()).toHaveLength(4);
  });

  it("changes nothing in a home that cannot be written", async () => {
    await writeFile(path, COMMENTED);
    await chmod(folder, 0o755);
    await chmod(join(folder, "home", "agent"), 0o555);
    const isRoot = process.geteuid?.() === 0;
    // Root may write everywhere.
    if (isRoot) process.seteuid?.("nobody");
    try {
      await expect(store.save(CONFIG)).rejects.toMatchObject({ code: "READ_ONLY" });
    } finally {
      if (isRoot) process.seteuid?.(0);
      await chmod(join(folder, "home", "agent"), 0o755);
    }
    expect(await readFile(path, "utf8")).toBe(COMMENTED);
    expect(told).toEqual([]);
  });
});

describe("import and export", () => {
  it("takes the text as it is, and keeps the one before", async () => {
    await writeFile(path, "{ broken");
    await writeFile(elsewhere, COMMENTED);
    const { backup_name } = await store.importFrom(elsewhere);
    expect(await readFile(path, "utf8")).toBe(COMMENTED);
    expect(await readFile(join(folder, "backups", backup_name ?? ""), "utf8")).toBe("{ broken");
    expect(told).toEqual(["import_model_config_from_path"]);
  });

  it("copies the text, and replaces nothing unasked", async () => {
    await writeFile(path, COMMENTED);
    expect(await store.exportTo(elsewhere, { overwrite: false })).toEqual({ path: elsewhere });
    expect(await readFile(elsewhere, "utf8")).toBe(COMMENTED);
    expect(await modeOf(elsewhere)).toBe(0o600);
    await writeFile(elsewhere, "{}");
    await expect(store.exportTo(elsewhere, { overwrite: false })).rejects.toMatchObject({ code: "CONFLICT" });
    expect(await readFile(elsewhere, "utf8")).toBe("{}");
    await store.exportTo(elsewhere, { overwrite: true });
    expect(await readFile(elsewhere, "utf8")).toBe(COMMENTED);
    expect(told).toEqual([]);
  });

  it.each([
    ["models.json", "INVALID_PAYLOAD"],
    ["/models.txt", "INVALID_PAYLOAD"],
    ["HOME/agent/auth.json", "FORBIDDEN"],
    ["HOME/agent/../agent/settings.json", "FORBIDDEN"],
    ["HOME/new.json", "FORBIDDEN"],
    ["FOLDER/codex/settings.json", "FORBIDDEN"],
    ["FOLDER/missing/home/new.json", "FORBIDDEN"],
    ["FOLDER/project/.pi/mcp.json", "FORBIDDEN"],
    ["FOLDER/other-agent/auth.json", "FORBIDDEN"],
    ["FOLDER/other-agent/MCP-auth.json", "FORBIDDEN"],
    ["FOLDER/linked-secret.json", "FORBIDDEN"],
    ["FOLDER/link.json", "FORBIDDEN"],
    ["FOLDER/way/new.json", "FORBIDDEN"],
    ["FOLDER/to-nothing.json", "FORBIDDEN"],
    ["FOLDER/data/server.json", "FORBIDDEN"],
    ["FOLDER/data/new.json", "FORBIDDEN"],
    ["FOLDER/data-link/new.json", "FORBIDDEN"],
    ["FOLDER/config/session-manager.json", "FORBIDDEN"],
    ["FOLDER/config/new.json", "FORBIDDEN"],
    ["FOLDER/to-config.json", "FORBIDDEN"],
    ["FOLDER/dotfiles/session-manager.json", "FORBIDDEN"],
    ["FOLDER/service.json", "FORBIDDEN"],
    ["FOLDER/pipe.json", "FORBIDDEN"],
    ["FOLDER/none/models.json", "NOT_FOUND"],
  ])("leaves %s alone", async (name, code) => {
    await writeFile(path, JSON.stringify(CONFIG));
    await writeFile(join(folder, "home", "agent", "auth.json"), "secret");
    await symlink(join(folder, "home", "agent", "auth.json"), join(folder, "link.json"));
    await symlink(join(folder, "home"), join(folder, "way"));
    await symlink("way/agent/not-yet.json", join(folder, "to-nothing.json"));
    await symlink("other-agent/mcp-auth.json", join(folder, "linked-secret.json"));
    // As people keep it who have their configurations in a repository.
    for (const own of ["data/server.json", "dotfiles/session-manager.json"]) {
      await mkdir(dirname(join(folder, own)));
      await writeFile(join(folder, own), "{}");
    }
    await mkdir(join(folder, "config"));
    await symlink("../dotfiles/session-manager.json", join(folder, "config", "session-manager.json"));
    await symlink("config/session-manager.json", join(folder, "to-config.json"));
    await symlink("data", join(folder, "data-link"));
    await using _ = await listening(join(folder, "service.json"));
    execFileSync("mkfifo", [join(folder, "pipe.json")]);
    for (const secret of ["project/.pi/mcp.json", "other-agent/auth.json", "other-agent/mcp-auth.json"]) {
      await mkdir(dirname(join(folder, secret)), { recursive: true });
      await writeFile(join(folder, secret), JSON.stringify(CONFIG));
    }
    const place = name.replace("HOME", join(folder, "home")).replace("FOLDER", folder);
    await expect(store.importFrom(place)).rejects.toMatchObject({ code });
    await expect(store.exportTo(place, { overwrite: true })).rejects.toMatchObject({ code });
    expect(await readFile(join(folder, "home", "agent", "auth.json"), "utf8")).toBe("secret");
    expect(await readFile(path, "utf8")).toBe(JSON.stringify(CONFIG));
  });

  it.each([
    ["{\n broken", "2:2"],
    ['{"providers": 1}', "providers"],
    [`{"providers": ${"[".repeat(100_000)}`, "ested too deeply"],
    [`{"providers": {}, "x": ${"[".repeat(200)}${"]".repeat(200)}}`, "ested too deeply"],
  ])("refuses %j with a word that helps", async (text, word) => {
    await writeFile(elsewhere, text);
    await expect(store.importFrom(elsewhere)).rejects.toMatchObject({
      code: "INVALID_PAYLOAD",
      message: expect.stringContaining(word),
    });
    expect(told).toEqual([]);
  });

  it("has nothing to export at first", async () => {
    await expect(store.exportTo(elsewhere, { overwrite: false })).rejects.toMatchObject({ code: "NOT_FOUND" });
  });
});

describe("backups", () => {
  it("come back, the newest first, and what they replace is kept too", async () => {
    for (const number of [1, 2, 3]) await store.save({ ...CONFIG, number });
    const [second, first] = await store.backups();
    expect(second).toMatchObject({ created_at: expect.stringMatching(/^\d{4}-.*Z$/), size_bytes: expect.any(Number) });
    await store.restore(first?.backup_name ?? "");
    expect((await store.load()).config).toMatchObject({ number: 1 });
    expect(await store.backups()).toHaveLength(3);
    expect(told.at(-1)).toBe("restore_model_config_backup");
  });

  it("are fifty at most", async () => {
    for (let number = 0; number < 55; number++) await store.save({ ...CONFIG, number });
    const backups = await store.backups();
    expect(backups).toHaveLength(50);
    await store.restore(backups.at(-1)?.backup_name ?? "");
    expect((await store.load()).config).toMatchObject({ number: 4 });
  });

  it("have 32 MiB together at most", async () => {
    const filling = "x".repeat(7 * 1024 * 1024);
    for (let number = 0; number < 7; number++) await store.save({ ...CONFIG, number, filling });
    const backups = await store.backups();
    expect(backups.map(({ size_bytes }) => size_bytes > filling.length)).toEqual([true, true, true, true]);
    await store.restore(backups.at(-1)?.backup_name ?? "");
    expect((await store.load()).config).toMatchObject({ number: 2 });
  });

  it.each([
    ["../home/agent/auth.json", "FORBIDDEN"],
    ["/etc/passwd", "FORBIDDEN"],
    ["a\\b.json", "FORBIDDEN"],
    ["..", "FORBIDDEN"],
    ["", "FORBIDDEN"],
    ["models.json", "NOT_FOUND"],
    ["models-2026-01-01T00-00-00-000Z.json", "NOT_FOUND"],
  ])("there is none called %j", async (name, code) => {
    await expect(store.restore(name)).rejects.toMatchObject({ code });
  });
});
