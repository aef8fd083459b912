import { mkdir, writeFile } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import type { CommandCase } from "./command-case.ts";
import { programCases } from "./program-cases.ts";
import type { RealService } from "./real-service.ts";
import type { SampleHome } from "./sample-home.ts";

/**
 * A case for every command, with every field that its payload may have. Commands that write get a session that nothing
 * has touched, so that a case can be asked for as often as a test sends something.
 */
export const cases: Record<string, (service: RealService) => CommandCase | Promise<CommandCase>> = {
  ping: () => ({ required: {}, optional: {} }),
  list_commands: () => ({ required: {}, optional: {} }),
  scan_sessions: () => ({ required: {}, optional: {} }),
  list_sessions: async (service) => ({
    required: {},
    optional: {
      query: "names",
      project: "/home/user/project",
      tag_ids: ["tag"],
      favorites_only: false,
      subagents: "all",
      parent_path: service.home.paths.branched,
      format: "pi",
      since: "2026-01-01",
      until: "2027-02-01T00:00:00Z",
      sort: "modified",
      order: "desc",
      limit: 10,
      cursor: await nextCursor(service, "list_sessions", { limit: 1 }),
    },
  }),
  rename_session: async ({ home }) => ({ required: { path: await home.copy(), name: " New\nname " }, optional: {} }),
  preview_deletion: ({ home }) => ({ required: { path: home.paths.branched }, optional: {} }),
  delete_session: async ({ home }) => ({ required: { path: await home.copy() }, optional: { force: true } }),
  delete_sessions: async ({ home }) => ({
    required: { paths: [await home.copy(), home.missing, await home.copy(), home.outside] },
    optional: {},
  }),
  fork_session: async ({ home }) => ({ required: { path: await home.copy() }, optional: { entry_id: "b5" } }),
  read_session_file: ({ home }) => ({ required: { path: home.paths.raw }, optional: {} }),
  read_session_entries: ({ home }) => ({
    required: { path: home.paths.branched },
    optional: { leaf_id: "b5", before: "b4", after: "b1", limit: 1 },
  }),
  read_transcript: ({ home }) => ({
    required: { path: home.paths.branched },
    optional: { leaf_id: "b5", before: "b4", after: "b1", limit: 1 },
  }),
  read_tool_output: async ({ home }) => ({
    required: { path: await home.withOutput(), entry_id: "o1" },
    optional: {},
  }),
  read_session_tree: ({ home }) => ({ required: { path: home.paths.branched }, optional: {} }),
  export_session: ({ home }) => ({
    required: { path: home.paths.branched, format: "html" },
    optional: { leaf_id: "b5", include_thinking: false, include_tools: false, redact: true, theme: "light" },
  }),
  preview_redactions: ({ home }) => ({
    required: { path: home.paths.branched },
    optional: { leaf_id: "b5", include_thinking: false, include_tools: false },
  }),
  export_sessions: ({ home }) => ({
    required: { paths: [home.paths.branched, home.paths.plain], format: "markdown" },
    optional: {
      include_thinking: false,
      include_tools: false,
      redact: true,
      theme: "light",
      include_subagents: true,
    },
  }),
  find_in_session: async (service) => {
    const { branched } = service.home.paths;
    const cursor = await nextCursor(service, "find_in_session", { path: branched, query: "name", limit: 1 });
    return {
      required: { path: branched, query: "name" },
      optional: { leaf_id: "b5", role: "all", limit: 1, cursor },
    };
  },
  search: async (service) => ({
    required: { query: "name" },
    optional: {
      path: service.home.paths.branched,
      role: "tool",
      project: "/home/user/project",
      since: "2026-01-01",
      until: "2027-02-01",
      tag_ids: ["tag"],
      format: "pi",
      sort: "relevance",
      limit: 5,
      cursor: await nextCursor(service, "search", { query: "name", limit: 1 }),
      per_session: 1,
    },
  }),
  get_session_stats: () => ({
    required: {},
    optional: {
      since: "2026-01-01",
      until: "2027-02-01T00:00:00Z",
      project: "/home/user/project",
      format: "pi",
      time_zone: "Europe/Berlin",
    },
  }),
  list_favorites: () => ({ required: {}, optional: {} }),
  toggle_favorite: async ({ home }) => ({ required: { path: await home.copy() }, optional: {} }),
  get_all_session_dirs: () => ({ required: {}, optional: {} }),
  get_session_paths: () => ({ required: {}, optional: {} }),
  save_session_paths: async ({ home }) => {
    const further = join(home.folder, "further");
    await mkdir(further, { recursive: true });
    return { required: { paths: [further] }, optional: {} };
  },
  get_agent_homes: () => ({ required: {}, optional: {} }),
  save_agent_homes: async ({ home }) => {
    const codex = join(home.folder, "codex");
    await mkdir(join(codex, "sessions"), { recursive: true });
    return {
      required: { agents: { codex: { enabled: true, homes: [codex] }, omp: { enabled: false, homes: [] } } },
      optional: {},
      wrong: { agents: 1 },
    };
  },
  get_config_bundle: () => ({ required: {}, optional: {} }),
  save_config_bundle: async (service) => ({
    required: await service.ask<Record<string, unknown>>("get_config_bundle"),
    optional: {},
    wrong: { server: 1, preferences: 1, agent_settings: 1, model_config: 1 },
  }),
  list_config_versions: () => ({ required: {}, optional: {} }),
  get_config_version: async (service) => ({ required: { id: await newestVersion(service) }, optional: {} }),
  restore_config_version: async (service) => ({ required: { id: await newestVersion(service) }, optional: {} }),
  diff_config_versions: async (service) => {
    const id = await newestVersion(service);
    return { required: { from: id, to: id }, optional: {} };
  },
  load_model_config: () => ({ required: {}, optional: {} }),
  save_model_config: () => ({ required: MODELS, optional: {}, wrong: { providers: 1 } }),
  import_model_config_from_path: async ({ home }) => {
    const path = await outside(home, "import.json");
    await writeFile(path, JSON.stringify(MODELS));
    return { required: { path }, optional: {} };
  },
  export_model_config_to_path: async (service) => {
    await service.ask("save_model_config", MODELS);
    const path = await outside(service.home, `${nextNumber(service)}.json`);
    return { required: { path }, optional: { overwrite: true } };
  },
  list_model_config_backups: () => ({ required: {}, optional: {} }),
  restore_model_config_backup: async (service) => {
    for (let time = 0; time < 2; time++) await service.ask("save_model_config", MODELS);
    const [backup] = await service.ask<{ backup_name: string }[]>("list_model_config_backups");
    return { required: { backup_name: backup?.backup_name }, optional: {} };
  },
  list_skills: ({ home }) => ({ required: {}, optional: { project: home.folder } }),
  list_prompts: ({ home }) => ({ required: {}, optional: { project: home.folder } }),
  list_themes: ({ home }) => ({ required: {}, optional: { project: home.folder } }),
  read_resource: async ({ home }) => {
    const path = join(home.folder, "agent", "prompts", "review.md");
    await mkdir(dirname(path), { recursive: true });
    await writeFile(path, "Review $1.");
    return { required: { path }, optional: {} };
  },
  list_tags: () => ({ required: {}, optional: {} }),
  create_tag: async (service) => ({
    required: { name: ` tag ${nextNumber(service)} `, color: "#AABBCC" },
    optional: { parent_id: (await newTag(service)).id },
  }),
  update_tag: async (service) => ({
    required: { id: (await newTag(service)).id },
    optional: { name: `tag ${nextNumber(service)}`, color: "#000000", parent_id: null },
  }),
  delete_tag: async (service) => ({ required: { id: (await newTag(service)).id }, optional: {} }),
  assign_tag: async (service) => ({
    required: { session_path: await service.home.copy(), tag_id: (await newTag(service)).id },
    optional: {},
    instead: ["session_paths"],
  }),
  remove_tag: async (service) => ({
    required: { session_path: await service.home.copy(), tag_id: (await newTag(service)).id },
    optional: {},
    instead: ["session_paths"],
  }),
  list_tokens: () => ({ required: {}, optional: {} }),
  create_token: () => ({
    required: { name: " Laptop " },
    optional: { scope: "read", expires_at: "2999-12-31T23:59:59+01:00" },
  }),
  revoke_token: async (service) => ({
    required: { id: (await service.ask<{ id: string }>("create_token", { name: "Phone" })).id },
    optional: {},
  }),
  ...programCases,
};

const MODELS = { providers: { local: { baseUrl: "http://127.0.0.1:1/v1", models: [{ id: "model-1" }] } } };

/** A file of a service's own that is no part of the agent's home; it goes with the user's. */
async function outside(home: SampleHome, name: string): Promise<string> {
  const folder = join(process.env.HOME ?? "", basename(home.folder));
  await mkdir(folder, { recursive: true });
  return join(folder, name);
}

/** How many names a service has been given: the same ones in the same order, whatever the transport. */
const numbers = new WeakMap<RealService, number>();

function nextNumber(service: RealService): number {
  const number = (numbers.get(service) ?? 0) + 1;
  numbers.set(service, number);
  return number;
}

function newTag(service: RealService): Promise<{ id: string }> {
  return service.ask("create_tag", { name: `tag ${nextNumber(service)}`, color: "#112233" });
}

async function newestVersion(service: RealService): Promise<string | undefined> {
  return (await service.ask<{ id: string }[]>("list_config_versions"))[0]?.id;
}

async function nextCursor(service: RealService, command: string, payload: object): Promise<string | null> {
  return (await service.ask<{ next_cursor: string | null }>(command, payload)).next_cursor;
}
