import type { JsonObject } from "@sm/core";
import { describe, expect, it } from "vitest";
import { type Conversation, ConversationBuilder } from "./conversation.ts";

/** Builds a conversation of records, numbered from 1. */
function built(...events: JsonObject[]): Conversation {
  const builder = new ConversationBuilder();
  for (const [at, event] of events.entries()) {
    builder.add({ seq: at + 1, timestamp: "2026-01-02T03:04:05.000Z", event });
  }
  return builder.conversation;
}

const message = (
  type: "message_start" | "message_end",
  role: string,
  content: JsonObject[],
  more: JsonObject = {},
) => ({
  type,
  message: { role, content, ...more },
});
const text = (words: string) => ({ type: "text", text: words });
const delta = (type: string, more: JsonObject = {}) => ({
  type: "message_update",
  assistantMessageEvent: { type, contentIndex: 0, ...more },
});

const CALL = { type: "toolCall", id: "c1", name: "bash", arguments: { command: "ls" } };
const RESULT = message("message_end", "toolResult", [text("a\nb")], { toolCallId: "c1", toolName: "bash" });
const RUNNING = { type: "tool_execution_start", toolCallId: "c1", toolName: "bash", args: { command: "ls" } };

describe("an answer", () => {
  it("grows with its deltas", () => {
    const { streaming, rows } = built(
      message("message_start", "assistant", []),
      delta("text_start"),
      delta("text_delta", { delta: "Hel" }),
      delta("text_delta", { delta: "lo" }),
    );
    expect(streaming?.blocks).toEqual([{ kind: "text", text: "Hello", isDone: false }]);
    expect(rows).toEqual([]);
  });

  it("becomes a row with the same key, as its last record has it", () => {
    const start = message("message_start", "assistant", []);
    const { streaming: before } = built(start);
    const { streaming, rows } = built(
      start,
      delta("text_delta", { delta: "Hel" }),
      message("message_end", "assistant", [text("Hello")]),
    );
    expect(streaming).toBeNull();
    expect(rows).toMatchObject([{ kind: "message", key: before?.key, item: { blocks: [{ text: "Hello" }] } }]);
  });

  it("is taken from its deltas where the last record was too large", () => {
    const { rows } = built(message("message_start", "assistant", []), delta("text_delta", { delta: "Hello" }), {
      type: "message_end",
      truncated: true,
      bytes: 20_000_000,
    });
    expect(rows).toMatchObject([{ kind: "message", item: { role: "assistant", blocks: [{ text: "Hello" }] } }]);
  });

  it("is shown although its beginning was missed, and whole at the end of a part", () => {
    expect(built(delta("text_delta", { delta: "lo" })).streaming?.blocks).toMatchObject([{ text: "lo" }]);
    expect(built(delta("text_end", { content: "Hello" })).streaming?.blocks).toMatchObject([{ text: "Hello" }]);
  });

  it("tells of a call while its arguments are written", () => {
    const { streaming } = built(
      delta("toolcall_start", { id: "c1", toolName: "bash" }),
      delta("toolcall_delta", { delta: '{"comm' }),
      delta("toolcall_delta", { delta: 'and":"ls"}' }),
    );
    expect(streaming?.blocks).toEqual([
      { kind: "tool_call", id: "c1", name: "bash", json: '{"command":"ls"}', arguments: null },
    ]);
  });

  it.each([-1, 1_000, 2 ** 31, 0.5])("does not believe in a part at %d", (contentIndex) => {
    const { streaming } = built(
      message("message_start", "assistant", []),
      delta("text_delta", { contentIndex, delta: "x" }),
    );
    expect(streaming?.blocks).toEqual([]);
  });
});

describe("a tool", () => {
  const called = message("message_end", "assistant", [CALL]);
  const update = { type: "tool_execution_update", toolCallId: "c1", partialResult: { content: [text("a")] } };

  it("shows what it has written so far", () => {
    expect(built(called, RUNNING, update).tools).toEqual([
      { id: "c1", name: "bash", arguments: { command: "ls" }, output: "a" },
    ]);
  });

  it("gives its result to the call", () => {
    const { tools, rows } = built(called, RUNNING, update, RESULT);
    expect(tools).toEqual([]);
    expect(rows).toMatchObject([{ kind: "message", results: [{ call_id: "c1", blocks: [{ text: "a\nb" }] }] }]);
  });

  it("has a row of its own where the call is not there", () => {
    expect(built(RESULT).rows).toMatchObject([{ kind: "other", item: { kind: "tool_result" } }]);
  });

  it.each(["tool_execution_end", "agent_end", "service_exit"])("runs no more after %s", (type) => {
    expect(built(called, RUNNING, { type, toolCallId: "c1" }).tools).toEqual([]);
  });
});

describe("questions", () => {
  const ask = (method: string, more: JsonObject = {}) => ({
    type: "extension_ui_request",
    id: "q",
    method,
    title: "T",
    ...more,
  });

  it.each<[string, JsonObject, JsonObject]>([
    ["confirm", { message: "Sure?" }, { message: "Sure?" }],
    ["select", { options: ["a", "b", "a", 1] }, { options: ["a", "b"] }],
    ["input", { placeholder: "name" }, { placeholder: "name" }],
    ["editor", { prefill: "text" }, { prefill: "text" }],
  ])("of the kind %s are open until they are answered", (method, more, expected) => {
    expect(built(ask(method, more)).questions).toMatchObject([{ id: "q", method, title: "T", ...expected }]);
    expect(built(ask(method, more), { type: "extension_ui_response", id: "q", cancelled: false }).questions).toEqual(
      [],
    );
    expect(built(ask(method, more), { type: "service_exit" }).questions).toEqual([]);
  });

  it("are none where an extension tells something", () => {
    const { questions, rows } = built(ask("notify", { message: "Saved", notifyType: "warning" }), ask("setTitle"));
    expect(questions).toEqual([]);
    expect(rows).toMatchObject([{ kind: "notice", notice: { type: "told", level: "warning", text: "Saved" } }]);
  });
});

describe("a conversation", () => {
  it("keeps prompts that wait, and the lines of extensions", () => {
    const status = (statusText?: string) => ({
      type: "extension_ui_request",
      id: "s",
      method: "setStatus",
      statusKey: "git",
      ...(statusText === undefined ? {} : { statusText }),
    });
    const queue = { type: "queue_update", steering: ["now"], followUp: ["later"] };
    const { queue: waiting, extensions } = built(queue, status("main"));
    expect(waiting).toEqual({ steering: ["now"], followUp: ["later"] });
    expect([...extensions.statuses]).toEqual([["git", "main"]]);
    expect(built(status("main"), status()).extensions.statuses.size).toBe(0);
  });

  it("tells how the agent ended", () => {
    const exit = { type: "service_exit", exit_code: 7, signal: null, stderr: "Error" };
    const title = { type: "extension_ui_request", id: "t", method: "setTitle", title: "Busy" };
    expect([built(title), built(title, exit)].map(({ extensions }) => extensions.title)).toEqual(["Busy", null]);
    expect(built(exit).rows).toMatchObject([{ notice: { type: "exit", exitCode: 7, signal: null, stderr: "Error" } }]);
  });

  it("begins with what was stored, and drops the oldest rows", () => {
    const builder = new ConversationBuilder();
    builder.addStored([{ type: "message", id: "a", message: { role: "user", content: "Stored" } }], false);
    expect(builder.conversation.rows).toMatchObject([{ kind: "message", item: { role: "user" } }]);
    expect(builder.hasLeftOut).toBe(false);
    for (let seq = 1; seq <= 3_000; seq++) {
      builder.add({ seq, timestamp: "", event: message("message_end", "user", [text(`${seq}`)]) });
    }
    expect(builder.conversation.rows.length).toBeLessThanOrEqual(1_000);
    expect(builder.conversation.rows.at(-1)).toMatchObject({ key: "live 3000" });
    expect(builder.hasLeftOut).toBe(true);
  });

  it.each<JsonObject>([
    { type: "message_end", message: null },
    { type: "message_end", message: { role: 5, content: {} } },
    { type: "message_update", assistantMessageEvent: "x" },
    { type: "tool_execution_update", toolCallId: 5 },
    { type: "queue_update", steering: "x", followUp: [1] },
    { type: "extension_ui_request", method: "select" },
    { type: "compaction_end", result: 5 },
  ])("takes the odd record %j", (event) => {
    expect(() => built(event)).not.toThrow();
  });
});
