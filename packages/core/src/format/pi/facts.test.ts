import { describe, expect, it } from "vitest";
import type { JsonObject } from "../../json.ts";
import { piFormat } from "./pi.ts";

const place = { id: "b", parentId: "a", timestamp: "2026-03-01T10:00:00.000Z" };
/** Of the reasoning and of what is cached for an hour the agent says how much of the other figures they are. */
const usage = {
  input: 1,
  output: 20,
  cacheRead: 300,
  cacheWrite: 4000,
  reasoning: 15,
  cacheWrite1h: 3000,
  totalTokens: 9,
  cost: { input: 1, output: 1, cacheRead: 1, cacheWrite: 1, total: 0.5 },
};
const used = {
  input_tokens: 1,
  output_tokens: 20,
  cache_read_tokens: 300,
  cache_write_tokens: 4000,
  cache_write_1h_tokens: 3000,
  reasoning_tokens: 15,
  total_tokens: 4321,
  cost_usd: 0.5,
  estimated_cost_usd: null,
};
const message = (fields: JsonObject): JsonObject => ({ type: "message", ...place, message: fields });

describe("the usage of an entry", () => {
  it.each<[string, JsonObject]>([
    ["an answer", message({ role: "assistant", content: [], usage })],
    ["an answer that was aborted", message({ role: "assistant", content: [], stopReason: "aborted", usage })],
    ["an answer that is not finished", message({ role: "assistant", content: [], stopReason: "pending", usage })],
    ["a tool's result", message({ role: "toolResult", toolName: "image", content: [], usage })],
    ["a compaction", { type: "compaction", ...place, summary: "", usage }],
    ["a branch summary", { type: "branch_summary", ...place, summary: "", usage }],
    ["a use of another kind", { type: "usage", ...place, kind: "whatever", provider: "p", model: "m", usage }],
  ])("is told of %s, the parts of a figure once", (_, entry) => {
    expect(piFormat.facts(entry).usage).toEqual(used);
  });

  it.each<[string, JsonObject]>([
    ["a user's message", message({ role: "user", content: "", usage })],
    ["an extension's data", { type: "custom", ...place, usage }],
    ["an edit of the context", { type: "context_edit", ...place, targetId: "a", replacement: null, usage }],
    ["a compaction without one", { type: "compaction", ...place, summary: "" }],
    ["a tool's result with another thing in its place", message({ role: "toolResult", usage: [usage] })],
  ])("is not told of %s", (_, entry) => {
    expect(piFormat.facts(entry).usage).toBeNull();
  });
});

describe("an entry", () => {
  it.each<[string, JsonObject, string | null, string | null]>([
    ["an answer", message({ role: "assistant", provider: "p", model: "m", responseModel: "other" }), "p", "m"],
    ["a use", { type: "usage", ...place, provider: "p", model: "m", usage }, "p", "m"],
    ["a choice", { type: "model_change", ...place, provider: "p", modelId: "m" }, "p", "m"],
    ["a use of a renamed provider", { type: "usage", ...place, provider: "azure-openai-responses" }, "azure", null],
    ["a tool's result", message({ role: "toolResult", provider: "p", model: "m", usage }), null, null],
    ["a compaction", { type: "compaction", ...place, provider: "p", model: "m", usage }, null, null],
  ])("that is %s names provider and model", (_, entry, provider, model) => {
    expect(piFormat.facts(entry)).toMatchObject({ provider, model });
  });

  it.each(["usage", "context_edit", "label", "session_info", "custom", "model_change", "thinking_level_change"])(
    "of type %s is no conversation",
    (type) => {
      expect(piFormat.facts({ type, ...place })).toMatchObject({ conversation: false, isMessage: false });
    },
  );

  it.each(["compaction", "branch_summary", "custom_message", "something_new"])("of type %s is conversation", (type) => {
    expect(piFormat.facts({ type, ...place }).conversation).toBe(true);
  });

  it("tells of the calls that a tool made, apart from those of the model", () => {
    const calls = [
      { id: "1", name: "read", arguments: { path: "a" }, status: "ok" },
      { id: "2", name: "bash", status: "error", error: "exit 1" },
      { id: "3", name: "bash", status: "unfinished" },
    ];
    const result = { role: "toolResult", toolName: "codemode", content: [], nestedCalls: { calls, complete: false } };
    expect(piFormat.facts(message(result))).toMatchObject({
      calledTools: [],
      nestedTools: ["read", "bash", "bash"],
      failedTools: ["bash"],
    });
    expect(piFormat.facts(message({ ...result, isError: true })).failedTools).toEqual(["codemode", "bash"]);
    expect(piFormat.facts(message({ ...result, nestedCalls: calls })).nestedTools).toEqual([]);
  });

  it("of the system says nothing that lists show", () => {
    const facts = piFormat.facts(message({ role: "system", content: "You are", sections: { preamble: "helpful" } }));
    expect(facts).toMatchObject({ isMessage: true, role: "system", hasText: false });
    expect(facts.excerpt()).toBeNull();
  });
});
