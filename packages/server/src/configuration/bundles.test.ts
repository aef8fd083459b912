import { appendFile, chmod, mkdir, mkdtemp, readdir, readFile, realpath, rm, stat, writeFile } from "node:fs/promises";
import { homedir, tmpdir } from "node:os";
import { join } from "node:path";
import { isJsonObject, type JsonObject, type JsonValue } from "@sm/core";
import { type Library, openUserState, type UserState } from "@sm/core/node";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { followEdits } from "../edits/edits.ts";
import { NO_OTHER_AGENTS } from "../no-other-agents.fixture.ts";
import { type Configuration, createConfiguration } from "./service.ts";

const log = { info: () => {}, warn: () => {}, error: () => {} };

let folder: string;
let state: UserState;
let configuration: Configuration;
/** What the service has told others, in order. */
let told: unknown[];
/** Files that were moved. */
let moves: Awaited<ReturnType<Library["movedSessions"]>>;

const at = (...names: string[]) => join(folder, ...names);
const serverPath = () => at("config", "session-manager.json");
const settingsPath = () => at("agent", "settings.json");
const modelsPath = () => at("agent", "models.json");

const SERVER = '{\n  "http_port": 4000,\n  "my_field": [1, {"a": null}]\n}\n';
const SETTINGS = '{\n  // mine\n  "theme": "dark",\n  "unknown": {"kept": true}\n}\n';
const MODELS = '{"providers": {"local": {"apiKey": "KEY"}}}';

beforeEach(async () => {
  folder = await realpath(await mkdtemp(join(tmpdir(), "session-manager-bundles-")));
  for (const directory of ["config", "agent", "data"]) await mkdir(at(directory));
  await writeFile(serverPath(), SERVER);
  await writeFile(settingsPath(), SETTINGS, { mode: 0o644 });
  await writeFile(modelsPath(), MODELS, { mode: 0o600 });
  await writeFile(at("agent", "auth.json"), '{"secret": "never"}');
  told = [];
  moves = [];
  state = openUserState({ dataDir: at("data"), log });
  configuration = open();
});

afterEach(async () => {
  await state.close();
  await rm(folder, { recursive: true });
});

function open(): Configuration {
  return createConfiguration({
    path: serverPath(),
    home: homedir(),
    agentDir: at("agent"),
    agentHome: folder,
    dataDir: at("data"),
    sessionPaths: [],
    agentSessionPaths: [],
    ...NO_OTHER_AGENTS,
    env: {},
    hubSending: { configure: () => undefined },
    library: {
      setPaths: async ({ sessionPaths }) => void told.push({ paths: sessionPaths }),
      setPrices: () => {},
      setVaultSettings: ({ enabled }) => {
        if (!enabled) told.push("vault off");
      },
      filesIn: async (directories) => directories.map(() => ({ sessions: 0, skipped: 0 })),
      marksChanged: (paths) => void told.push({ untagged: paths }),
      movedSessions: async () => moves,
    },
    state,
    bus: { publish: (name, payload) => void told.push([name, payload]) },
    log,
  });
}

async function texts(): Promise<(string | null)[]> {
  return Promise.all(
    [serverPath(), settingsPath(), modelsPath()].map((path) => readFile(path, "utf8").catch(() => null)),
  );
}

const origins = async () => (await configuration.versions()).map(({ origin }) => origin);

describe("a bundle", () => {
  it("holds everything but secrets", async () => {
    const tag = await state.tags.create({ name: "work", color: "#112233", parent_id: null });
    const bundle = await configuration.bundle();
    expect(bundle).toEqual({
      version: 1,
      server: JSON.parse(SERVER),
      preferences: {},
      tags: [tag],
      agent_settings: { theme: "dark", unknown: { kept: true } },
      model_config: JSON.parse(MODELS),
    });
    expect(JSON.stringify(bundle)).not.toContain("never");
  });

  it("that is saved as it was changes nothing, and makes no version but that of the start", async () => {
    const { version_id } = await configuration.saveBundle(await configuration.bundle());
    expect(await texts()).toEqual([SERVER, SETTINGS, MODELS]);
    expect((await configuration.versions()).map(({ id, origin }) => [id, origin])).toEqual([[version_id, "start"]]);
  });

  it("is put in force whole: files with comments and modes, tags, preferences, fields that nobody knows", async () => {
    const bundle = await configuration.bundle();
    const tags = [{ id: "t1", name: "work", color: "#112233", parent_id: null }];
    const next = {
      ...bundle,
      server: { ...(bundle.server as JsonObject), http_port: 4001, session_paths: [folder], vault: { enabled: false } },
      preferences: { language: "zh" },
      tags,
      agent_settings: { theme: "light", unknown: { kept: true } },
      model_config: null,
      from_the_future: { a: [1] },
    };
    const { version_id } = await configuration.saveBundle(next);
    expect(await configuration.bundle()).toEqual(next);
    const [server, settings, models] = await texts();
    expect(JSON.parse(server ?? "")).toEqual({
      http_port: 4001,
      my_field: [1, { a: null }],
      session_paths: [folder],
      vault: { enabled: false },
    });
    expect(settings).toBe(SETTINGS.replace('"dark"', '"light"'));
    expect((await stat(settingsPath())).mode & 0o777).toBe(0o644);
    expect(models).toBeNull();
    expect(await origins()).toEqual(["save_config_bundle", "start"]);
    expect(told.slice(-4)).toEqual([
      ["config-changed", { version_id }],
      { untagged: [] },
      "vault off",
      { paths: [folder] },
    ]);
    expect(await readdir(at("data"))).not.toContain("config-change.json");
    expect(await readdir(at("agent"))).toEqual(["auth.json", "settings.json"]);
  });

  it.each<[string, (bundle: JsonObject) => unknown, string]>([
    ["another version", (bundle) => ({ ...bundle, version: 2 }), "version"],
    ["no server", ({ server: _server, ...bundle }) => bundle, "server"],
    ["a wrong port", (bundle) => ({ ...bundle, server: { http_port: "1" } }), "server.http_port"],
    ["a depth that nobody wants", (bundle) => ({ ...bundle, preferences: { deep: nested(200_000) } }), ""],
    ["a list of preferences", (bundle) => ({ ...bundle, preferences: [] }), "preferences"],
    [
      "models that the agent refuses",
      (bundle) => ({ ...bundle, model_config: { providers: 1 } }),
      "model_config.providers",
    ],
    [
      "a tag below itself",
      (bundle) => ({ ...bundle, tags: [{ id: "a", name: "a", color: "#000000", parent_id: "a" }] }),
      "tags.0.parent_id",
    ],
    [
      "a tag without a color",
      (bundle) => ({ ...bundle, tags: [{ id: "a", name: "a", color: "red", parent_id: null }] }),
      "tags.0.color",
    ],
    [
      "two tags of a name",
      (bundle) => ({ ...bundle, tags: ["a", "b"].map((id) => ({ id, name: "x", color: "#000000", parent_id: null })) }),
      "tags.1.name",
    ],
  ])("with %s is refused whole", async (_, change, field) => {
    const wrong = change({ ...(await configuration.bundle()), agent_settings: { theme: "light" } });
    if (!isJsonObject(wrong)) throw new Error("A bundle is an object.");
    await expect(configuration.saveBundle(wrong)).rejects.toMatchObject({
      code: "INVALID_PAYLOAD",
      details: [expect.objectContaining({ path: field })],
    });
    expect(await texts()).toEqual([SERVER, SETTINGS, MODELS]);
    expect(await origins()).toEqual([]);
  });

  it.each([
    ["settings.json", "{ broken", "agent_settings"],
    ["models.json", "[", "model_config"],
  ])("does not replace %s while it has a mistake", async (name, broken, field) => {
    await writeFile(at("agent", name), broken);
    const bundle = await configuration.bundle();
    expect(bundle[field]).toBeNull();
    const next = { ...bundle, server: { http_port: 1 }, [field]: { providers: {} } };
    await expect(configuration.saveBundle(next)).rejects.toMatchObject({
      code: "CONFLICT",
      message: expect.stringMatching(new RegExp(`${name}:1:\\d`)),
    });
    expect(await readFile(serverPath(), "utf8")).toBe(SERVER);
    // What it cannot read, it leaves alone.
    await configuration.saveBundle({ ...bundle, server: { http_port: 1 } });
    expect(await readFile(at("agent", name), "utf8")).toBe(broken);
  });

  it("changes nothing where the agent's folder cannot be written", async () => {
    const bundle = await configuration.bundle();
    await chmod(folder, 0o755);
    await chmod(at("agent"), 0o555);
    for (const directory of ["config", "data"]) await chmod(at(directory), 0o777);
    await chmod(modelsPath(), 0o644);
    const isRoot = process.geteuid?.() === 0;
    // Root may write everywhere.
    if (isRoot) process.seteuid?.("nobody");
    try {
      const next = { ...bundle, server: { http_port: 1 }, agent_settings: { theme: "light" } };
      await expect(configuration.saveBundle(next)).rejects.toMatchObject({ code: "READ_ONLY" });
    } finally {
      if (isRoot) process.seteuid?.(0);
      await chmod(at("agent"), 0o755);
    }
    expect(await texts()).toEqual([SERVER, SETTINGS, MODELS]);
    expect(await configuration.bundle()).toEqual(bundle);
  });
});

describe("marks in a bundle", () => {
  const session = { path: "/s/a.jsonl", id: "a" };
  const of = { path: session.path, session_id: session.id };
  const AT = "2026-01-02T03:04:05.000Z";
  const note = { ...of, entry_id: null, text: "Mine", updated_at: AT };

  it("are in it if asked for, and in no version", async () => {
    const tag = await state.tags.create({ name: "work", color: "#112233", parent_id: null });
    await state.tags.assign([session], tag.id);
    await state.notes.set(session, null, "Mine", AT);
    const without = await configuration.bundle();
    expect(without).not.toHaveProperty("marks");
    const bundle = await configuration.bundle({ include_marks: true });
    expect(bundle).toMatchObject({ ...without, marks: { notes: [note], tagged: [{ ...of, tag_id: tag.id }] } });
    const { version_id: first } = await configuration.saveBundle(bundle);
    const { version_id: second } = await configuration.saveBundle({ ...bundle, preferences: { language: "zh" } });
    expect(await origins()).toEqual(["save_config_bundle", "start"]);
    for (const id of [first, second]) expect((await configuration.version(id)).bundle).not.toHaveProperty("marks");
    expect(await configuration.bundle()).not.toHaveProperty("marks");
    // What was written since stays.
    await state.notes.set(session, null, "Newer", AT);
    await configuration.restoreVersion(first);
    expect(await configuration.bundle({ include_marks: true })).toMatchObject({
      marks: { notes: [{ ...note, text: "Newer" }] },
    });
  });

  it.each([
    ["the same configuration", {}, ["start"]],
    ["another one", { preferences: { language: "zh" } }, ["save_config_bundle", "start"]],
  ])("are added with %s, at the files that the sessions have now", async (_, changes, made) => {
    moves = [{ from: session, to: { path: "/moved/a.jsonl", id: "a" } }];
    const marks = { notes: [note], archived: [{ ...of, archived_at: "2026-01-02T04:04:05+01:00" }] };
    await configuration.saveBundle({ ...(await configuration.bundle()), ...changes, marks });
    const there = { path: "/moved/a.jsonl", session_id: "a" };
    expect(await configuration.bundle({ include_marks: true })).toMatchObject({
      ...changes,
      marks: {
        notes: [{ ...note, ...there }],
        bookmarks: [],
        archived: [{ ...there, archived_at: "2026-01-02T03:04:05.000Z" }],
      },
    });
    expect(await origins()).toEqual(made);
    expect(told).toContainEqual({ untagged: ["/moved/a.jsonl"] });
  });

  it.each<[string, JsonValue, string]>([
    ["are no object", [], "marks"],
    ["are of an unknown kind", { colors: [] }, "marks.colors"],
    ["are no list", { notes: {} }, "marks.notes"],
    ["are too many", { favorites: new Array(20_001).fill(of) }, "marks.favorites"],
    ["are of no session", { favorites: [{ path: session.path }] }, "marks.favorites.0.session_id"],
    ["have a path with NUL", { favorites: [{ ...of, path: "/a\0" }] }, "marks.favorites.0.path"],
    ["have a field that nobody knows", { favorites: [{ ...of, more: 1 }] }, "marks.favorites.0.more"],
    ["have an empty note", { notes: [{ ...note, text: "" }] }, "marks.notes.0.text"],
    ["have a note that is too long", { notes: [note, { ...note, text: "x".repeat(20_001) }] }, "marks.notes.1.text"],
    ["have no time", { archived: [{ ...of, archived_at: "yesterday" }] }, "marks.archived.0.archived_at"],
    [
      "have a bookmark on no entry",
      { bookmarks: [{ ...of, entry_id: null, created_at: AT }] },
      "marks.bookmarks.0.entry_id",
    ],
    ["have a name that is too long", { names: [{ ...of, name: "x".repeat(201) }] }, "marks.names.0.name"],
    ["have a tag that the bundle has not", { tagged: [{ ...of, tag_id: "x" }] }, "marks.tagged.0.tag_id"],
  ])("that %s refuse all of it", async (_, marks, field) => {
    const before = await configuration.bundle({ include_marks: true });
    await expect(configuration.saveBundle({ ...before, preferences: { language: "zh" }, marks })).rejects.toMatchObject(
      {
        code: "INVALID_PAYLOAD",
        details: [expect.objectContaining({ path: field })],
      },
    );
    expect(await configuration.bundle({ include_marks: true })).toEqual(before);
  });

  it("are not added where a file is not replaced", async () => {
    const bundle = await configuration.bundle();
    await rm(at("agent"), { recursive: true });
    await writeFile(at("agent"), "no folder");
    const next = { ...bundle, agent_settings: { theme: "light" }, marks: { notes: [note] } };
    await expect(configuration.saveBundle(next)).rejects.toThrow();
    expect(await state.notes.paths()).toEqual([]);
    expect(await state.marks.marked()).toEqual([]);
  });
});

describe("versions", () => {
  it("come back whole, and what they replace is kept too", async () => {
    const tag = await state.tags.create({ name: "work", color: "#112233", parent_id: null });
    const session = { path: "/s/a.jsonl", id: "a" };
    await state.tags.assign([session], tag.id);
    const before = await configuration.bundle();
    const { version_id: first } = await configuration.saveBundle(before);
    const { version_id: second } = await configuration.saveBundle({
      ...before,
      tags: [],
      model_config: null,
      server: {},
    });
    expect(told).toContainEqual({ untagged: [session.path] });
    expect((await texts())[2]).toBeNull();
    expect(await configuration.restoreVersion(first)).not.toEqual({ version_id: first });
    expect(await configuration.bundle()).toEqual(before);
    expect(await origins()).toEqual(["restore_config_version", "save_config_bundle", "start"]);
    expect(await configuration.version(second)).toMatchObject({ id: second, bundle: { tags: [], model_config: null } });
    expect(await configuration.compareVersions(first, second)).toEqual({
      from: first,
      to: second,
      changes: [
        { path: "/server/http_port", kind: "removed", from: 4000, to: null },
        { path: "/server/my_field", kind: "removed", from: [1, { a: null }], to: null },
        { path: "/model_config", kind: "changed", from: JSON.parse(MODELS), to: null },
        { path: "/tags/0", kind: "removed", from: tag, to: null },
      ],
    });
  });

  it("that do not exist are not found", async () => {
    await expect(configuration.version("none")).rejects.toMatchObject({ code: "NOT_FOUND" });
    await expect(configuration.restoreVersion("none")).rejects.toMatchObject({ code: "NOT_FOUND" });
    await expect(configuration.compareVersions("none", "none")).rejects.toMatchObject({ code: "NOT_FOUND" });
  });

  it("are made of what somebody has edited, before it is replaced", async () => {
    const bundle = await configuration.bundle();
    await configuration.saveBundle(bundle);
    await writeFile(settingsPath(), '{"theme": "mine"}');
    await configuration.saveBundle({ ...bundle, agent_settings: { theme: "light" } });
    expect(await origins()).toEqual(["save_config_bundle", "external", "start"]);
    const external = (await configuration.versions())[1];
    expect(await configuration.version(external?.id ?? "")).toMatchObject({
      bundle: { agent_settings: { theme: "mine" } },
    });
  });

  it("are made as soon as somebody has edited a file, and other directories are followed", async () => {
    const log = { warn: () => {}, error: (fields: unknown) => expect(fields).toBeNull() };
    const edits = followEdits({ followed: [configuration.files], log, firstLookMs: 0 });
    try {
      await vi.waitFor(async () => expect(await origins()).toEqual(["start"]), 30_000);
      await writeFile(serverPath(), JSON.stringify({ session_paths: [folder] }));
      await vi.waitFor(async () => expect(await origins()).toEqual(["external", "start"]), 30_000);
      await vi.waitFor(() => expect(told).toContainEqual({ paths: [folder] }), 30_000);
    } finally {
      await edits.close();
    }
    expect(await configuration.sessionPaths()).toEqual([folder]);
  });

  it("are not made of a file in the middle of an edit", async () => {
    await configuration.noticeEdits();
    await appendFile(settingsPath(), "{");
    await configuration.noticeEdits();
    await writeFile(serverPath(), '{"http_port": "1"}');
    await configuration.noticeEdits().catch(() => undefined);
    expect(await origins()).toEqual(["start"]);
  });

  it("are made for changes of others", async () => {
    await configuration.record("create_tag");
    await configuration.record("update_tag");
    await state.tags.create({ name: "work", color: "#112233", parent_id: null });
    await configuration.record("create_tag");
    expect(await origins()).toEqual(["create_tag", "create_tag"]);
  });
});

function nested(levels: number): JsonValue {
  let value: JsonValue = 1;
  for (let level = 0; level < levels; level++) value = [value];
  return value;
}
