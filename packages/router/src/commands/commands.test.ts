import { AppError } from "@sm/core";
import { describe, expect, it } from "vitest";
import { encodeResponse } from "../response.ts";
import { type Call, run } from "./recorded-services.fixture.ts";

const PATH = "/sessions/a.jsonl";
const BUNDLE = { version: 1, server: {}, preferences: {}, tags: [], agent_settings: null, model_config: null };

/** What services answer for an answer to be made of it. */
const IN_PIECES = new Map<string, unknown>([
  ["scanJson", [new TextEncoder().encode('[{"id":"a"}'), new TextEncoder().encode("]")]],
  ["textStream", ['a "b"\n', "é"]],
  ["entriesJson", new TextEncoder().encode('{"entries": [1]}')],
  ["transcriptJson", new TextEncoder().encode('{"items": [1]}')],
  ["toolOutputJson", new TextEncoder().encode('{"text": "a"}')],
  ["setArchived", { changed: [PATH], failed: [] }],
  [
    "exportPieces",
    {
      format: "html",
      file_name: "a.html",
      media_type: "text/html",
      content: [Buffer.from("<p>\xc3", "latin1"), Buffer.from("\xa9", "latin1")],
      redactions: [{ type: "key", count: 2 }],
    },
  ],
]);

const LIST_DEFAULTS = {
  subagents: "folded",
  archived: "exclude",
  sort: "modified",
  order: "desc",
  limit: 50,
  with_total_size: false,
};

describe("commands", () => {
  it.each<[string, unknown, Call]>([
    ["scan_sessions", {}, ["scanJson"]],
    ["list_sessions", {}, ["list", LIST_DEFAULTS]],
    [
      "list_sessions",
      {
        query: "",
        project: "/p",
        tag_ids: ["t"],
        favorites_only: true,
        subagents: "all",
        parent_path: PATH,
        format: "pi",
        since: "2026-01-01",
        until: "2026-02-01T00:00:00+01:00",
        sort: "title",
        order: "asc",
        limit: 500,
        cursor: "next",
        archived: "only",
        with_total_size: true,
      },
      [
        "list",
        {
          query: "",
          project: "/p",
          tag_ids: ["t"],
          favorites_only: true,
          subagents: "all",
          parent_path: PATH,
          format: "pi",
          since: "2026-01-01T00:00:00.000Z",
          until: "2026-01-31T23:00:00.000Z",
          sort: "title",
          order: "asc",
          limit: 500,
          cursor: "next",
          archived: "only",
          with_total_size: true,
        },
      ],
    ],
    ["list_hub_users", {}, ["users"]],
    ["list_shared_projects", {}, ["list"]],
    ["share_project", { project: "/p", everybody: true }, ["share", { project: "/p", everybody: true }]],
    ["unshare_project", { project: "/p", users: ["u"] }, ["unshare", { project: "/p", users: ["u"] }]],
    ["unshare_project", { project: "/p", everybody: true }, ["unshare", { project: "/p", everybody: true }]],
    ["list_reads", { path: PATH }, ["reads", { path: PATH, limit: 50 }]],
    ["list_retention", {}, ["list"]],
    ["set_retention", { project: "/p", days: 7 }, ["set", { project: "/p", days: 7, include_marked: false }]],
    ["remove_retention", { project: null }, ["remove", null]],
    ["preview_retention", {}, ["preview", null, 50]],
    [
      "preview_retention",
      { rule: { project: null, days: 7, include_marked: true }, limit: 2 },
      ["preview", { project: null, days: 7, include_marked: true }, 2],
    ],
    ["list_sessions", { cursor: null, limit: null }, ["list", LIST_DEFAULTS]],
    ["read_session_file", { path: PATH }, ["textStream", PATH]],
    ["read_session_entries", { path: PATH }, ["entriesJson", { path: PATH, limit: 200 }]],
    [
      "read_session_entries",
      { path: PATH, leaf_id: "l", before: "b", after: "a", limit: 1_000 },
      ["entriesJson", { path: PATH, leaf_id: "l", before: "b", after: "a", limit: 1_000 }],
    ],
    ["read_transcript", { path: PATH }, ["transcriptJson", { path: PATH, limit: 200 }]],
    ["read_tool_output", { path: PATH, entry_id: "a" }, ["toolOutputJson", { path: PATH, entry_id: "a" }]],
    ["read_session_tree", { path: PATH }, ["readTree", PATH]],
    ["rename_session", { path: PATH, name: "  New\r\n  name \n" }, ["rename", PATH, "New name"]],
    ["rename_session", { path: PATH, name: " \n" }, ["rename", PATH, ""]],
    ["rename_session", { path: PATH, name: "x".repeat(200) }, ["rename", PATH, "x".repeat(200)]],
    ["delete_session", { path: PATH }, ["delete", PATH, { force: false }]],
    ["delete_session", { path: PATH, force: true }, ["delete", PATH, { force: true }]],
    ["fork_session", { path: PATH }, ["fork", PATH, null]],
    ["fork_session", { path: PATH, entry_id: "e" }, ["fork", PATH, "e"]],
    ["convert_session", { path: PATH, to: "pi" }, ["convert", { path: PATH, to: "pi" }]],
    [
      "convert_session",
      { path: PATH, to: "codex", entry_id: "e" },
      ["convert", { path: PATH, to: "codex", entry_id: "e" }],
    ],
    [
      "export_session",
      { path: PATH, format: "markdown" },
      [
        "exportPieces",
        {
          path: PATH,
          format: "markdown",
          include_thinking: true,
          include_tools: true,
          redact: false,
          theme: "system",
          include_subagents: false,
        },
      ],
    ],
    [
      "export_session",
      {
        path: PATH,
        format: "html",
        leaf_id: "l",
        include_thinking: false,
        include_tools: false,
        redact: true,
        theme: "dark",
      },
      [
        "exportPieces",
        {
          path: PATH,
          format: "html",
          leaf_id: "l",
          include_thinking: false,
          include_tools: false,
          redact: true,
          theme: "dark",
          include_subagents: false,
        },
      ],
    ],
    [
      "export_sessions",
      { paths: [PATH, "/s/b.jsonl"], format: "jsonl" },
      [
        "issue",
        {
          paths: [PATH, "/s/b.jsonl"],
          format: "jsonl",
          include_thinking: true,
          include_tools: true,
          redact: false,
          theme: "system",
          include_subagents: false,
        },
      ],
    ],
    [
      "preview_redactions",
      { path: PATH },
      ["previewRedactions", { path: PATH, include_thinking: true, include_tools: true }],
    ],
    [
      "preview_redactions",
      { path: PATH, leaf_id: "l", include_thinking: false, include_tools: false },
      ["previewRedactions", { path: PATH, leaf_id: "l", include_thinking: false, include_tools: false }],
    ],
    ["list_change_sums", { paths: [PATH, "/b.jsonl"] }, ["changeSums", { paths: [PATH, "/b.jsonl"] }]],
    [
      "find_in_session",
      { path: PATH, query: " a b" },
      ["find", { path: PATH, query: " a b", role: "all", limit: 200 }],
    ],
    [
      "find_in_session",
      { path: PATH, query: "q", leaf_id: "l", role: "tool", limit: 1, cursor: "c" },
      ["find", { path: PATH, query: "q", leaf_id: "l", role: "tool", limit: 1, cursor: "c" }],
    ],
    ["list_file_names", { prefix: " ap" }, ["namedFiles", { prefix: "ap", limit: 10 }]],
    [
      "search",
      { query: "migration" },
      [
        "search",
        { query: "migration", role: "all", archived: "exclude", sort: "relevance", limit: 20, per_session: 3 },
      ],
    ],
    [
      "search",
      { query: "q", role: "tool", sort: "newest", limit: 200, per_session: 1, since: "2026-01-01", cursor: "c" },
      [
        "search",
        {
          query: "q",
          role: "tool",
          archived: "exclude",
          sort: "newest",
          limit: 200,
          per_session: 1,
          since: "2026-01-01T00:00:00.000Z",
          cursor: "c",
        },
      ],
    ],
    ["get_session_stats", {}, ["statistics", {}]],
    [
      "get_session_stats",
      { since: "2026-01-01", until: "2026-02-01T00:00:00+01:00", project: "/p", time_zone: "Europe/Berlin" },
      [
        "statistics",
        {
          since: "2026-01-01T00:00:00.000Z",
          until: "2026-01-31T23:00:00.000Z",
          project: "/p",
          time_zone: "Europe/Berlin",
        },
      ],
    ],
    ["list_favorites", {}, ["favorites"]],
    ["toggle_favorite", { path: PATH }, ["toggleFavorite", PATH]],
    ["archive_session", { paths: [PATH] }, ["setArchived", [PATH], true]],
    ["set_note", { path: PATH, text: "a" }, ["setNote", PATH, null, "a"]],
    ["set_note", { path: PATH, entry_id: "e", text: "" }, ["setNote", PATH, "e", ""]],
    ["list_notes", {}, ["notes", null]],
    ["set_bookmark", { path: PATH, entry_id: "e", bookmarked: false }, ["setBookmark", PATH, "e", false, undefined]],
    [
      "set_bookmark",
      { path: PATH, entry_id: "e", bookmarked: true, label: "a" },
      ["setBookmark", PATH, "e", true, "a"],
    ],
    ["list_bookmarks", {}, ["bookmarks", null]],
    ["list_notes", { path: PATH }, ["notes", PATH]],
    ["unarchive_session", { paths: [PATH] }, ["setArchived", [PATH], false]],
    ["get_vault_status", {}, ["status"]],
    ["preview_vault_limits", {}, ["previewLimits", {}]],
    [
      "preview_vault_limits",
      { max_bytes: null, deleted_days: 1, replaced_days: 0 },
      ["previewLimits", { maxBytes: null, deletedDays: 1, replacedDays: 0 }],
    ],
    ["list_generations", { path: PATH }, ["generations", PATH]],
    ["restore_session", { path: PATH }, ["restore", { path: PATH }]],
    [
      "restore_session",
      { path: PATH, to: "/b.jsonl", generation: 7 },
      ["restore", { path: PATH, to: "/b.jsonl", generation: 7 }],
    ],
    ["forget_session", { path: PATH }, ["forget", PATH]],
    ["list_deleted_sessions", {}, ["deleted"]],
    ["undelete_session", { path: PATH }, ["undelete", PATH]],
    ["verify_vault", {}, ["verify", undefined, expect.any(AbortSignal)]],
    ["get_all_session_dirs", {}, ["directories"]],
    ["get_session_paths", {}, ["sessionPaths"]],
    ["save_session_paths", { paths: [] }, ["saveSessionPaths", []]],
    ["save_session_paths", { paths: ["/a", "/b"] }, ["saveSessionPaths", ["/a", "/b"]]],
    ["get_hub_status", {}, ["status"]],
    ["get_agent_homes", {}, ["agentHomes"]],
    ["save_agent_homes", { agents: {} }, ["saveAgentHomes", {}]],
    [
      "save_agent_homes",
      { agents: { codex: { enabled: false, homes: ["/a"] } } },
      ["saveAgentHomes", { codex: { enabled: false, homes: ["/a"] } }],
    ],
    ["get_config_overrides", {}, ["overrides"]],
    ["get_budget", {}, ["budget"]],
    [
      "save_budget",
      { day_usd: 20, week_usd: null, month_usd: 0.5 },
      ["saveBudget", { day_usd: 20, week_usd: null, month_usd: 0.5 }],
    ],
    ["get_config_bundle", {}, ["bundle", { include_marks: false }]],
    ["get_config_bundle", { include_marks: true }, ["bundle", { include_marks: true }]],
    ["save_config_bundle", { ...BUNDLE, more: [1] }, ["saveBundle", { ...BUNDLE, more: [1] }]],
    ["list_config_versions", {}, ["versions"]],
    ["restore_config_version", { id: "v" }, ["restoreVersion", "v"]],
    ["diff_config_versions", { from: "v", to: "w" }, ["compareVersions", "v", "w"]],
    ["load_model_config", {}, ["load"]],
    ["save_model_config", { providers: { a: { b: 1 } }, more: 1 }, ["save", { providers: { a: { b: 1 } }, more: 1 }]],
    ["import_model_config_from_path", { path: "/m.json" }, ["importFrom", "/m.json"]],
    ["export_model_config_to_path", { path: "/m.json" }, ["exportTo", "/m.json", { overwrite: false }]],
    ["export_model_config_to_path", { path: "/m.json", overwrite: true }, ["exportTo", "/m.json", { overwrite: true }]],
    ["list_model_config_backups", {}, ["backups"]],
    ["restore_model_config_backup", { backup_name: "models-1.json" }, ["restore", "models-1.json"]],
    ["list_skills", {}, ["skills", null]],
    ["list_skills", { project: "/p" }, ["skills", "/p"]],
    ["list_prompts", { project: null }, ["prompts", null]],
    ["list_themes", { project: "/p" }, ["themes", "/p"]],
    ["read_resource", { path: "/p.md" }, ["read", "/p.md"]],
    ["list_tags", {}, ["list"]],
    [
      "create_tag",
      { name: " Cafe\u0301\n now ", color: "#AABBCC" },
      ["create", { name: "Caf\u00e9 now", color: "#aabbcc", parent_id: null }],
    ],
    [
      "create_tag",
      { name: "n".repeat(100), color: "#000000", parent_id: "t" },
      ["create", { name: "n".repeat(100), color: "#000000", parent_id: "t" }],
    ],
    ["update_tag", { id: "t", name: " x " }, ["update", "t", { name: "x" }]],
    ["update_tag", { id: "t", color: "#FFFFFF" }, ["update", "t", { color: "#ffffff" }]],
    ["update_tag", { id: "t", parent_id: null }, ["update", "t", { parent_id: null }]],
    ["delete_tag", { id: "t" }, ["delete", "t"]],
    ["list_tokens", {}, ["list"]],
    ["create_token", { name: " My phone\n" }, ["create", { name: "My phone", scope: "full", expires_at: null }]],
    [
      "create_token",
      { name: "n".repeat(100), scope: "read", expires_at: "2999-01-01T01:00:00+01:00" },
      ["create", { name: "n".repeat(100), scope: "read", expires_at: "2999-01-01T00:00:00.000Z" }],
    ],
    [
      "create_token",
      { name: "n", scope: null, expires_at: null },
      ["create", { name: "n", scope: "full", expires_at: null }],
    ],
    ["revoke_token", { id: "t" }, ["revoke", "t"]],
    [
      "share_session",
      { path: PATH },
      [
        "create",
        { path: PATH, include_thinking: true, include_tools: true, include_subagents: false, theme: "system" },
      ],
    ],
    [
      "share_session",
      {
        path: PATH,
        leaf_id: "l",
        include_thinking: false,
        include_tools: false,
        include_notes: true,
        include_subagents: true,
        theme: "dark",
        expires_at: "2999-01-01T01:00:00+01:00",
      },
      [
        "create",
        {
          path: PATH,
          leaf_id: "l",
          include_thinking: false,
          include_tools: false,
          include_notes: true,
          include_subagents: true,
          theme: "dark",
          expires_at: "2999-01-01T00:00:00.000Z",
        },
      ],
    ],
    ["revoke_share", { id: "s" }, ["revoke", "s"]],
  ])("%s %j is one call into a service", async (name, payload, call) => {
    const { calls, response } = await run(name, payload, (method) => IN_PIECES.get(method) ?? null);
    expect(response.error).toBeNull();
    expect(calls).toEqual([call]);
  });

  it.each<[string, object]>([
    ["read_session_file", { path: PATH }],
    ["read_session_entries", { path: PATH }],
    ["read_transcript", { path: PATH }],
    ["read_tool_output", { path: PATH, entry_id: "a" }],
    ["find_in_session", { path: PATH, query: "q" }],
    ["read_session_tree", { path: PATH }],
    ["rename_session", { path: PATH, name: "n" }],
    ["fork_session", { path: PATH }],
    ["convert_session", { path: PATH, to: "pi" }],
    ["export_session", { path: PATH, format: "json" }],
    ["preview_redactions", { path: PATH }],
    ["export_sessions", { paths: [PATH], format: "json" }],
    ["search", { query: "q" }],
    ["list_file_names", { prefix: "ap" }],
    ["get_session_stats", {}],
    ["list_skills", {}],
    ["list_prompts", {}],
    ["list_themes", {}],
    ["read_resource", { path: PATH }],
  ])("%s tells the service who asks, so that it can stop and let others have their turn", async (name, payload) => {
    const { requesters } = await run(name, payload, (method) => IN_PIECES.get(method) ?? null);
    expect(requesters).toEqual([name]);
  });

  it.each<[string, object, unknown]>([
    ["read_session_file", { path: PATH }, 'a "b"\né'],
    ["read_session_entries", { path: PATH }, { entries: [1] }],
    ["read_transcript", { path: PATH }, { items: [1] }],
    [
      "export_session",
      { path: PATH, format: "html" },
      {
        format: "html",
        file_name: "a.html",
        media_type: "text/html",
        content: "<p>é",
        redactions: [{ type: "key", count: 2 }],
      },
    ],
  ])("%s writes its answer from what the service has in pieces", async (name, payload, data) => {
    const { response } = await run(name, payload, (method) => IN_PIECES.get(method));
    expect(JSON.parse(encodeResponse(response) as string)).toEqual({ success: true, data, error: null });
  });

  it("ping answers without any service", async () => {
    const { calls, response } = await run("ping", {});
    expect(response.data).toEqual({ pong: true });
    expect(calls).toEqual([]);
  });

  it.each<[string, object, string]>([
    ["list_sessions", { limit: 501 }, "limit"],
    ["list_sessions", { query: "x".repeat(1_001) }, "query"],
    ["list_sessions", { sort: "name" }, "sort"],
    ["list_sessions", { since: "2026-02-30" }, "since"],
    ["list_sessions", { tag_ids: [1] }, "tag_ids.0"],
    ["read_session_file", { path: "x".repeat(4_097) }, "path"],
    ["rename_session", { path: PATH, name: "x".repeat(201) }, "name"],
    ["delete_sessions", { paths: [] }, "paths"],
    ["delete_sessions", { paths: [PATH, ""] }, "paths.1"],
    ["export_session", { path: PATH, format: "jsonl" }, "format"],
    ["export_session", { path: PATH, format: "html", theme: "sepia" }, "theme"],
    ["export_session", { path: PATH, format: "html", redact: "yes" }, "redact"],
    ["preview_redactions", { path: PATH, format: "html" }, "format"],
    ["export_sessions", { paths: [], format: "html" }, "paths"],
    ["export_sessions", { paths: [PATH, ""], format: "html" }, "paths.1"],
    ["export_sessions", { paths: new Array(10_001).fill(PATH), format: "html" }, "paths"],
    ["export_sessions", { paths: [PATH], format: "zip" }, "format"],
    ["export_sessions", { paths: [PATH], format: "html", leaf_id: "l" }, "leaf_id"],
    ["list_change_sums", { paths: [] }, "paths"],
    ["list_change_sums", { paths: new Array(101).fill("/a") }, "paths"],
    ["find_in_session", { path: PATH, query: "" }, "query"],
    ["find_in_session", { path: PATH, query: "x".repeat(201) }, "query"],
    ["find_in_session", { path: PATH, query: "q", limit: 1_001 }, "limit"],
    ["list_file_names", { prefix: "a " }, "prefix"],
    ["list_file_names", { prefix: "x".repeat(201) }, "prefix"],
    ["list_file_names", { prefix: "ap", limit: 101 }, "limit"],
    ["search", { query: "" }, "query"],
    ["search", { query: "x".repeat(1_001) }, "query"],
    ["search", { query: "q", role: "system" }, "role"],
    ["search", { query: "q", limit: 201 }, "limit"],
    ["search", { query: "q", until: "tomorrow" }, "until"],
    ["restore_session", { path: PATH, to: "a\0b" }, "to"],
    ["restore_session", { path: PATH, generation: 0 }, "generation"],
    ["get_session_stats", { time_zone: "Europe/Atlantis" }, "time_zone"],
    ["get_session_stats", { since: "7d" }, "since"],
    ["save_hub", {}, "hub"],
    ["save_hub", { hub: { url: "https://hub" } }, "hub.token_file"],
    ["save_hub", { hub: { url: "https://hub", token_file: "/t", formats: ["x"] } }, "hub.formats.0"],
    ["save_agent_homes", {}, "agents"],
    ["save_agent_homes", { agents: { pi: { enabled: false, homes: [] } } }, "agents.pi"],
    ["save_agent_homes", { agents: { codex: { enabled: true } } }, "agents.codex.homes"],
    ["save_agent_homes", { agents: { codex: { enabled: 1, homes: [] } } }, "agents.codex.enabled"],
    ["save_agent_homes", { agents: { codex: { enabled: true, homes: ["a\0"] } } }, "agents.codex.homes.0"],
    ["save_budget", { day_usd: 1, week_usd: 1 }, "month_usd"],
    ["save_budget", { day_usd: 0, week_usd: null, month_usd: null }, "day_usd"],
    ["save_session_paths", { paths: "/a" }, "paths"],
    ["save_session_paths", { paths: ["/a", "a\0b"] }, "paths.1"],
    ["save_session_paths", { paths: new Array(101).fill("/a") }, "paths"],
    ["save_config_bundle", { ...BUNDLE, version: 2 }, "version"],
    ["save_config_bundle", { ...BUNDLE, server: null }, "server"],
    ["save_config_bundle", { ...BUNDLE, tags: {} }, "tags"],
    ["save_config_bundle", { ...BUNDLE, marks: [] }, "marks"],
    ["get_config_version", {}, "id"],
    ["diff_config_versions", { from: "v" }, "to"],
    ["save_model_config", {}, "providers"],
    ["save_model_config", { providers: { a: 1 } }, "providers.a"],
    ["restore_model_config_backup", { backup_name: "x".repeat(256) }, "backup_name"],
    ["list_skills", { project: "" }, "project"],
    ["read_resource", {}, "path"],
    ["create_tag", { name: " ", color: "#000000" }, "name"],
    ["create_tag", { name: "n".repeat(101), color: "#000000" }, "name"],
    ["create_tag", { name: "n", color: "red" }, "color"],
    ["create_tag", { name: "n", color: "#0000000" }, "color"],
    ["update_tag", { id: "t", parent_id: 1 }, "parent_id"],
    ["assign_tag", { tag_id: "t" }, "session_path"],
    ["assign_tag", { tag_id: "t", session_path: PATH, session_paths: [PATH] }, "session_path"],
    ["assign_tag", { tag_id: "t", session_paths: [] }, "session_paths"],
    ["remove_tag", { tag_id: "t", session_paths: new Array(1_001).fill(PATH) }, "session_paths"],
    ["create_token", { name: " \n " }, "name"],
    ["create_token", { name: "n".repeat(101) }, "name"],
    ["create_token", { name: "two\nlines" }, "name"],
    ["create_token", { name: "red\u001b[31m" }, "name"],
    ["create_token", { name: "n", scope: "write" }, "scope"],
    ["create_token", { name: "n", expires_at: "in a year" }, "expires_at"],
    ["create_token", { name: "n", expires_at: 2_000_000_000 }, "expires_at"],
    ["revoke_token", { id: "" }, "id"],
  ])("%s refuses %j", async (name, payload, field) => {
    const { calls, response } = await run(name, payload);
    expect(response.error).toMatchObject({ code: "INVALID_PAYLOAD", details: [{ path: field }] });
    expect(calls).toEqual([]);
  });

  it.each(["assign", "remove"])("%s_tag answers as it was asked: about one session, or many", async (verb) => {
    const name = `${verb}_tag`;
    const tagged = (...paths: string[]) => paths.map((path) => ({ session_path: path, tag_ids: ["t"] }));
    const one = await run(name, { session_path: PATH, tag_id: "t" }, () => tagged(PATH));
    expect(one).toMatchObject({ calls: [[verb, [PATH], "t"]], response: { data: tagged(PATH)[0] } });
    const many = await run(name, { session_paths: [PATH, "/b"], tag_id: "t" }, () => tagged(PATH, "/b"));
    expect(many).toMatchObject({
      calls: [[verb, [PATH, "/b"], "t"]],
      response: { data: { sessions: tagged(PATH, "/b") } },
    });
  });

  it("get_config_version answers with the bundle as it was kept", async () => {
    const version = { id: "v", created_at: "2026-01-01T00:00:00.000Z", origin: "start", bundle: BUNDLE };
    const { calls, response } = await run("get_config_version", { id: "v" }, () => version);
    expect(calls).toEqual([["version", "v"]]);
    expect(response.data).toEqual(version);
  });

  it("add_push_device tells with which token a browser was added", async () => {
    const device = { name: "Phone", endpoint: "https://push.example.org/1", p256dh: "BAAA", auth: "AAAA" };
    const added = { id: "d", name: "Phone", created_at: "2026-01-01T00:00:00.000Z" };
    const { calls, response } = await run("add_push_device", device, () => added);
    expect(calls).toEqual([["add", device, null]]);
    expect(response.data).toEqual(added);
  });

  it("list_shares tells why no links can be made", async () => {
    const { calls, response } = await run("list_shares", { path: PATH }, (method) => (method === "list" ? [] : "off"));
    expect(calls).toEqual([["problem"], ["list", PATH]]);
    expect(response.error).toBeNull();
  });

  it("share_session is refused whatever its payload where no links can be made", async () => {
    const refusal = new AppError("UNAVAILABLE", "Sharing is turned off.");
    const { calls, response } = await run("share_session", { wrong: 1 }, undefined, { checkAvailable: refusal });
    expect(response.error).toMatchObject({ code: "UNAVAILABLE" });
    expect(calls).toEqual([]);
  });

  it("share_session has no way to leave secrets in", async () => {
    const { response } = await run("share_session", { path: PATH, redact: false });
    expect(response.error).toMatchObject({ code: "INVALID_PAYLOAD", details: [{ path: "redact" }] });
  });

  it("delete_sessions goes on after a failure and tells each", async () => {
    const { logged, response } = await run(
      "delete_sessions",
      { paths: ["/a", "/live", "/broken", "/b"] },
      (_, path) => {
        if (path === "/live") throw new AppError("CONFLICT", "The session is live.");
        if (path === "/broken") throw new Error("secret");
        return { path, method: "trash", companions: 0, left_behind: [] };
      },
    );
    expect(response.data).toEqual({
      deleted: [
        { path: "/a", method: "trash", companions: 0, left_behind: [] },
        { path: "/b", method: "trash", companions: 0, left_behind: [] },
      ],
      failed: [
        { path: "/live", error: { code: "CONFLICT", message: "The session is live.", details: null } },
        { path: "/broken", error: { code: "INTERNAL", message: expect.not.stringContaining("secret"), details: null } },
      ],
    });
    expect(logged).toHaveLength(1);
  });

  it("delete_sessions deletes subagents before the parents that would take them along", async () => {
    const paths = ["/a.jsonl", "/a/subagents/agent-b.jsonl", "/c.jsonl"];
    const { calls, response } = await run("delete_sessions", { paths }, (_, path) => {
      return { path, method: "trash", companions: 0, left_behind: [] };
    });
    expect(calls.map(([, path]) => path)).toEqual([paths[1], paths[0], paths[2]]);
    expect(response.data).toMatchObject({ deleted: paths.map((path) => ({ path })), failed: [] });
  });
});
