import { copyFile, mkdir, readdir, readFile, rename, rm, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { isDeepStrictEqual } from "node:util";
import { ERROR_STATUS, type ErrorCode } from "@sm/core";
import { registry } from "@sm/router";
import { openApiDocument } from "@sm/router/description";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { FAKE_AGENT } from "./program-cases.ts";
import { type RealService, SHARING, SUGGESTS_PROXY, startRealService } from "./real-service.ts";
import { STRANGER } from "./transports.ts";

interface Operation {
  operationId: string;
  requestBody?: { content: { "application/json": { example?: unknown } } };
  responses: Record<string, object>;
}

const HOME = "/home/me";

/**
 * Examples with ids that the service made for somebody else, with outputs of another agent, or of a session that was
 * deleted. What is there for everybody who follows the reference, such as files, is in the
 * home of this test.
 */
const OF_OTHERS = [
  "read_tool_output",
  "set_bookmark",
  "update_tag",
  "delete_tag",
  "assign_tag",
  "remove_tag",
  "revoke_token",
  "get_config_version",
  "restore_config_version",
  "diff_config_versions",
  "restore_model_config_backup",
  "terminal_write",
  "terminal_resize",
  "terminal_close",
  "attach_terminal",
  "stop_coding_session",
  "get_coding_agent_entries",
  "send_coding_agent_rpc",
  "abort_coding_session",
  "clear_coding_session_queue",
  "get_coding_session_thinking_levels",
  "set_coding_session_model",
  "name_coding_session",
  "get_coding_session_models",
  "get_coding_session_commands",
  "find_coding_session_files",
  "answer_coding_agent_request",
  "revoke_share",
  "remove_push_device",
];

/** Examples about what the vault keeps of a session, which is in it soon. */
const OF_THE_VAULT = ["list_generations", "restore_session", "forget_session"];

/** Examples about what only a hub has. */
const OF_A_HUB = [
  "list_hub_users",
  "list_shared_projects",
  "share_project",
  "unshare_project",
  "list_reads",
  "list_retention",
  "set_retention",
  "remove_retention",
  "preview_retention",
];

const MODELS = { providers: { mine: { baseUrl: "http://127.0.0.1:1/v1", apiKey: "kept", models: [{ id: "m" }] } } };
const SETTINGS = { defaultModel: "m", theme: "dark" };

let service: RealService;
let operations: Operation[];
/** What /home/me is here, and what its agent's home is. */
let user: string;

beforeAll(async () => {
  service = await startRealService({
    config: { agent_command: FAKE_AGENT, log_level: "info", ...SHARING },
    expectedProblems: [SUGGESTS_PROXY],
  });
  user = process.env.HOME ?? "";
  const description = await (await fetch(`${service.url}/api/openapi.json`)).json();
  operations = Object.entries(description.paths as Record<string, { post: Operation }>)
    .filter(([path]) => path.startsWith("/api/commands/"))
    .map(([, { post }]) => post);
  await vi.waitFor(async () => expect(await service.ask("list_config_versions")).toHaveLength(1), 30_000);
});
afterAll(() => service[Symbol.asyncDispose]());

/** Moves what is said of /home/me to the disposable home. */
function moved(example: unknown): object {
  const text = JSON.stringify(example).replaceAll(`${HOME}/.pi`, service.home.folder).replaceAll(HOME, user);
  return JSON.parse(text);
}

/** Every file that examples name, and those that they may change, as they are before each example. */
async function writeUserFiles(): Promise<Map<string, string>> {
  const { folder, paths } = service.home;
  const session = join(folder, "agent", "sessions", "--home-me-project--");
  const id = "0198c1f2-7a3b-7c4d-8e5f-6a7b8c9d0e1f";
  const branched = await readFile(paths.branched, "utf8");
  const files: Record<string, string> = {
    [join(session, `2026-01-31T10-00-00-000Z_${id}.jsonl`)]: branched.replace('"id":"branched"', `"id":"${id}"`),
    [join(folder, "agent", "models.json")]: `${JSON.stringify(MODELS, null, 2)}\n`,
    [join(folder, "agent", "settings.json")]: `${JSON.stringify(SETTINGS, null, 2)}\n`,
    [join(folder, "agent", "prompts", "review.md")]: "Review $1.\n",
    [join(folder, "config", "session-manager.json")]:
      `${JSON.stringify({ http_port: 0, agent_command: FAKE_AGENT })}\n`,
    [join(user, "project", "notes.txt")]: "Mine.\n",
    [join(user, "more-sessions", "notes.txt")]: "Mine too.\n",
  };
  for (const [path, content] of Object.entries(files)) {
    await mkdir(dirname(path), { recursive: true });
    // The service, which watches some of them, must not see half of one.
    await writeFile(join(user, "new"), content);
    await rename(join(user, "new"), path);
  }
  return new Map(Object.entries(files));
}

async function contentsBelow(...folders: string[]): Promise<string[]> {
  const contents: string[] = [];
  for (const folder of folders) {
    for (const entry of await readdir(folder, { recursive: true, withFileTypes: true })) {
      if (entry.isFile()) contents.push(await readFile(join(entry.parentPath, entry.name), "utf8"));
    }
  }
  return contents;
}

/** Bundles of the configurations that there have been. */
async function keptConfigurations(): Promise<Record<string, unknown>[]> {
  const versions = await service.ask<{ id: string }[]>("list_config_versions");
  return Promise.all(
    versions.map(async ({ id }) => {
      return (await service.ask<{ bundle: Record<string, unknown> }>("get_config_version", { id })).bundle;
    }),
  );
}

/** Lists the files whose content is neither where it was, nor anywhere else, nor in a version that can be restored. */
async function lostOf(files: Map<string, string>): Promise<string[]> {
  const lost: string[] = [];
  for (const [path, content] of files) {
    const now = await readFile(path, "utf8").catch(() => null);
    if (now?.startsWith(content)) continue;
    if ((await contentsBelow(service.home.folder, user)).includes(content)) continue;
    const configurations = path.endsWith(".json") ? (await keptConfigurations()).flatMap(Object.values) : [];
    if (!configurations.some((part) => isDeepStrictEqual(part, JSON.parse(content)))) lost.push(path);
  }
  return lost;
}

describe("GET /api/openapi.json", () => {
  it("describes the service that answers, relative to where that is", async () => {
    const answer = await fetch(`${service.url}/api/openapi.json`);
    expect(answer.headers.get("content-type")).toBe("application/json");
    const text = await answer.text();
    expect(text).toBe(JSON.stringify(openApiDocument(registry, { server: ".." })));
    const { servers } = JSON.parse(text) as { servers: { url: string }[] };
    expect(servers.map(({ url }) => new URL(url, answer.url).href)).toEqual([`${service.url}/`]);
  });

  it("is for whoever may call commands", async () => {
    const answer = await fetch(`${service.url}/api/openapi.json`, { headers: STRANGER });
    expect(answer.status).toBe(401);
    expect(await answer.json()).toMatchObject({ success: false, error: { code: "UNAUTHORIZED" } });
  });
});

describe("the example of", () => {
  it.each([...registry.keys()])("%s works, or fails as the reference says, and loses nothing", async (name) => {
    const operation = operations.find(({ operationId }) => operationId === name);
    const files = await writeUserFiles();
    const copy = join(user, "models-copy.json");
    await rm(copy, { force: true });
    if (name.startsWith("import_")) await copyFile(join(service.home.folder, "agent", "models.json"), copy);
    const payload = moved(operation?.requestBody?.content["application/json"].example);
    if (OF_THE_VAULT.includes(name)) {
      const { path } = payload as { path: string };
      await vi.waitFor(() => service.ask("list_generations", { path }), { timeout: 30_000 });
    }
    if (name === "undelete_session") await service.ask("delete_session", { path: (payload as { path: string }).path });
    const { success, error } = await service.call(name, payload);
    if (OF_OTHERS.includes(name)) {
      const code: ErrorCode = "NOT_FOUND";
      expect(error).toMatchObject({ code });
      expect(operation?.responses).toHaveProperty(`${ERROR_STATUS[code]}`);
    } else if (OF_A_HUB.includes(name)) {
      expect(error).toMatchObject({ code: "UNAVAILABLE" });
    } else {
      expect({ success, error }).toEqual({ success: true, error: null });
    }
    expect(await lostOf(files)).toEqual([]);
  });

  it("this test notices what is lost", async () => {
    const files = await writeUserFiles();
    const models = join(service.home.folder, "agent", "models.json");
    files.set(models, '{"providers": {"never": "kept"}}\n');
    expect(await lostOf(files)).toEqual([models]);
  });
});
