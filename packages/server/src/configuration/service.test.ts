import { execFileSync } from "node:child_process";
import { chmod, mkdir, mkdtemp, readdir, readFile, realpath, rm, stat, writeFile } from "node:fs/promises";
import { homedir, tmpdir } from "node:os";
import { join } from "node:path";
import { openUserState, type UserState } from "@sm/core/node";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { NO_OTHER_AGENTS } from "../no-other-agents.fixture.ts";
import { type Configuration, createConfiguration } from "./service.ts";

let folder: string;
let path: string;
let work: string;
let play: string;
/** What the service has told others, in order. */
let told: unknown[];
let state: UserState;

beforeEach(async () => {
  folder = await realpath(await mkdtemp(join(tmpdir(), "session-manager-configuration-")));
  path = join(folder, "config", "session-manager.json");
  work = join(folder, "work");
  play = join(folder, "play");
  for (const directory of ["config", "agent", "data", "work", "play"]) await mkdir(join(folder, directory));
  told = [];
  state = openUserState({ dataDir: join(folder, "data"), log: { info: () => {}, warn: () => {}, error: () => {} } });
});

afterEach(async () => {
  await state.close();
  await rm(folder, { recursive: true });
});

function open(sessionPaths: string[] = []): Configuration {
  return createConfiguration({
    path,
    home: homedir(),
    agentDir: join(folder, "agent"),
    agentHome: folder,
    dataDir: join(folder, "data"),
    sessionPaths,
    agentSessionPaths: [],
    ...NO_OTHER_AGENTS,
    // An agent whose homes are the directories of its sessions.
    otherAgentPlaces: ({ codex }) => [
      { agent: "codex", name: "Codex", directories: codex.homes, cleanups: [], ...codex },
    ],
    env: {},
    hubSending: { configure: (hub) => void (hub !== null && told.push({ hub: hub.url })) },
    library: {
      setPaths: async ({ sessionPaths: paths, otherAgentPaths: others }) => void told.push({ paths, others }),
      setPrices: () => {},
      setVaultSettings: () => {},
      filesIn: async (directories) => directories.map(() => ({ sessions: 1, skipped: 0 })),
      marksChanged: (paths) => void told.push({ untagged: paths }),
      movedSessions: async () => [],
    },
    state,
    bus: { publish: (name, payload) => void told.push([name, payload]) },
    log: {
      info: () => {},
      warn: (fields) => void told.push({ warned: fields }),
      error: (fields) => void told.push(fields),
    },
  });
}

const read = () => readFile(path, "utf8");

const parsed = async () => JSON.parse(await read()) as { session_paths: string[] };

describe("sessionPaths", () => {
  it("gives those in force", async () => {
    const service = open([work]);
    expect(await service.sessionPaths()).toEqual([work]);
    await service.saveSessionPaths([play]);
    expect(await service.sessionPaths()).toEqual([play]);
  });
});

describe("saveHub", () => {
  it("writes what is given, applies it, and removes it again", async () => {
    const service = open();
    const hub = { url: "https://hub.example.com", token_file: "/token", projects: [work] };
    await service.saveHub(hub);
    expect(JSON.parse(await read())).toEqual({ hub });
    expect(told).toContainEqual({ hub: hub.url });
    await service.saveHub(null);
    expect(JSON.parse(await read())).toEqual({ hub: null });
  });

  it("refuses what a start would refuse", async () => {
    const wrong = { url: "ftp://hub.example.com", token_file: "token" };
    await expect(open().saveHub(wrong)).rejects.toMatchObject({
      code: "INVALID_PAYLOAD",
      details: [{ path: "hub.url" }, { path: "hub.token_file" }],
    });
    await expect(read()).rejects.toMatchObject({ code: "ENOENT" });
  });
});

describe("agentHomes", () => {
  it("has the directories that the user has added, which may hold sessions of any agent", async () => {
    const [before] = await open().agentHomes();
    const [pi] = await open([work]).agentHomes();
    expect(pi?.directories).toEqual([...(before?.directories ?? []), { path: work, exists: true, skipped_files: 0 }]);
    expect(pi?.sessions).toBe(before?.sessions);
  });

  it("lists all agents, with what exists and how many sessions there are", async () => {
    await mkdir(join(folder, "agent", "sessions"));
    expect(await open().agentHomes()).toEqual([
      {
        agent: "pi",
        name: "pi",
        enabled: true,
        homes: [],
        directories: [
          { path: join(folder, "agent", "sessions"), exists: true, skipped_files: 0 },
          { path: join(folder, "gateway", "sessions"), exists: false, skipped_files: 0 },
        ],
        read_only: false,
        sessions: 2,
      },
      { agent: "codex", name: "Codex", enabled: true, homes: [], directories: [], read_only: true, sessions: 0 },
    ]);
  });
});

describe("budget", () => {
  it("is none at first, and is kept with the preferences, as a version", async () => {
    const service = open();
    expect(await service.budget()).toEqual({ day_usd: null, week_usd: null, month_usd: null });
    const budget = { day_usd: 20, week_usd: null, month_usd: 300 };
    expect(await service.saveBudget(budget)).toEqual(budget);
    expect(await open().budget()).toEqual(budget);
    expect(await state.versions.latest()).toMatchObject({
      origin: "save_budget",
      bundle: { preferences: { budget } },
    });
    expect(told).toContainEqual(["config-changed", { version_id: (await state.versions.latest())?.id }]);
  });

  it("keeps other preferences, and reads what others have written", async () => {
    const service = open();
    const bundle = await service.bundle();
    const preferences = { language: "zh", budget: { day_usd: "much", week_usd: -1, month_usd: 5 } };
    await service.saveBundle({ ...bundle, preferences });
    const budget = { day_usd: null, week_usd: null, month_usd: 5 };
    expect(await service.budget()).toEqual(budget);
    await service.saveBudget({ ...budget, day_usd: 1 });
    expect((await service.bundle()).preferences).toEqual({ language: "zh", budget: { ...budget, day_usd: 1 } });
    // More than save_budget takes, and more than an answer may have.
    await service.saveBundle({ ...bundle, preferences: { budget: { day_usd: 1e10 } } });
    expect(await service.budget()).toEqual({ day_usd: null, week_usd: null, month_usd: null });
    await service.saveBundle({ ...bundle, preferences: { budget: 5 } });
    expect(await service.budget()).toEqual({ day_usd: null, week_usd: null, month_usd: null });
  });
});

describe("saveAgentHomes", () => {
  it("changes the switches that are given, and keeps everything else", async () => {
    await writeFile(path, '{\n  // Mine.\n  "agents": {"gemini": 1, "codex": {"more": 2, "enabled": true}}\n}\n');
    const saved = await open().saveAgentHomes({ codex: { enabled: false, homes: [`${work}/`] }, omp: undefined });
    expect(saved.at(-1)).toEqual({
      agent: "codex",
      name: "Codex",
      enabled: false,
      homes: [work],
      directories: [{ path: work, exists: true, skipped_files: 0 }],
      read_only: true,
      sessions: 1,
    });
    expect(await read()).toContain("// Mine.");
    const version = await state.versions.latest();
    const agents = { gemini: 1, codex: { more: 2, enabled: false, homes: [work] } };
    expect(version).toMatchObject({ origin: "save_agent_homes", bundle: { server: { agents } } });
    expect(told).toEqual([{ paths: [], others: [] }, ["config-changed", { version_id: version?.id }]]);
  });

  it("makes the library follow, as an edit of the file does", async () => {
    const service = open();
    await service.saveAgentHomes({ codex: { enabled: true, homes: [work] } });
    expect(told).toContainEqual({ paths: [], others: [work] });
    await writeFile(path, JSON.stringify({ agents: { codex: { homes: [play] } } }));
    await service.noticeEdits();
    expect(told).toContainEqual({ paths: [], others: [play] });
    await service.saveSessionPaths([work]);
    expect(told).toContainEqual({ paths: [work], others: [play] });
  });

  it.each([["relative"], ["/missing/home"]])("refuses %j as a home", async (home) => {
    const refused = open().saveAgentHomes({ codex: { enabled: true, homes: [work, home] } });
    await expect(refused).rejects.toMatchObject({
      code: "INVALID_PAYLOAD",
      details: [{ path: "agents.codex.homes.1" }],
    });
    expect(told).toEqual([]);
  });

  it("changes nothing in a file that somebody is editing", async () => {
    await writeFile(path, '{"agents": []}');
    await expect(open().saveAgentHomes({})).rejects.toMatchObject({ code: "CONFLICT" });
    expect(await read()).toBe('{"agents": []}');
  });
});

describe("saveSessionPaths", () => {
  it("gives what was saved, in the form in which a start reads it", async () => {
    expect(await open().saveSessionPaths([`${work}/`, `${work}/../play`])).toEqual([work, play]);
    expect(await parsed()).toEqual({ session_paths: [work, play] });
  });

  it("changes one field of the file and keeps every other character", async () => {
    const before =
      '{\r\n\t"2": 12345678901234567890,\r\n\t"session_paths": ["/old"],\r\n\t"1": {"session_paths": 1}\r\n}';
    await writeFile(path, before);
    await open().saveSessionPaths([work]);
    expect(await read()).toBe(before.replace('["/old"]', JSON.stringify([work])));
  });

  it("keeps comments and trailing commas", async () => {
    const before = '// Mine.\n{\n  "http_port": 1, // one\n  "session_paths": [\n    "/old", // old\n  ],\n}\n';
    await writeFile(path, before);
    await open().saveSessionPaths([work]);
    expect(await read()).toBe(before.replace('"/old"', JSON.stringify(work)));
  });

  it("makes the file and its directory where they are missing, for the user only", async () => {
    await rm(join(folder, "config"), { recursive: true });
    await open().saveSessionPaths([work]);
    expect(await parsed()).toEqual({ session_paths: [work] });
    expect((await stat(path)).mode & 0o777).toBe(0o600);
  });

  it("makes the library follow, keeps a version and tells everybody, in this order", async () => {
    await writeFile(path, '{"http_port": 1}');
    await writeFile(join(folder, "agent", "settings.json"), '{"theme": "dark"}');
    await writeFile(join(folder, "agent", "models.json"), '{"providers": {}}');
    await writeFile(join(folder, "agent", "auth.json"), '{"provider": {"key": "secret"}}');
    await open().saveSessionPaths([work]);
    const bundle = {
      version: 1,
      server: { http_port: 1, session_paths: [work] },
      preferences: {},
      tags: [],
      agent_settings: { theme: "dark" },
      model_config: { providers: {} },
    };
    const version = await state.versions.latest();
    expect(version).toMatchObject({ origin: "save_session_paths", bundle });
    expect(told).toEqual([{ paths: [work], others: [] }, ["config-changed", { version_id: version?.id }]]);
  });

  it.each([["{"], ["[]"], [null]])("keeps null for an agent's file that holds %j", async (text) => {
    if (text !== null) await writeFile(join(folder, "agent", "settings.json"), text);
    await open().saveSessionPaths([]);
    expect(await state.versions.latest()).toMatchObject({ bundle: { agent_settings: null, model_config: null } });
  });

  it("names every path that is no absolute, existing directory", async () => {
    await writeFile(join(folder, "file"), "");
    const paths = ["work", "~/work", work, join(folder, "none"), join(folder, "file")];
    const saving = open([play]).saveSessionPaths(paths);
    await expect(saving).rejects.toMatchObject({
      code: "INVALID_PAYLOAD",
      details: [
        { path: "paths.0", message: "Must be an absolute path." },
        { path: "paths.1", message: "Must be an absolute path." },
        { path: "paths.3", message: "Does not exist, or cannot be accessed." },
        { path: "paths.4", message: "Is not a directory." },
      ],
    });
    expect(await readdir(join(folder, "config"))).toEqual([]);
    expect(told).toEqual([]);
  });

  it.each([
    ['{\n  "http_port": 1,,\n}', "2:18: a field name in double quotes is missing"],
    ["", "1:1: a value is missing"],
    ['{"http_port": "1"}', "1:15: http_port must be an integer"],
    ["\xff\xfe", "it is not UTF-8"],
  ])("does not touch a file that the next start would refuse: %j", async (text, reason) => {
    await writeFile(path, text, "latin1");
    const service = open([play]);
    await expect(service.saveSessionPaths([work])).rejects.toMatchObject({
      code: "CONFLICT",
      message: expect.stringMatching(new RegExp(`session-manager.json.*${reason}`)),
    });
    expect(await readFile(path, "latin1")).toBe(text);
    expect(await service.sessionPaths()).toEqual([play]);
    expect(told).toEqual([]);
  });

  it("goes on after a save that failed", async () => {
    await writeFile(path, "{");
    const service = open();
    await expect(service.saveSessionPaths([work])).rejects.toMatchObject({ code: "CONFLICT" });
    await writeFile(path, "{}");
    expect(await service.saveSessionPaths([work])).toEqual([work]);
  });

  it("saves one after the other", async () => {
    const service = open();
    const choices = Array.from({ length: 10 }, (_, index) => (index % 2 === 0 ? [work] : [play, work]));
    await Promise.all(choices.map((paths) => service.saveSessionPaths(paths)));
    expect(await parsed()).toEqual({ session_paths: [play, work] });
    expect(await service.sessionPaths()).toEqual([play, work]);
    // Two for each, and none in between.
    expect(told.filter((_, index) => index % 2 === 0)).toEqual(choices.map((paths) => ({ paths, others: [] })));
    expect(await readdir(join(folder, "config"))).toEqual(["session-manager.json"]);
  });

  it.runIf(process.platform !== "win32").each([
    ["config/session-manager.json", "CONFLICT"],
    ["agent/settings.json", "FORBIDDEN"],
    ["agent/models.json", "FORBIDDEN"],
  ])("does not wait for a pipe in the place of %s", async (name, code) => {
    execFileSync("mkfifo", [join(folder, name)]);
    const service = open([play]);
    await expect(service.saveSessionPaths([work])).rejects.toMatchObject({ code });
    // Nor do those behind it.
    expect(await service.sessionPaths()).toEqual([name.startsWith("agent") ? work : play]);
    await expect(service.bundle()).rejects.toMatchObject({ code: "FORBIDDEN" });
  });

  it("says where the file system refuses the write", async () => {
    await writeFile(path, "{}");
    await chmod(folder, 0o755);
    await chmod(join(folder, "config"), 0o555);
    await chmod(join(folder, "data"), 0o777);
    const service = open();
    const isRoot = process.geteuid?.() === 0;
    // Root may write everywhere.
    if (isRoot) process.seteuid?.("nobody");
    try {
      await expect(service.saveSessionPaths([work])).rejects.toMatchObject({
        code: "READ_ONLY",
        message: expect.stringContaining(path),
      });
    } finally {
      if (isRoot) process.seteuid?.(0);
      await chmod(join(folder, "config"), 0o755);
    }
    expect(await read()).toBe("{}");
    expect(told).toEqual([]);
  });
});

describe("an edit of a file", () => {
  it("is told when it is invalid, but not while another program writes it anew", async () => {
    const service = open();
    const settings = join(folder, "agent", "settings.json");
    await writeFile(settings, "");
    await service.noticeEdits();
    expect(told).toEqual([]);
    await writeFile(settings, "{");
    await service.noticeEdits();
    expect(told).toEqual([{ warned: { mistake: expect.stringContaining(`${settings}:1:2`) } }]);
  });
});
