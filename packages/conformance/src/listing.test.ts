import { stat } from "node:fs/promises";
import { join } from "node:path";
import type { SessionPage, SessionRecord } from "@sm/core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type RealService, startRealService } from "./real-service.ts";

let service: RealService;

beforeAll(async () => {
  service = await startRealService();
});

afterAll(() => service[Symbol.asyncDispose]());

const scan = () => service.ask<SessionRecord[]>("scan_sessions");
const list = (payload: object = {}) => service.ask<SessionPage>("list_sessions", payload);
const idsOf = (sessions: SessionRecord[]) => sessions.map(({ id }) => id);

describe("the record of a session", () => {
  it.each([
    [
      "branched",
      {
        id: "branched",
        format: "pi",
        source: "file",
        name: "Names with umlauts",
        title: "Names with umlauts",
        cwd: "/home/user/project",
        created_at: "2026-03-01T10:00:00.000Z",
        modified_at: "2026-03-01T10:00:16.000Z",
        message_count: 9,
        user_message_count: 2,
        assistant_message_count: 4,
        tool_call_count: 2,
        first_message: "Why does getUserName fail for “Größe”?\u2028Please look at the parser.",
        last_message: "Done: names are compared in normal form.",
        last_role: "assistant",
        outcome: null,
        outcome_message: null,
        models: ["model-1"],
        providers: ["provider-1"],
        usage: {
          input_tokens: 400,
          output_tokens: 40,
          cache_read_tokens: 80,
          cache_write_tokens: 0,
          cache_write_1h_tokens: 0,
          reasoning_tokens: 0,
          total_tokens: 520,
          cost_usd: 1,
          estimated_cost_usd: null,
        },
        branch_count: 2,
        parent_session_path: null,
        relation: null,
        subagent_count: 0,
        subagent_usage: null,
        rate_limits: null,
        malformed_lines: 0,
      },
    ],
    [
      "plain",
      {
        id: "plain",
        format: "pi",
        source: "file",
        name: null,
        title: "Say hello.",
        cwd: "/home/user/other",
        created_at: "2026-02-01T10:00:00.000Z",
        modified_at: "2026-02-01T10:00:02.000Z",
        message_count: 2,
        user_message_count: 1,
        assistant_message_count: 1,
        tool_call_count: 0,
        first_message: "Say hello.",
        last_message: "Hello.",
        last_role: "assistant",
        outcome: null,
        outcome_message: null,
        models: ["model-1"],
        providers: ["provider-1"],
        usage: {
          input_tokens: 5,
          output_tokens: 2,
          cache_read_tokens: 0,
          cache_write_tokens: 0,
          cache_write_1h_tokens: 0,
          reasoning_tokens: 0,
          total_tokens: 7,
          cost_usd: null,
          estimated_cost_usd: null,
        },
        branch_count: 1,
        parent_session_path: null,
        relation: null,
        subagent_count: 0,
        subagent_usage: null,
        rate_limits: null,
        malformed_lines: 1,
      },
    ],
    [
      "old",
      {
        id: "old",
        format: "pi",
        source: "file",
        name: null,
        title: "An old question.",
        cwd: "/home/user/project",
        created_at: "2025-11-01T10:00:00.000Z",
        modified_at: "2025-11-01T10:00:04.000Z",
        message_count: 3,
        user_message_count: 2,
        assistant_message_count: 1,
        tool_call_count: 0,
        first_message: "An old question.",
        last_message: "Another old question.",
        last_role: "user",
        outcome: null,
        outcome_message: null,
        models: ["model-1"],
        providers: ["provider-1"],
        usage: {
          input_tokens: 3,
          output_tokens: 4,
          cache_read_tokens: 1,
          cache_write_tokens: 2,
          cache_write_1h_tokens: 0,
          reasoning_tokens: 0,
          total_tokens: 10,
          cost_usd: 0.5,
          estimated_cost_usd: null,
        },
        branch_count: 1,
        parent_session_path: "/gone/older.jsonl",
        relation: "fork",
        subagent_count: 0,
        subagent_usage: null,
        rate_limits: null,
        malformed_lines: 0,
      },
    ],
  ] as const)("has exactly the fields of the contract: %s", async (name, expected) => {
    const path = service.home.paths[name];
    const found = (await scan()).find((record) => record.path === path);
    expect(found).toStrictEqual({
      ...expected,
      path,
      owner: null,
      machine: null,
      capabilities: {
        rename: true,
        fork: true,
        delete: true,
        start: true,
        resume_command: `cd ${expected.cwd} && pi --session ${path}`,
      },
      size_bytes: (await stat(path)).size,
      tag_ids: [],
      is_favorite: false,
      archived_at: null,
      expires_at: null,
      note_count: 0,
      is_live: false,
      indexed: true,
    });
  });

  it("is the same in every list, the newest first, without files that are no sessions", async () => {
    const records = await scan();
    expect(records.map(({ path }) => path)).toEqual(Object.values(service.home.paths));
    expect(await list()).toStrictEqual({
      sessions: records,
      next_cursor: null,
      total: records.length,
      total_size_bytes: null,
      pending: 0,
    });
  });
});

it("scans the agent's own directories", async () => {
  const { folder, sessions } = service.home;
  expect(await service.ask("get_all_session_dirs")).toEqual([sessions, join(folder, "gateway", "sessions")]);
});

describe("list_sessions", () => {
  it.each([
    [{ query: "umlauts NAMES" }, ["branched"]],
    [{ project: "/home/user/project" }, ["branched", "old"]],
    [{ since: "2026-02-01T10:00:02Z" }, ["branched", "plain"]],
    [{ until: "2026-02-01T10:00:02Z" }, ["raw", "old"]],
    [{ format: "pi", limit: 2 }, ["branched", "plain"]],
    [{ favorites_only: true }, []],
    [{ tag_ids: ["none"] }, []],
    [{ sort: "created", order: "asc" }, ["old", "raw", "plain", "branched"]],
    [{ sort: "size" }, ["branched", "old", "plain", "raw"]],
    [{ sort: "messages" }, ["branched", "old", "plain", "raw"]],
    [{ sort: "title", order: "asc" }, ["old", "raw", "branched", "plain"]],
    [{ sort: "cost", limit: 2 }, ["branched", "old"]],
  ])("%j", async (payload, expected) => {
    expect(idsOf((await list(payload)).sessions)).toEqual(expected);
  });
});

describe("cursors of list_sessions", () => {
  /** A session that comes first or last, whatever a list is sorted by. */
  const extreme = (id: string, size: "small" | "large") => {
    const [time, word, cost, messages] = size === "small" ? ["2001", "AAA", 0, 1] : ["2026-09", "zzz", 100, 40];
    const timestamp = new Date(time).toISOString();
    const message = { role: "assistant", content: [], usage: { cost: { total: cost } } };
    return [
      { type: "session", version: 3, id, timestamp, cwd: null },
      { type: "session_info", id: "name", parentId: null, timestamp, name: word },
      ...Array.from({ length: messages }, (_, place) => {
        const parentId = place === 0 ? "name" : `${place - 1}`;
        return { type: "message", id: `${place}`, parentId, timestamp, message };
      }),
    ];
  };

  it("show each session once while others are added, whatever the order", async () => {
    await using own = await startRealService();
    const page = (payload: object) => own.ask<SessionPage>("list_sessions", payload);
    for (const sort of ["modified", "created", "size", "messages", "cost", "title"]) {
      for (const order of ["asc", "desc"]) {
        const before = idsOf((await page({ sort, order })).sessions);
        const seen: string[] = [];
        let cursor: string | null = null;
        do {
          const { sessions, next_cursor } = await page({ sort, order, limit: 3, cursor });
          seen.push(...idsOf(sessions));
          if (cursor === null) {
            for (const size of ["small", "large"] as const) {
              const id = `${size}-${sort}-${order}`;
              await own.home.add(id, extreme(id, size));
            }
            await own.ask("scan_sessions");
          }
          cursor = next_cursor;
        } while (cursor !== null);
        const beyond = `${order === "asc" ? "large" : "small"}-${sort}-${order}`;
        expect(seen.filter((id) => before.includes(id))).toEqual(before);
        expect(seen).toHaveLength(new Set(seen).size);
        expect(seen).toContain(beyond);
      }
    }
  });

  it.each([["nonsense"], [Buffer.from("{}").toString("base64url")]])(
    "are refused where they are none: %s",
    async (cursor) => {
      const response = await service.call("list_sessions", { cursor });
      expect(response.error).toMatchObject({ code: "INVALID_PAYLOAD", details: [{ path: "cursor" }] });
    },
  );
});

it("lists what is known without waiting, and counts what is pending", async () => {
  await using own = await startRealService();
  const image = { type: "image", mimeType: "image/png", data: "A".repeat(1024 * 1024) };
  const timestamp = "2026-05-01T10:00:00.000Z";
  const long = [
    { type: "session", version: 3, id: "long", timestamp, cwd: null },
    ...Array.from({ length: 32 }, (_, place) => {
      const message = { role: "user", content: [image] };
      return { type: "message", id: `${place}`, parentId: place === 0 ? null : `${place - 1}`, timestamp, message };
    }),
  ];
  let isScanned = false;
  // The watcher may notice the file, and begin to read it, before anybody asks for a scan.
  const scanning = own.home
    .add("long", long)
    .then(() => own.ask<SessionRecord[]>("scan_sessions"))
    .finally(() => {
      isScanned = true;
    });
  const meanwhile: string[] = [];
  while (!isScanned) {
    const { sessions, pending } = await own.ask<SessionPage>("list_sessions");
    meanwhile.push(`${sessions.length} and ${pending} pending`);
  }
  expect(meanwhile).toContain("4 and 1 pending");
  expect(idsOf(await scanning)).toContain("long");
  expect(await own.ask("list_sessions")).toMatchObject({ total: 5, pending: 0 });
});
