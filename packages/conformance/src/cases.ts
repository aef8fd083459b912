import { createECDH, randomBytes, randomUUID } from "node:crypto";
import { mkdir, rm, writeFile } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import type { CaseHome, CaseService, CommandCase } from "./command-case.ts";
import { programCases } from "./program-cases.ts";

/**
 * A case for every command, with every field that its payload may have. Commands that write get a session that nothing
 * has touched, so that a case can be asked for as often as a test sends something.
 */
export const cases: Record<string, (service: CaseService) => CommandCase | Promise<CommandCase>> = {
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
      owner: "ada",
      since: "2026-01-01",
      until: "2027-02-01T00:00:00Z",
      sort: "modified",
      order: "desc",
      limit: 10,
      cursor: await nextCursor(service, "list_sessions", { limit: 1 }),
      archived: "include",
      with_total_size: true,
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
  convert_session: async ({ home }) => ({
    required: { path: await home.copy(), to: "codex" },
    optional: { entry_id: "b5", redact_words: ["Ada"] },
  }),
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
    optional: {
      leaf_id: "b5",
      include_thinking: false,
      include_tools: false,
      include_notes: true,
      redact: true,
      redact_words: ["Ada", "tide clock"],
      theme: "light",
      include_subagents: true,
    },
  }),
  preview_redactions: ({ home }) => ({
    required: { path: home.paths.branched },
    optional: {
      leaf_id: "b5",
      include_thinking: false,
      include_tools: false,
      include_notes: true,
      redact_words: ["Ada"],
      include_subagents: true,
    },
  }),
  export_sessions: ({ home }) => ({
    required: { paths: [home.paths.branched, home.paths.plain], format: "markdown" },
    optional: {
      include_thinking: false,
      include_tools: false,
      include_notes: true,
      redact: true,
      redact_words: ["Ada"],
      theme: "light",
      include_subagents: true,
    },
  }),
  read_session_changes: ({ home }) => ({
    required: { path: home.paths.branched },
    optional: { leaf_id: "b5", files: ["/home/user/project/a.ts"] },
  }),
  list_change_sums: ({ home }) => ({ required: { paths: [home.paths.branched, home.missing] }, optional: {} }),
  share_session: ({ home }) => ({
    required: { path: home.paths.branched },
    optional: {
      leaf_id: "b5",
      include_thinking: false,
      include_tools: false,
      include_notes: true,
      redact_words: ["Ada"],
      theme: "light",
      include_subagents: true,
      expires_at: new Date(Date.now() + 30 * 86_400_000).toISOString(),
    },
  }),
  list_shares: ({ home }) => ({ required: {}, optional: { path: home.paths.branched } }),
  list_push_devices: () => ({ required: {}, optional: {} }),
  add_push_device: () => ({ required: browser(), optional: {} }),
  remove_push_device: async (service) => {
    const { id } = await service.ask<{ id: string }>("add_push_device", browser());
    return { required: { id }, optional: {} };
  },
  revoke_share: async (service) => {
    const { id } = await service.ask<{ id: string }>("share_session", { path: service.home.paths.plain });
    return { required: { id }, optional: {} };
  },
  find_in_session: async (service) => {
    const { branched } = service.home.paths;
    const cursor = await nextCursor(service, "find_in_session", { path: branched, query: "name", limit: 1 });
    return {
      required: { path: branched, query: "name" },
      optional: { leaf_id: "b5", role: "all", limit: 1, cursor },
    };
  },
  list_file_names: () => ({ required: { prefix: "a." }, optional: { limit: 1 } }),
  search: async (service) => ({
    required: { query: "name" },
    optional: {
      path: service.home.paths.branched,
      archived: "include",
      role: "tool",
      project: "/home/user/project",
      since: "2026-01-01",
      until: "2027-02-01",
      tag_ids: ["tag"],
      format: "pi",
      owner: "ada",
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
      owner: "ada",
      stack_by: "model",
      time_zone: "Europe/Berlin",
    },
  }),
  list_favorites: () => ({ required: {}, optional: {} }),
  toggle_favorite: async ({ home }) => ({ required: { path: await home.copy() }, optional: {} }),
  archive_session: async ({ home }) => ({
    required: { paths: [await home.copy(), home.missing, home.outside] },
    optional: {},
  }),
  unarchive_session: async (service) => {
    const path = await service.home.copy();
    await service.ask("archive_session", { paths: [path] });
    return { required: { paths: [path, service.home.missing] }, optional: {} };
  },
  set_note: ({ home }) => ({
    required: { path: home.paths.branched, text: "Keep" },
    optional: { entry_id: "b5" },
  }),
  list_notes: async (service) => {
    const path = await service.home.copy();
    await service.ask("set_note", { path, text: "One" });
    return { required: {}, optional: { path } };
  },
  set_bookmark: async ({ home }) => ({
    required: { path: await home.copy(), entry_id: "b5", bookmarked: true },
    optional: { label: "Good" },
  }),
  list_bookmarks: ({ home }) => ({ required: {}, optional: { path: home.paths.branched } }),
  get_vault_status: async (service) => {
    await allKept(service);
    return { required: {}, optional: {} };
  },
  preview_vault_limits: async (service) => {
    await allKept(service);
    return { required: {}, optional: { max_bytes: 1_000_000_000_000, deleted_days: 30, replaced_days: 30 } };
  },
  list_generations: async (service) => ({ required: { path: await keptSession(service) }, optional: {} }),
  restore_session: async (service) => {
    const path = await vanishedSession(service);
    const [newest] = await service.ask<{ generation: number }[]>("list_generations", { path });
    const to = join(dirname(path), `restored-${nextNumber(service)}.jsonl`);
    return { required: { path }, optional: { to, generation: newest?.generation } };
  },
  forget_session: async (service) => ({ required: { path: await keptSession(service) }, optional: {} }),
  list_deleted_sessions: () => ({ required: {}, optional: {} }),
  undelete_session: async (service) => {
    const path = await keptSession(service);
    await service.ask("delete_session", { path });
    return { required: { path }, optional: {} };
  },
  verify_vault: () => ({ required: {}, optional: {} }),
  get_all_session_dirs: () => ({ required: {}, optional: {} }),
  get_session_paths: () => ({ required: {}, optional: {} }),
  save_session_paths: async ({ home }) => {
    const further = join(home.folder, "further");
    await mkdir(further, { recursive: true });
    return { required: { paths: [further] }, optional: {} };
  },
  get_config_overrides: () => ({ required: {}, optional: {} }),
  get_hub_status: () => ({ required: {}, optional: {} }),
  save_hub: () => ({ required: { hub: null }, optional: {}, wrong: { hub: 1 } }),
  list_hub_users: () => ({ required: {}, optional: {}, fails: "UNAVAILABLE" }),
  list_shared_projects: () => ({ required: {}, optional: {}, fails: "UNAVAILABLE" }),
  share_project: () => ({
    required: { project: "/home/user/project" },
    optional: { users: [randomUUID()], everybody: true },
    fails: "UNAVAILABLE",
  }),
  unshare_project: () => ({
    required: { project: "/home/user/project" },
    optional: { users: [randomUUID()], everybody: true },
    fails: "UNAVAILABLE",
  }),
  list_reads: ({ home }) => ({
    required: {},
    optional: { limit: 10, cursor: "next", path: home.paths.branched },
    fails: "UNAVAILABLE",
  }),
  list_retention: () => ({ required: {}, optional: {}, fails: "UNAVAILABLE" }),
  set_retention: () => ({
    required: { project: "/home/user/project", days: 365 },
    optional: { include_marked: true },
    fails: "UNAVAILABLE",
  }),
  remove_retention: () => ({ required: { project: null }, optional: {}, fails: "UNAVAILABLE" }),
  preview_retention: () => ({
    required: {},
    optional: { rule: { project: null, days: 365, include_marked: false }, limit: 10 },
    wrong: { rule: 1 },
    fails: "UNAVAILABLE",
  }),
  get_agent_homes: () => ({ required: {}, optional: {} }),
  get_budget: () => ({ required: {}, optional: {} }),
  save_budget: () => ({ required: { day_usd: 20, week_usd: null, month_usd: 300 }, optional: {} }),
  save_agent_homes: async ({ home }) => {
    const codex = join(home.folder, "codex");
    await mkdir(join(codex, "sessions"), { recursive: true });
    return {
      required: { agents: { codex: { enabled: true, homes: [codex] }, omp: { enabled: false, homes: [] } } },
      optional: {},
      wrong: { agents: 1 },
    };
  },
  get_config_bundle: () => ({ required: {}, optional: { include_marks: true } }),
  save_config_bundle: async (service) => {
    const { marks, ...required } = await service.ask<Record<string, unknown>>("get_config_bundle", {
      include_marks: true,
    });
    return {
      required,
      optional: { marks },
      wrong: { server: 1, preferences: 1, agent_settings: 1, model_config: 1, marks: 1 },
    };
  },
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
async function outside(home: CaseHome, name: string): Promise<string> {
  const folder = join(process.env.HOME ?? "", basename(home.folder));
  await mkdir(folder, { recursive: true });
  return join(folder, name);
}

/** How many names a service has been given: the same ones in the same order, whatever the transport. */
const numbers = new WeakMap<CaseService, number>();

function nextNumber(service: CaseService): number {
  const number = (numbers.get(service) ?? 0) + 1;
  numbers.set(service, number);
  return number;
}

/** A new session that the vault has. */
async function keptSession(service: CaseService): Promise<string> {
  const path = await service.home.copy();
  await service.ask("scan_sessions");
  await waitUntil(async () => (await service.call("list_generations", { path })).success);
  return path;
}

/** A session whose file is gone. */
async function vanishedSession(service: CaseService): Promise<string> {
  const path = await keptSession(service);
  await rm(path);
  await waitUntil(async () => {
    const records = await service.ask<{ path: string; source: string }[]>("scan_sessions");
    return records.some((record) => record.path === path && record.source === "vault");
  });
  return path;
}

/** Waits until the vault has caught up: how much is pending depends on when it is asked. */
async function allKept(service: CaseService): Promise<void> {
  await waitUntil(async () => (await service.ask<{ pending: number }>("get_vault_status")).pending === 0);
}

async function waitUntil(isTrue: () => Promise<boolean>): Promise<void> {
  while (!(await isTrue())) await new Promise((resolve) => setTimeout(resolve, 10));
}

function newTag(service: CaseService): Promise<{ id: string }> {
  return service.ask("create_tag", { name: `tag ${nextNumber(service)}`, color: "#112233" });
}

async function newestVersion(service: CaseService): Promise<string | undefined> {
  return (await service.ask<{ id: string }[]>("list_config_versions"))[0]?.id;
}

async function nextCursor(service: CaseService, command: string, payload: object): Promise<string | null> {
  return (await service.ask<{ next_cursor: string | null }>(command, payload)).next_cursor;
}

/** A browser's subscription at a push service that is nowhere. */
function browser(): Record<string, unknown> {
  const keys = createECDH("prime256v1");
  return {
    name: "Firefox on Android",
    endpoint: "https://push.example.invalid/send/1",
    p256dh: keys.generateKeys("base64url"),
    auth: randomBytes(16).toString("base64url"),
  };
}
