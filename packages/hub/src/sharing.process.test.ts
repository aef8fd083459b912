import { randomUUID } from "node:crypto";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { hubPath } from "@sm/core";
import { type CommandResponse, registry } from "@sm/router";
import { createClient } from "@sm/router/client";
import { PostgresDatabase, SentFiles, Users, withUserAccounts } from "@sm/store-postgres";
import { needsPostgres, type PostgresServer, startPostgres } from "@sm/store-postgres/postgres-server.fixture";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { type RunningHub, startHub } from "./start-hub.ts";

const log = { info: () => {}, warn: () => {}, error: () => {} };

/** Who asks: the user whose sessions they are, one with whom one project is shared, and others. */
const PEOPLE = {
  ada: "member",
  ben: "member",
  carl: "member",
  rita: "reader",
  olga: "owner",
} as const;
type Person = keyof typeof PEOPLE;

/** Projects of ada's, each with a session, and who else may read it. */
const PROJECTS: Record<string, readonly Person[]> = {
  "/code/private": [],
  "/code/shared": ["ben", "rita"],
  "/code/open": ["ben", "carl", "rita", "olga"],
};

type Payload = (path: string, project: string) => object;

/**
 * What a command does with a session of somebody:
 * - `read`: whoever may read it gets an answer;
 * - `list`: the answer has its path for those who may read it;
 * - `shares`: the same with projects, where they are shared at all;
 * - `mark`: whoever may read it marks it for themselves, unless the role is `reader`;
 * - `change`: only its owner changes it;
 * - `blind`: answers alike whatever session is named;
 * - `apart`: has nothing to do with sessions of others.
 */
type Manner = "read" | "list" | "shares" | "mark" | "change" | "blind";

const PLACED: Record<string, readonly [Manner, Payload] | "apart"> = {
  scan_sessions: ["list", () => ({})],
  list_sessions: ["list", () => ({ limit: 500 })],
  search: ["list", () => ({ query: "tide", limit: 200 })],
  get_session_stats: ["list", () => ({})],
  list_change_sums: ["list", (path) => ({ paths: [path] })],
  list_shared_projects: ["shares", () => ({})],
  read_session_file: ["read", (path) => ({ path })],
  read_session_entries: ["read", (path) => ({ path })],
  read_transcript: ["read", (path) => ({ path })],
  read_session_tree: ["read", (path) => ({ path })],
  read_session_changes: ["read", (path) => ({ path })],
  find_in_session: ["read", (path) => ({ path, query: "tide" })],
  export_session: ["read", (path) => ({ path, format: "markdown" })],
  export_sessions: ["read", (path) => ({ paths: [path], format: "markdown" })],
  preview_redactions: ["read", (path) => ({ path })],
  convert_session: ["mark", (path) => ({ path, to: "codex" })],
  toggle_favorite: ["mark", (path) => ({ path })],
  set_note: ["mark", (path) => ({ path, text: "Mine" })],
  set_bookmark: ["mark", (path) => ({ path, entry_id: "a", bookmarked: true })],
  rename_session: ["change", (path) => ({ path, name: "Renamed" })],
  archive_session: ["change", (path) => ({ paths: [path] })],
  unarchive_session: ["change", (path) => ({ paths: [path] })],
  // An entry without an output of its own, of whatever session.
  read_tool_output: ["blind", (path) => ({ path, entry_id: "a" })],
  delete_session: ["blind", (path) => ({ path })],
  preview_deletion: ["blind", (path) => ({ path })],
  fork_session: ["blind", (path) => ({ path })],
  list_generations: ["blind", (path) => ({ path })],
  restore_session: ["blind", (path) => ({ path })],
  forget_session: ["blind", (path) => ({ path })],
  undelete_session: ["blind", (path) => ({ path })],
  share_session: ["blind", (path) => ({ path })],
  list_shares: ["blind", (path) => ({ path })],
  start_coding_session: ["blind", (path) => ({ session_path: path })],
  ...Object.fromEntries(
    [
      // Marks of one's own, tested with the commands that set them, or below.
      ...["list_favorites", "list_notes", "list_bookmarks", "assign_tag", "remove_tag", "list_tags", "create_tag"],
      ...["update_tag", "delete_tag", "delete_sessions", "list_file_names", "list_deleted_sessions", "list_reads"],
      ...["list_hub_users", "share_project", "unshare_project", "ping", "list_commands", "get_hub_status", "save_hub"],
      ...["get_vault_status", "preview_vault_limits", "verify_vault", "list_tokens", "create_token", "revoke_token"],
      ...["revoke_share", "list_push_devices", "add_push_device", "remove_push_device"],
      ...["list_retention", "set_retention", "remove_retention", "preview_retention"],
      // Of machines.
      ...["get_all_session_dirs", "get_session_paths", "save_session_paths", "get_config_overrides", "get_agent_homes"],
      ...["save_agent_homes", "get_budget", "save_budget", "get_config_bundle", "save_config_bundle"],
      ...["list_config_versions", "get_config_version", "restore_config_version", "diff_config_versions"],
      ...["load_model_config", "save_model_config", "import_model_config_from_path", "export_model_config_to_path"],
      ...["list_model_config_backups", "restore_model_config_backup", "list_skills", "list_prompts", "list_themes"],
      ...["read_resource", "create_terminal", "terminal_write", "terminal_resize", "terminal_close", "list_terminals"],
      ...["attach_terminal", "get_coding_live_sessions", "stop_coding_session", "get_coding_agent_entries"],
      ...["send_coding_agent_rpc", "clear_coding_session_queue", "get_coding_session_thinking_levels"],
      ...["abort_coding_session", "set_coding_session_model", "name_coding_session", "get_coding_session_commands"],
      ...["find_coding_session_files", "get_coding_session_models", "answer_coding_agent_request"],
      ...["register_coding_session", "report_coding_session", "take_coding_session_requests"],
    ].map((name) => [name, "apart"] as const),
  ),
};

function sessionOf(id: string, cwd: string): string {
  const at = "2026-03-01T10:00:00.000Z";
  const header = { type: "session", version: 3, id, timestamp: at, cwd };
  const message = { role: "user", content: [{ type: "text", text: "When does the tide turn?" }] };
  return [header, { type: "message", id: "a", parentId: null, timestamp: at, message }]
    .map((line) => `${JSON.stringify(line)}\n`)
    .join("");
}

describe.runIf(needsPostgres())("projects that are shared on a hub", () => {
  let postgres: PostgresServer;
  let database: PostgresDatabase;
  let hub: RunningHub;
  let folder: string;
  const tokens = new Map<Person, string>();
  const ids = new Map<string, string>();
  const machineId = randomUUID();
  const generations = new Map<string, string>();

  const fileOf = (project: string) => `/home/ada/.pi/agent/sessions/${project.slice(6)}.jsonl`;
  const pathOf = (project: string) => hubPath(machineId, fileOf(project));

  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), "hub-sharing-test-"));
    postgres = await startPostgres();
    const url = await postgres.newDatabase();
    const settings = {
      port: { value: "0", source: "test" },
      "config-dir": { value: folder, source: "test" },
      "log-level": { value: "fatal", source: "test" },
    };
    hub = await startHub({ version: "1.2.3", store: url, settings, output: { write() {} } });
    database = await PostgresDatabase.open({ url, log });
    await withUserAccounts({ url, log }, async (accounts) => {
      for (const [name, role] of Object.entries(PEOPLE)) tokens.set(name as Person, await accounts.add(name, role));
    });
    for (const { id, name } of await new Users(database).list()) ids.set(name, id);
    for (const project of Object.keys(PROJECTS)) await send(project, sessionOf(project, project));
    await vi.waitFor(async () => expect(await count("ada")).toBe(3), 20_000);
    await ask("ada", "share_project", { project: "/code/shared", users: [ids.get("ben"), ids.get("rita")] });
    await ask("ada", "share_project", { project: "/code/open", everybody: true });
    await vi.waitFor(async () => expect(await count("ben")).toBe(2), 20_000);
    await vi.waitFor(async () => expect(await count("carl")).toBe(1), 20_000);
  });

  afterAll(async () => {
    await hub.close();
    await database.close();
    await postgres.close();
    rmSync(folder, { recursive: true });
  });

  async function send(project: string, content: string, from = 0): Promise<void> {
    const files = new SentFiles(database, ids.get("ada") ?? "");
    await files.machine(machineId, "laptop");
    const generation = generations.get(project) ?? randomUUID();
    generations.set(project, generation);
    const bytes = Buffer.from(content);
    await files.append(
      {
        ...{ machineId, path: fileOf(project), ownerPath: null, format: "pi", sessionId: project },
        ...{ mode: 0o600, generation },
      },
      { offset: from, bytes: bytes.subarray(from), size: bytes.length },
    );
  }

  async function call(person: Person, command: string, payload: object): Promise<CommandResponse> {
    const response = await fetch(`${hub.url}/api`, {
      method: "POST",
      headers: { Authorization: `Bearer ${tokens.get(person)}`, "Content-Type": "application/json" },
      body: JSON.stringify({ command, payload }),
    });
    return (await response.json()) as CommandResponse;
  }

  async function ask<T>(person: Person, command: string, payload: object = {}): Promise<T> {
    const { data, error } = await call(person, command, payload);
    if (error !== null) throw new Error(`${command}: ${error.message}`);
    return data as T;
  }

  const count = async (person: Person) => (await ask<{ total: number }>(person, "list_sessions")).total;

  /** What an answer says of a session. */
  function outcomeOf({ data, error }: CommandResponse, path: string, project: string): string {
    if (error !== null) return error.code;
    const text = JSON.stringify(data);
    const [failed] = (data as { failed?: { error: { code: string } }[] } | null)?.failed ?? [];
    if (failed !== undefined) return failed.error.code;
    return text.includes(path) || text.includes(`"project":"${project}"`) ? "seen" : "answered";
  }

  /** Whose answer to a command may be what. */
  function expectedOf(person: Person, project: string, manner: Manner, access: string): RegExp {
    const isRefused = PEOPLE[person] === "reader" && access !== "read";
    if (isRefused) return /^FORBIDDEN$/;
    const isOwn = person === "ada";
    const isVisible = isOwn || PROJECTS[project]?.includes(person) === true;
    if (manner === "shares") return isVisible && PROJECTS[project]?.length !== 0 ? /^seen$/ : /^answered$/;
    if (manner === "list") return isVisible ? /^seen$/ : /^answered$/;
    if (!isVisible) return /^NOT_FOUND$/;
    return manner === "change" && !isOwn ? /^FORBIDDEN$/ : /^(seen|answered)$/;
  }

  it("has a place for every command in the matrix", () => {
    expect(Object.keys(PLACED).sort()).toEqual([...registry.keys()].sort());
  });

  it("shows each user what the matrix says, whatever the command", async () => {
    const wrong: string[] = [];
    for (const [command, placed] of Object.entries(PLACED)) {
      if (placed === "apart") continue;
      const [manner, payloadOf] = placed;
      const access = registry.get(command)?.access ?? "";
      for (const person of Object.keys(PEOPLE) as Person[]) {
        const outcomes: string[] = [];
        for (const project of Object.keys(PROJECTS)) {
          const path = pathOf(project);
          const outcome = outcomeOf(await call(person, command, payloadOf(path, project)), path, project);
          outcomes.push(outcome);
          if (manner === "blind") continue;
          if (!expectedOf(person, project, manner, access).test(outcome)) {
            wrong.push(`${command} of ${person} on ${project}: ${outcome}`);
          }
        }
        if (manner === "blind" && new Set(outcomes).size > 1) wrong.push(`${command} of ${person}: ${outcomes}`);
      }
    }
    expect(wrong).toEqual([]);
  }, 120_000);

  it("keeps marks apart, and lists with them only what may be read", async () => {
    for (const person of ["ada", "ben", "carl"] as const) {
      const favorites = await ask<string[]>(person, "list_favorites");
      const visible = Object.keys(PROJECTS).filter(
        (project) => person === "ada" || PROJECTS[project]?.includes(person) === true,
      );
      expect(favorites.toSorted()).toEqual(visible.map(pathOf).sort());
      const notes = await ask<{ path: string }[]>(person, "list_notes");
      expect(notes.map(({ path }) => path).sort()).toEqual(visible.map(pathOf).sort());
    }
    expect(await ask("olga", "list_bookmarks")).toHaveLength(1);
    const rule = { project: null, days: 1, include_marked: true };
    expect(await ask("ada", "preview_retention", { rule })).toMatchObject({ sessions: 3 });
    expect(await ask("ben", "preview_retention", { rule })).toMatchObject({ sessions: 0, first: [] });
    await expect(ask("rita", "create_tag", { name: "x", color: "#112233" })).rejects.toThrow();
    await expect(ask("rita", "share_project", { project: "/code/open", everybody: true })).rejects.toThrow();
    await expect(ask("ben", "share_project", { project: "/code/shared", everybody: true })).rejects.toThrow();
  });

  it("says who has read what, to the owner of the sessions and to the owner of the hub", async () => {
    interface Read {
      reader: string;
      owner: string;
      session_path: string;
      action: string;
    }
    const readsOf = async (person: Person) =>
      (await ask<{ reads: Read[] }>(person, "list_reads", { limit: 500 })).reads;
    const reads = await readsOf("ada");
    expect(await readsOf("olga")).toEqual(
      reads.map((read) => ({
        ...read,
        session_title: read.session_path === pathOf("/code/open") ? expect.any(String) : null,
      })),
    );
    expect(await readsOf("ben")).toEqual([]);
    const told = new Set(reads.map(({ reader, session_path, action }) => `${reader} ${action} ${session_path}`));
    for (const action of ["read_transcript", "search", "export_session", "read_session_file", "find_in_session"]) {
      for (const [project, readers] of Object.entries(PROJECTS)) {
        for (const reader of Object.keys(PEOPLE) as Person[]) {
          const name = `${reader} ${action} ${pathOf(project)}`;
          expect(told.has(name), name).toBe(readers.includes(reader));
        }
      }
    }
  });

  it("tells readers of what happens there, and has them load their lists when it is taken back", async () => {
    const events: { event: string; payload: unknown }[] = [];
    const client = createClient({ url: hub.url, token: tokens.get("ben") ?? "" });
    const follower = client.events({ onEvent: ({ event, payload }) => events.push({ event, payload }) });
    try {
      await expect.poll(() => events.map(({ event }) => event), { timeout: 10_000 }).toContain("hello");
      const path = pathOf("/code/shared");
      const before = sessionOf("/code/shared", "/code/shared");
      const more = { type: "message", id: "b", parentId: "a", timestamp: "2026-03-01T10:01:00.000Z" };
      const line = `${JSON.stringify({ ...more, message: { role: "user", content: [{ type: "text", text: "Soon?" }] } })}\n`;
      await send("/code/shared", before + line, Buffer.byteLength(before));
      await expect
        .poll(() => events.filter(({ event }) => event === "sessions-diff"), { timeout: 10_000 })
        .toMatchObject([{ payload: { added: [], updated: [{ path, owner: "ada", last_message: "Soon?" }] } }]);
      await ask("ada", "unshare_project", { project: "/code/shared", users: [ids.get("ben")] });
      expect((await call("ben", "read_transcript", { path })).error).toMatchObject({ code: "NOT_FOUND" });
      expect(await ask("ben", "search", { query: "soon" })).toMatchObject({ hits: [], total: 0 });
      expect(await ask("rita", "search", { query: "soon" })).toMatchObject({ total: 1 });
      await expect.poll(() => events.map(({ event }) => event), { timeout: 10_000 }).toContain("events-lost");
      await send("/code/shared", `${before + line}{}\n`, Buffer.byteLength(before + line));
      await send(
        "/code/open",
        `${sessionOf("/code/open", "/code/open")}{}\n`,
        Buffer.byteLength(sessionOf("/code/open", "/code/open")),
      );
      const told = () => JSON.stringify(events.slice(events.findIndex(({ event }) => event === "events-lost")));
      await expect.poll(told, { timeout: 10_000 }).toContain(pathOf("/code/open"));
      expect(told()).not.toContain(path);
    } finally {
      follower.close();
    }
  });
});
