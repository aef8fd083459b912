import { chmod, mkdir, readFile, rename, rm, writeFile } from "node:fs/promises";
import { basename, join } from "node:path";
import type { SearchPage, SessionPage, SessionRecord, Tag, TaggedSession } from "@sm/core";
import { type CommandResponse, registry } from "@sm/router";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { cases } from "./cases.ts";
import { PATIENT } from "./patient.ts";
import { FAKE_AGENT } from "./program-cases.ts";
import type { PushEvent } from "./push-event.ts";
import { type RealService, SHARING, SUGGESTS_PROXY, startRealService } from "./real-service.ts";
import { TestSocket } from "./test-socket.ts";
import { rawTransports, STRANGER } from "./transports.ts";

describe.each(rawTransports)("over $name", (transport) => {
  let service: RealService;

  beforeEach(async () => {
    service = await startRealService({ transport });
  });

  afterEach(() => service[Symbol.asyncDispose]());

  const tag = (name: string, parent: Tag | null = null) =>
    service.ask<Tag>("create_tag", { name, color: "#336699", parent_id: parent?.id ?? null });
  const assign = (tag: Tag, ...session_paths: string[]) =>
    service.ask<{ sessions: TaggedSession[] }>("assign_tag", { session_paths, tag_id: tag.id });
  const listed = async (payload: object = {}) =>
    (await service.ask<SessionPage>("list_sessions", { limit: 500, ...payload })).sessions.map(({ path }) => path);
  const found = async (payload: object) => [
    ...new Set((await service.ask<SearchPage>("search", payload)).hits.map(({ session_path }) => session_path)),
  ];
  const counts = async () =>
    Object.fromEntries((await service.ask<Tag[]>("list_tags")).map(({ name, session_count }) => [name, session_count]));
  const recordOf = async (path: string) =>
    (await service.ask<SessionRecord[]>("scan_sessions")).find((record) => record.path === path);

  it("tags and favorites leave over what lists and searches show", async () => {
    const { branched, plain, old, raw } = service.home.paths;
    const work = await tag("Work");
    const urgent = await tag("urgent", work);
    await assign(work, branched, old);
    await assign(urgent, branched, plain);
    await service.ask("toggle_favorite", { path: old });

    expect(await listed({ tag_ids: [work.id] })).toEqual([branched, old]);
    expect(await listed({ tag_ids: [work.id, urgent.id] })).toEqual([branched]);
    expect(await listed({ tag_ids: [work.id], favorites_only: true })).toEqual([old]);
    expect(await listed({ tag_ids: ["none"] })).toEqual([]);
    expect(await counts()).toEqual({ Work: 2, urgent: 2 });
    expect(await recordOf(branched)).toMatchObject({ tag_ids: [work.id, urgent.id].sort(), is_favorite: false });

    // The tag and those below it; a text of fields alone gives each session once.
    expect((await found({ query: "tag:work" })).sort()).toEqual([branched, plain, old].sort());
    expect((await found({ query: "tag:urgent" })).sort()).toEqual([branched, plain].sort());
    expect(await found({ query: "tag:work hello" })).toEqual([plain]);
    expect(await found({ query: "is:favorite" })).toEqual([old]);
    expect(await found({ query: "question", tag_ids: [work.id] })).toEqual([old]);
    expect(await found({ query: "before:2027-01-01 -tag:work -is:favorite" })).toEqual([raw]);
  });

  it("archived sessions are in neither lists nor searches until they are asked for or taken back", async () => {
    await using socket = await TestSocket.open(service.url);
    const { plain, old } = service.home.paths;
    const all = await listed();
    const before = await readFile(plain);
    const answer = await service.ask<{ changed: string[]; failed: object[] }>("archive_session", {
      paths: [plain, service.home.missing, service.home.outside],
    });
    expect(answer).toMatchObject({
      changed: [plain],
      failed: [
        { path: service.home.missing, error: { code: "NOT_FOUND" } },
        { path: service.home.outside, error: { code: "FORBIDDEN" } },
      ],
    });
    await socket.events.first(
      ({ event, payload }) =>
        event === "sessions-diff" &&
        (payload as { updated: SessionRecord[] }).updated.some(
          ({ path, archived_at }) => path === plain && archived_at,
        ),
    );
    expect(await listed()).toEqual(all.filter((path) => path !== plain));
    expect(await listed({ archived: "include" })).toEqual(all);
    expect(await listed({ query: "is:archived" })).toEqual([plain]);
    expect(await found({ query: "hello" })).not.toContain(plain);
    expect(await found({ query: "hello", archived: "only" })).toEqual([plain]);
    expect(await found({ query: "hello is:archived" })).toEqual([plain]);
    const { archived_at } = (await recordOf(plain)) ?? {};
    await service.restart();
    expect(await recordOf(plain)).toMatchObject({ archived_at });
    const paths = [plain, old];
    expect(await service.ask("archive_session", { paths: [plain] })).toEqual({ changed: [], failed: [] });
    expect(await service.ask("unarchive_session", { paths })).toEqual({ changed: [plain], failed: [] });
    expect(await listed()).toEqual(all);
    expect(await readFile(plain)).toEqual(before);
  });

  it("a tag is attached to all of many sessions or to none, as often as somebody likes", async () => {
    const { branched, plain } = service.home.paths;
    const work = await tag("work");
    for (const [path, code] of [
      [service.home.missing, "NOT_FOUND"],
      [service.home.outside, "FORBIDDEN"],
    ]) {
      const answer = await service.call("assign_tag", { session_paths: [branched, path], tag_id: work.id });
      expect(answer.error?.code).toBe(code);
      expect(await counts()).toEqual({ work: 0 });
    }
    const tagged = [branched, plain].map((session_path) => ({ session_path, tag_ids: [work.id] }));
    for (let time = 0; time < 2; time++) expect(await assign(work, branched, plain)).toEqual({ sessions: tagged });
    const one = { session_path: branched, tag_id: work.id };
    for (let time = 0; time < 2; time++) {
      expect(await service.ask("remove_tag", one)).toEqual({ session_path: branched, tag_ids: [] });
    }
    expect(await counts()).toEqual({ work: 1 });
    expect((await service.call("assign_tag", { ...one, tag_id: "none" })).error?.code).toBe("NOT_FOUND");
  });

  it("tags lie in a tree, and move up when the one above them goes", async () => {
    const work = await tag("work");
    const now = await tag("now", work);
    const urgent = await tag("urgent", now);
    await tag("urgent", work);
    expect((await service.call("create_tag", { name: " work ", color: "#000000" })).error?.code).toBe("CONFLICT");
    expect((await service.call("update_tag", { id: work.id, parent_id: urgent.id })).error?.code).toBe("CONFLICT");
    expect(await service.ask("delete_tag", { id: now.id })).toEqual({ id: now.id, deleted: true });
    const moved = (await service.ask<Tag[]>("list_tags")).find(({ id }) => id === urgent.id);
    expect(moved).toMatchObject({ name: "urgent (2)", parent_id: work.id });
    await service.ask("delete_tag", { id: work.id });
    expect((await service.ask<Tag[]>("list_tags")).map(({ name, parent_id }) => [name, parent_id])).toEqual([
      ["urgent", null],
      ["urgent (2)", null],
    ]);
  });

  it("marks survive a restart, follow a session that is moved, and go with one that is deleted", async () => {
    const path = await service.home.copy();
    const work = await tag("work");
    await service.ask("assign_tag", { session_path: path, tag_id: work.id });
    await service.ask("toggle_favorite", { path });
    await service.restart();
    expect(await recordOf(path)).toMatchObject({ tag_ids: [work.id], is_favorite: true });

    // While it runs, and while it does not.
    const moved = join(service.home.sessions, "--moved--", basename(path));
    await mkdir(join(service.home.sessions, "--moved--"));
    await rename(path, moved);
    await expect.poll(() => recordOf(moved), PATIENT).toMatchObject({ tag_ids: [work.id], is_favorite: true });
    expect(await service.ask("list_favorites")).toEqual([moved]);
    const renamed = join(service.home.sessions, "renamed.jsonl");
    await rename(moved, renamed);
    await service.restart();
    expect(await listed({ tag_ids: [work.id], favorites_only: true })).toEqual([renamed]);
    expect(await counts()).toEqual({ work: 1 });

    await service.ask("delete_session", { path: renamed });
    expect(await counts()).toEqual({ work: 0 });
    expect(await service.ask("list_favorites")).toEqual([]);
  });

  it("every change is told, and makes a version that says what has made it", async () => {
    await using socket = await TestSocket.open(service.url);
    const { branched } = service.home.paths;
    const further = join(service.home.folder, "further");
    await mkdir(further);
    const versionsTold = () =>
      socket.events.items
        .filter(({ event }) => event === "config-changed")
        .map(({ payload }) => (payload as { version_id: string }).version_id);
    // Made soon after the start.
    await expect.poll(() => service.ask<object[]>("list_config_versions"), PATIENT).toHaveLength(1);

    const work = await tag("work");
    await service.ask("update_tag", { id: work.id, color: "#ABCDEF" });
    await service.ask("assign_tag", { session_path: branched, tag_id: work.id });
    const isTagged = ({ event, payload }: PushEvent) =>
      event === "sessions-diff" &&
      (payload as { updated: SessionRecord[] }).updated.some(
        ({ path, tag_ids }) => path === branched && tag_ids.includes(work.id),
      );
    await socket.events.first(isTagged);
    const bundle = await service.ask<{ server: object }>("get_config_bundle");
    await service.ask("save_session_paths", { paths: [further] });
    await service.ask("save_model_config", { providers: {} });
    await writeFile(join(service.home.folder, "agent", "settings.json"), '{"theme": "dark"}');
    await expect.poll(() => service.ask<object[]>("list_config_versions"), PATIENT).toHaveLength(6);
    const { version_id } = await service.ask<{ version_id: string }>("save_config_bundle", { ...bundle, tags: [] });
    const isUntagged = ({ event, payload }: PushEvent) =>
      event === "sessions-diff" &&
      (payload as { updated: SessionRecord[] }).updated.some(
        ({ path, tag_ids }) => path === branched && tag_ids.length === 0,
      );
    await socket.events.first(isUntagged);

    const versions = await service.ask<{ id: string; origin: string; sha256: string }[]>("list_config_versions");
    expect(versions.map(({ origin }) => origin).reverse()).toEqual([
      "start",
      "create_tag",
      "update_tag",
      "save_session_paths",
      "save_model_config",
      "external",
      "save_config_bundle",
    ]);
    expect(versions[0]?.id).toBe(version_id);
    // That of the start may have come before somebody listened.
    await expect
      .poll(() => versionsTold().slice(-6), PATIENT)
      .toEqual(
        versions
          .map(({ id }) => id)
          .reverse()
          .slice(-6),
      );
    expect(await service.ask("get_session_paths")).toEqual([]);

    const before = versions[1]?.id ?? "";
    await service.ask("restore_config_version", { id: before });
    const [restored] = await service.ask<{ id: string; sha256: string }[]>("list_config_versions");
    expect(restored).toMatchObject({ sha256: versions[1]?.sha256 });
    expect(await service.ask("get_session_paths")).toEqual([further]);
    const difference = await service.ask("diff_config_versions", { from: before, to: restored?.id });
    expect(difference).toMatchObject({ changes: [] });
  });

  it("a broken models.json is told, replaced, and comes back", async () => {
    const { folder } = service.home;
    const path = join(folder, "agent", "models.json");
    const draft = join(folder, "..", `${basename(folder)}-models.json`);
    const broken = '{\n  "providers": {\n    "local" { "baseUrl": "http://127.0.0.1:8080/v1" }\n  }\n}\n';
    const good = broken.replace('"local" {', '"local": { // at home\n     ');
    await writeFile(path, broken);
    await writeFile(draft, broken);
    try {
      const loaded = await service.call("load_model_config", {});
      expect(loaded.error).toMatchObject({
        code: "CONFLICT",
        message: expect.stringContaining(`${path}:3:13: ":" is`),
      });
      const refused = await service.call("import_model_config_from_path", { path: draft });
      expect(refused.error).toMatchObject({ code: "INVALID_PAYLOAD", message: expect.stringContaining(":3:13: ") });
      expect(await readFile(path, "utf8")).toBe(broken);

      await writeFile(draft, good);
      const { backup_name } = await service.ask<{ backup_name: string }>("import_model_config_from_path", {
        path: draft,
      });
      expect(await readFile(path, "utf8")).toBe(good);
      expect(await service.ask("load_model_config")).toMatchObject({
        exists: true,
        config: { providers: { local: { baseUrl: "http://127.0.0.1:8080/v1" } } },
      });
      expect(await service.ask("list_model_config_backups")).toMatchObject([
        { backup_name, size_bytes: broken.length },
      ]);
      await service.ask("save_model_config", { providers: {} });
      const [newest] = await service.ask<{ backup_name: string }[]>("list_model_config_backups");
      await service.ask("restore_model_config_backup", { backup_name: newest?.backup_name });
      expect(await readFile(path, "utf8")).toBe(good);
    } finally {
      await rm(draft, { force: true });
    }
  });
});

describe("what nobody is told", () => {
  const SECRET = "sk-never-in-any-answer";
  const KEY = "sk-in-the-model-configuration";
  let service: RealService;
  let token: string;

  beforeAll(async () => {
    service = await startRealService({
      config: { agent_command: FAKE_AGENT, ...SHARING },
      expectedProblems: [SUGGESTS_PROXY],
    });
    const agent = join(service.home.folder, "agent");
    await writeFile(join(agent, "auth.json"), JSON.stringify({ provider: { type: "api_key", key: SECRET } }));
    await writeFile(join(agent, "mcp-auth.json"), JSON.stringify({ servers: { one: { access_token: SECRET } } }));
    const headers = { Authorization: `Bearer ${SECRET}` };
    await writeFile(join(agent, "mcp.json"), JSON.stringify({ mcpServers: { one: { url: "http://one", headers } } }));
    await service.ask("save_model_config", { providers: { local: { apiKey: KEY } } });
    token = (await service.ask<{ token: string }>("create_token", { name: "reader", scope: "read" })).token;
  });

  afterAll(() => service[Symbol.asyncDispose]());

  const headers = () => ({ ...STRANGER, Authorization: `Bearer ${token}` });

  async function ask(command: string, payload: unknown): Promise<CommandResponse> {
    const answer = await fetch(`${service.url}/api`, {
      method: "POST",
      headers: { "Content-Type": "application/json", ...headers() },
      body: JSON.stringify({ command, payload }),
    });
    return (await answer.json()) as CommandResponse;
  }

  it.each([...registry])("%s tells no secret, and a token that may only read no key", async (name, { access }) => {
    const { required, fails = null } = (await cases[name]?.(service)) ?? { required: {} };
    await using socket = await TestSocket.open(service.url, { headers: headers() });
    for (const response of [await ask(name, required), await socket.ask(name, required)]) {
      expect(response.error?.code ?? null).toBe(access === "read" ? fails : "FORBIDDEN");
      for (const secret of [SECRET, KEY, token]) expect(JSON.stringify(response)).not.toContain(secret);
    }
    const own = await service.call(name, required);
    expect(own.error?.code ?? null).toBe(fails);
    for (const secret of [SECRET, token]) expect(JSON.stringify(own)).not.toContain(secret);
  });
});

it("an agent's home that cannot be written is left as it is, and read", async () => {
  await using service = await startRealService();
  const agent = join(service.home.folder, "agent");
  const work = await service.ask<Tag>("create_tag", { name: "work", color: "#336699" });
  const bundle = await service.ask<object>("get_config_bundle");
  const versions = await service.ask("list_config_versions");
  const isRoot = process.geteuid?.() === 0;
  for (const directory of ["", "data", "config"]) await chmod(join(service.home.folder, directory), 0o777);
  await chmod(agent, 0o555);
  // Root may write everywhere.
  if (isRoot) process.seteuid?.("nobody");
  try {
    const changed = { ...bundle, server: { http_port: 1 }, tags: [], agent_settings: { theme: "dark" } };
    for (const [command, payload] of [
      ["save_config_bundle", changed],
      ["save_model_config", { providers: {} }],
    ] as const) {
      expect((await service.call(command, payload)).error).toMatchObject({
        code: "READ_ONLY",
        message: expect.stringContaining(agent),
      });
    }
    expect(await service.ask("get_config_bundle")).toEqual(bundle);
    expect(await service.ask("list_config_versions")).toEqual(versions);
    // Those that are kept elsewhere still change.
    const { branched } = service.home.paths;
    await service.ask("assign_tag", { session_path: branched, tag_id: work.id });
  } finally {
    if (isRoot) process.seteuid?.(0);
    await chmod(agent, 0o755);
  }
});
