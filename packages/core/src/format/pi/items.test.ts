import { describe, expect, it } from "vitest";
import type { JsonObject } from "../../json.ts";
import { piFormat } from "./pi.ts";

const PLACE = { id: "0000000b", parentId: "0000000a", timestamp: "2026-11-01T10:00:01.234Z" };
const BASE = { id: "0000000b", parent_id: "0000000a", timestamp: "2026-11-01T10:00:01.234Z" };
const STORED_USAGE = { input: 300, output: 100, cacheRead: 0, cacheWrite: 0, totalTokens: 400, cost: { total: 0.25 } };
const USAGE = {
  input_tokens: 300,
  output_tokens: 100,
  cache_read_tokens: 0,
  cache_write_tokens: 0,
  cache_write_1h_tokens: 0,
  reasoning_tokens: 0,
  total_tokens: 400,
  cost_usd: 0.25,
  estimated_cost_usd: null,
};
const SYSTEM = {
  role: "system",
  content: "",
  sections: { preamble: "Be brief", skills: null, empty: "" },
  toolsAdded: [{ name: "read", description: "Reads", parameters: {} }],
  toolsRemoved: [{ name: "write" }],
};
const INSTRUCTIONS = [
  { kind: "section", name: "preamble", text: "Be brief" },
  { kind: "section", name: "skills", text: null },
  { kind: "tools", added: SYSTEM.toolsAdded, removed: ["write"] },
];
const NESTED = {
  calls: [
    { id: "n1", name: "read", arguments: { path: "src/a.ts" }, status: "ok", durationMs: 3 },
    { id: "n2", name: "fetch", argumentsBytes: 9_000, status: "error", durationMs: 12, error: "not found" },
    { name: "bash", status: "unfinished" },
    "none",
  ],
  complete: false,
};

function item(entry: JsonObject) {
  return piFormat.item({ ...PLACE, ...entry }, { ...PLACE, role: null });
}

describe("an entry as it is shown", () => {
  it("is a system message with its sections and tools", () => {
    expect(item({ type: "message", message: SYSTEM })).toMatchObject({
      ...BASE,
      kind: "message",
      role: "system",
      blocks: INSTRUCTIONS,
    });
  });

  it("is an answer with the model that gave it", () => {
    const message = {
      role: "assistant",
      content: [],
      model: "auto",
      responseModel: "model-9",
      thinkingLevel: "max",
      stopReason: "deferred",
    };
    expect(item({ type: "message", message })).toMatchObject({
      model: "auto",
      response_model: "model-9",
      thinking_level: "max",
      stop_reason: "deferred",
      context_edit: null,
    });
  });

  it("is a result with the sessions of the agents that it has started", () => {
    const results = [
      { agent: "scout", sessionFile: "/s/1/run-0/a.jsonl" },
      { agent: "worker" },
      null,
      { sessionFile: 1 },
    ];
    const message = { role: "toolResult", toolName: "subagent", content: [], details: { mode: "parallel", results } };
    expect(item({ type: "message", message })).toMatchObject({ subagents: ["/s/1/run-0/a.jsonl"] });
    const many = Array.from({ length: 500 }, (_, place) => ({ sessionFile: `/s/${place}.jsonl` }));
    const more = item({ type: "message", message: { ...message, details: { results: many } } });
    expect(more.kind === "tool_result" && more.subagents).toHaveLength(100);
  });

  it("is a result with its usage, and the calls of a script", () => {
    const message = { role: "toolResult", toolName: "codemode", content: [], usage: STORED_USAGE, nestedCalls: NESTED };
    expect(item({ type: "message", message })).toMatchObject({
      kind: "tool_result",
      usage: USAGE,
      nested_calls: {
        calls: [
          {
            id: "n1",
            name: "read",
            arguments: { path: "src/a.ts" },
            arguments_bytes: null,
            status: "ok",
            duration_ms: 3,
            error: null,
          },
          {
            id: "n2",
            name: "fetch",
            arguments: null,
            arguments_bytes: 9_000,
            status: "error",
            duration_ms: 12,
            error: "not found",
          },
          {
            id: null,
            name: "bash",
            arguments: null,
            arguments_bytes: null,
            status: "unfinished",
            duration_ms: null,
            error: null,
          },
        ],
        complete: false,
      },
    });
  });

  it.each([
    [PLACE.id, true],
    ["0000000a", false],
    [undefined, false],
  ])("is a compaction that keeps what begins at %s", (firstKeptEntryId, keepsNothing) => {
    const kept = firstKeptEntryId === undefined ? {} : { firstKeptEntryId };
    expect(
      item({ type: "compaction", summary: "Short", usage: STORED_USAGE, systemMessage: SYSTEM, ...kept }),
    ).toStrictEqual({
      ...BASE,
      kind: "summary",
      reason: "compaction",
      text: "Short",
      keeps_nothing: keepsNothing,
      checkpoint: INSTRUCTIONS,
      usage: USAGE,
    });
  });

  it("is a summary of a branch, or a note, with its usage", () => {
    expect(item({ type: "branch_summary", summary: "Tried", usage: STORED_USAGE })).toMatchObject({ usage: USAGE });
    const usage = { type: "usage", kind: "cache_warm", model: "m", usage: STORED_USAGE };
    expect(item(usage)).toStrictEqual({
      ...BASE,
      kind: "note",
      hidden: false,
      type: "usage",
      value: { ...PLACE, ...usage },
      usage: USAGE,
    });
    expect(piFormat.preview(usage, 100)).toBe("cache_warm");
  });
});

describe("what the model sees of another entry", () => {
  it.each<[string, JsonObject, unknown, string]>([
    ["nothing", { replacement: null }, null, ""],
    ["nothing where nothing replaces it", { replacement: { content: [] } }, null, ""],
    ["a text", { replacement: { content: "short" } }, [{ kind: "text", text: "short" }], "short"],
    [
      "blocks",
      { replacement: { content: [{ type: "image", data: "aGk=", mimeType: "image/png" }] } },
      [{ kind: "image", mime_type: "image/png", data: "aGk=" }],
      "[image]",
    ],
  ])("is %s", (_, fields, replacement, preview) => {
    const entry = { type: "context_edit", targetId: "0000000a", ...fields };
    expect(piFormat.contextEdit(entry)).toEqual({ targetId: "0000000a", replacement });
    expect(piFormat.facts(entry).editedId).toBe("0000000a");
    expect(piFormat.preview(entry, 100)).toBe(preview);
  });

  it("is not told by other entries, or without a target", () => {
    expect(piFormat.contextEdit({ type: "context_edit", replacement: null })).toBeNull();
    expect(piFormat.contextEdit({ type: "label", targetId: "0000000a" })).toBeNull();
  });
});

it("has the calls of a script searched as those of their tools", () => {
  const message = { role: "toolResult", toolName: "codemode", content: "done", nestedCalls: NESTED };
  expect(piFormat.parts({ type: "message", message }, "tool")).toEqual([
    { kind: "tool_result", role: "tool", text: "done", toolName: "codemode", model: null, files: [] },
    {
      kind: "tool_call",
      role: "tool",
      text: "read\npath: src/a.ts",
      toolName: "read",
      model: null,
      files: ["src/a.ts"],
    },
    { kind: "tool_call", role: "tool", text: "fetch", toolName: "fetch", model: null, files: [] },
    { kind: "tool_result", role: "tool", text: "not found", toolName: "fetch", model: null, files: [] },
    { kind: "tool_call", role: "tool", text: "bash", toolName: "bash", model: null, files: [] },
  ]);
});
