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

  it("has once what its first record and its deltas both tell", () => {
    const start = message("message_start", "assistant", [text("Hel")]);
    expect(built(start).streaming?.blocks).toMatchObject([{ text: "Hel" }]);
    const { streaming } = built(start, delta("text_start"), delta("text_delta", { delta: "Hel" }));
    expect(streaming?.blocks).toMatchObject([{ text: "Hel" }]);
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

describe("what the newer releases tell", () => {
  const called = message("message_end", "assistant", [CALL]);
  const notices = (...events: JsonObject[]) =>
    built(...events).rows.flatMap((row) => (row.kind === "notice" ? [row.notice] : []));

  it("has how long a tool took at its result", () => {
    const end = { type: "tool_execution_end", toolCallId: "c1", durationMs: 1234 };
    expect(built(called, RUNNING, end, RESULT).rows).toMatchObject([{ results: [{ duration_ms: 1234 }] }]);
    const { rows } = built(called, RUNNING, { type: "tool_execution_end", toolCallId: "c1" }, RESULT);
    expect(rows[0]?.kind === "message" && rows[0].results[0]).not.toHaveProperty("duration_ms");
  });

  it.each<[JsonObject, object[]]>([
    [{ type: "agent_settled", aborted: true }, [{ type: "aborted" }]],
    [{ type: "agent_settled", aborted: false }, []],
    [{ type: "compaction_end", aborted: true, willRetry: false }, [{ type: "compaction_aborted" }]],
    [{ type: "compaction_end", aborted: false, errorMessage: "429" }, [{ type: "compaction_failed", error: "429" }]],
    [
      { type: "summarization_retry_scheduled", attempt: 2, maxAttempts: 3, delayMs: 1, errorMessage: "terminated" },
      [{ type: "retrying_summary", attempt: 2, error: "terminated" }],
    ],
    [
      { type: "service_queue_cleared", steering: ["a"], follow_up: ["b"] },
      [{ type: "queue_cleared", prompts: ["a", "b"] }],
    ],
    [{ type: "summarization_retry_attempt_start", source: "compaction", reason: "threshold" }, []],
    [{ type: "summarization_retry_finished" }, []],
    [{ type: "bash_execution_update", id: "1", delta: "x" }, []],
    [{ type: "session_info_changed", name: "n" }, []],
    [{ type: "thinking_level_changed", level: "max" }, []],
    [{ type: "entry_appended", entry: { type: "custom", id: "a", customType: "x", data: {} } }, []],
  ])("%j", (event, expected) => {
    expect(notices(event)).toEqual(expected);
    expect(built(event).rows).toHaveLength(expected.length);
  });

  it("ends well where the agent was told to end, whatever its exit code", () => {
    const exit = { type: "service_exit", exit_code: 143, signal: null, stderr: "", stopped: true };
    expect(notices(exit)).toMatchObject([{ type: "exit", isStopped: true }]);
    expect(notices({ ...exit, stopped: false })).toMatchObject([{ isStopped: false }]);
  });
});

describe("an entry whose record was lost", () => {
  const at = (minute: number) => `2026-01-02T03:0${minute}:00.000Z`;
  const entry = (role: string, words: string, timestamp: string) => ({
    type: "service_entry",
    entry: { type: "message", id: words, timestamp, message: { role, content: [text(words)] } },
  });
  const texts = (events: [string, JsonObject][]) => {
    const builder = new ConversationBuilder();
    for (const [seq, [timestamp, event]] of events.entries()) builder.add({ seq, timestamp, event });
    return builder.conversation.rows.map((row) => (row.kind === "message" ? row.item.blocks : []));
  };

  it("stands at its place in time", () => {
    const said = (words: string) => message("message_end", "user", [text(words)]);
    expect(
      texts([
        [at(1), said("first")],
        [at(3), said("third")],
        [at(4), entry("user", "second", at(2))],
        [at(4), entry("user", "fourth", at(4))],
      ]),
    ).toMatchObject(["first", "second", "third", "fourth"].map((words) => [{ text: words }]));
  });

  it("takes the place of what was seen of it", () => {
    expect(
      texts([
        [at(1), message("message_start", "assistant", [])],
        [at(1), delta("text_delta", { delta: "Hel" })],
        [at(2), { type: "message_end", truncated: true, bytes: 20_000_000 }],
        [at(3), entry("assistant", "Hello", at(2))],
      ]),
    ).toMatchObject([[{ text: "Hello" }]]);
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

  it("gives what the agent gives no time that of the message before it", () => {
    const said = (timestamp: number) => message("message_end", "user", [text("x")], { timestamp });
    const notice = { type: "extension_ui_request", id: "n", method: "notify", message: "Saved" };
    const compaction = { type: "compaction_end", result: { summary: "In short" } };
    expect(built(said(5), notice, said(9), compaction).rows.map(({ time }) => time)).toEqual([5, 5, 9, 9]);
    // The time of the record, where there is none.
    expect(built(notice).rows).toMatchObject([{ time: Date.parse("2026-01-02T03:04:05.000Z") }]);
  });

  it("drops the oldest rows", () => {
    const builder = new ConversationBuilder();
    for (let seq = 1; seq <= 3_000; seq++) {
      builder.add({ seq, timestamp: "", event: message("message_end", "user", [text(`${seq}`)]) });
    }
    expect(builder.conversation.rows.length).toBeLessThanOrEqual(1_000);
    expect(builder.conversation.rows.at(-1)).toMatchObject({ key: "live 3000" });
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
