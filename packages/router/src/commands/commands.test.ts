import { AppError } from "@sm/core";
import { describe, expect, it } from "vitest";
import { type Caller, createDispatcher } from "../dispatcher.ts";
import type { Services } from "../services.ts";

type Call = [method: string, ...values: unknown[]];

/** Runs a command on services that write down what they are asked for, and answer as `answer` says. */
async function run(name: string, payload: unknown, answer: (...call: Call) => unknown = () => null) {
  const calls: Call[] = [];
  const recorder = new Proxy({} as Services[keyof Services], {
    get:
      (_target, method: string) =>
      async (...values: unknown[]) => {
        calls.push([method, ...values]);
        return answer(method, ...values);
      },
  });
  const services = { sessions: recorder, tokens: recorder, configuration: recorder } as Services;
  const logged: object[] = [];
  const dispatcher = createDispatcher(services, { log: { error: (fields) => logged.push(fields) } });
  const caller: Caller = { local: true, scope: "full", tokenId: null };
  const response = await dispatcher.dispatch({ command: name, payload }, caller);
  return { calls, logged, response };
}

const PATH = "/sessions/a.jsonl";

describe("commands", () => {
  it.each<[string, unknown, Call]>([
    ["scan_sessions", {}, ["scan"]],
    ["list_sessions", {}, ["list", { sort: "modified", order: "desc", limit: 50 }]],
    [
      "list_sessions",
      {
        query: "",
        project: "/p",
        tag_ids: ["t"],
        favorites_only: true,
        format: "pi",
        since: "2026-01-01",
        until: "2026-02-01T00:00:00+01:00",
        sort: "title",
        order: "asc",
        limit: 500,
        cursor: "next",
      },
      [
        "list",
        {
          query: "",
          project: "/p",
          tag_ids: ["t"],
          favorites_only: true,
          format: "pi",
          since: "2026-01-01T00:00:00.000Z",
          until: "2026-01-31T23:00:00.000Z",
          sort: "title",
          order: "asc",
          limit: 500,
          cursor: "next",
        },
      ],
    ],
    ["list_sessions", { cursor: null, limit: null }, ["list", { sort: "modified", order: "desc", limit: 50 }]],
    ["read_session_file", { path: PATH }, ["readText", PATH]],
    ["read_session_entries", { path: PATH }, ["readEntries", { path: PATH, limit: 200 }]],
    [
      "read_session_entries",
      { path: PATH, leaf_id: "l", before: "b", after: "a", limit: 1_000 },
      ["readEntries", { path: PATH, leaf_id: "l", before: "b", after: "a", limit: 1_000 }],
    ],
    ["read_session_tree", { path: PATH }, ["readTree", PATH]],
    ["rename_session", { path: PATH, name: "  New\r\n  name \n" }, ["rename", PATH, "New name"]],
    ["rename_session", { path: PATH, name: " \n" }, ["rename", PATH, ""]],
    ["rename_session", { path: PATH, name: "x".repeat(200) }, ["rename", PATH, "x".repeat(200)]],
    ["delete_session", { path: PATH }, ["delete", PATH, { force: false }]],
    ["delete_session", { path: PATH, force: true }, ["delete", PATH, { force: true }]],
    ["fork_session", { path: PATH }, ["fork", PATH, null]],
    ["fork_session", { path: PATH, entry_id: "e" }, ["fork", PATH, "e"]],
    [
      "export_session",
      { path: PATH, format: "markdown" },
      ["export", { path: PATH, format: "markdown", include_thinking: true, include_tools: true }],
    ],
    [
      "export_session",
      {
        path: PATH,
        format: "html",
        leaf_id: "l",
        include_thinking: false,
        include_tools: false,
        redact: false,
        theme: "dark",
      },
      ["export", { path: PATH, format: "html", leaf_id: "l", include_thinking: false, include_tools: false }],
    ],
    [
      "search",
      { query: "migration" },
      ["search", { query: "migration", role: "all", sort: "relevance", limit: 20, per_session: 3 }],
    ],
    [
      "search",
      { query: "q", role: "tool", sort: "newest", limit: 200, per_session: 1, since: "2026-01-01", cursor: "c" },
      [
        "search",
        {
          query: "q",
          role: "tool",
          sort: "newest",
          limit: 200,
          per_session: 1,
          since: "2026-01-01T00:00:00.000Z",
          cursor: "c",
        },
      ],
    ],
    ["list_favorites", {}, ["favorites"]],
    ["toggle_favorite", { path: PATH }, ["toggleFavorite", PATH]],
    ["get_all_session_dirs", {}, ["directories"]],
    ["get_session_paths", {}, ["sessionPaths"]],
    ["save_session_paths", { paths: [] }, ["saveSessionPaths", []]],
    ["save_session_paths", { paths: ["/a", "/b"] }, ["saveSessionPaths", ["/a", "/b"]]],
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
  ])("%s %j is one call into a service", async (name, payload, call) => {
    const { calls, response } = await run(name, payload);
    expect(response.error).toBeNull();
    expect(calls).toEqual([call]);
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
    ["search", { query: "" }, "query"],
    ["search", { query: "x".repeat(1_001) }, "query"],
    ["search", { query: "q", role: "system" }, "role"],
    ["search", { query: "q", limit: 201 }, "limit"],
    ["search", { query: "q", until: "tomorrow" }, "until"],
    ["save_session_paths", { paths: "/a" }, "paths"],
    ["save_session_paths", { paths: ["/a", "a\0b"] }, "paths.1"],
    ["save_session_paths", { paths: new Array(101).fill("/a") }, "paths"],
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

  it("export_session does not pretend to redact", async () => {
    const { calls, response } = await run("export_session", { path: PATH, format: "json", redact: true });
    expect(response.error).toMatchObject({ code: "UNAVAILABLE", message: expect.stringContaining("redact") });
    expect(calls).toEqual([]);
  });

  it("delete_sessions goes on after a failure and tells each", async () => {
    const { logged, response } = await run(
      "delete_sessions",
      { paths: ["/a", "/live", "/broken", "/b"] },
      (_, path) => {
        if (path === "/live") throw new AppError("CONFLICT", "The session is live.");
        if (path === "/broken") throw new Error("secret");
        return { path, method: "trash" };
      },
    );
    expect(response.data).toEqual({
      deleted: [
        { path: "/a", method: "trash" },
        { path: "/b", method: "trash" },
      ],
      failed: [
        { path: "/live", error: { code: "CONFLICT", message: "The session is live.", details: null } },
        { path: "/broken", error: { code: "INTERNAL", message: expect.not.stringContaining("secret"), details: null } },
      ],
    });
    expect(logged).toHaveLength(1);
  });
});
