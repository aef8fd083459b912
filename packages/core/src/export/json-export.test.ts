import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { JsonObject } from "../json.ts";
import type { TranscriptItem } from "../session/transcript.ts";
import { type ExportedMessage, exportJson } from "./json-export.ts";
import {
  called,
  INSTRUCTIONS,
  joined,
  NESTED,
  noted,
  ran,
  returned,
  said,
  summarised,
  transcriptOf,
  USAGE,
} from "./transcript.fixture.ts";

const ALL = { include_thinking: true, include_tools: true };

async function messagesOf(items: TranscriptItem[], selection = ALL): Promise<ExportedMessage[]> {
  return JSON.parse(await joined(exportJson(transcriptOf(items), selection))).messages;
}

const BASE = { id: "00000001", parent_id: null, timestamp: "2026-05-01T12:00:00.000Z" };
const thinking = { kind: "thinking", text: "hm", redacted: false } as const;
const image = { kind: "image", mime_type: "image/png", data: "iVBORw0KGgo=" } as const;

describe("exportJson", () => {
  it("describes the session, and gives each message a line", async () => {
    const usage = {
      input_tokens: 1,
      output_tokens: 2,
      cache_read_tokens: 3,
      cache_write_tokens: 4,
      cache_write_1h_tokens: 0,
      reasoning_tokens: 0,
      total_tokens: 10,
      cost_usd: 0.5,
      estimated_cost_usd: null,
    };
    const fields = { session_id: "s", name: "Name", cwd: "/p", created_at: BASE.timestamp, models: ["m"], usage };
    const text = await joined(exportJson(transcriptOf([said("user", ["a"]), said("assistant", ["b"])], fields), ALL));
    expect(JSON.parse(text)).toMatchObject({ ...fields, messages: [{ role: "user" }, { role: "assistant" }] });
    expect(Object.keys(JSON.parse(text))).toEqual([...Object.keys(fields), "messages"]);
    expect(text.split("\n").filter((line) => line.startsWith('    {"role":'))).toHaveLength(2);
    expect(text.endsWith("\n  ]\n}\n")).toBe(true);
  });

  it("ends with what has been replaced, counted when the last message is written", async () => {
    let count = 0;
    function* items() {
      for (const text of ["a", "b"]) {
        count++;
        yield said("user", [text]);
      }
    }
    const redactions = () => [{ type: "email", count }];
    const text = await joined(exportJson({ ...transcriptOf([], { redactions }), items: items() }, ALL));
    expect(JSON.parse(text)).toMatchObject({ messages: [{}, {}], redactions: [{ type: "email", count: 2 }] });
    expect(text.endsWith("]\n}\n")).toBe(true);
  });

  it("is valid without messages, name or directory", async () => {
    const parsed = JSON.parse(await joined(exportJson(transcriptOf([]), ALL)));
    expect(parsed).toMatchObject({ name: null, cwd: null, models: [], messages: [] });
  });

  const answer = {
    hidden: false,
    provider: null,
    model: null,
    response_model: null,
    thinking_level: null,
    usage: null,
    stop_reason: null,
    error_message: null,
    context_edit: null,
  };
  it.each<[string, TranscriptItem, Record<string, unknown>]>([
    [
      "a message of several blocks",
      said("user", ["a", image, "b"]),
      {
        role: "user",
        content: "a\n\nb",
        ...BASE,
        ...answer,
        parts: [{ kind: "text", text: "a" }, image, { kind: "text", text: "b" }],
      },
    ],
    [
      "a message without content",
      said("assistant", [], { provider: "p", model: "m", stop_reason: "error", error_message: "overloaded" }),
      {
        role: "assistant",
        content: "",
        ...BASE,
        ...answer,
        provider: "p",
        model: "m",
        stop_reason: "error",
        error_message: "overloaded",
        parts: [],
      },
    ],
    [
      "a hidden message",
      said("custom", ["x"], { hidden: true }),
      { role: "custom", content: "x", ...BASE, ...answer, hidden: true, parts: [{ kind: "text", text: "x" }] },
    ],
    [
      "a tool call",
      said("assistant", [called("c1", "read", { path: "/a" })]),
      {
        role: "assistant",
        content: "",
        ...BASE,
        ...answer,
        parts: [{ kind: "tool_call", id: "c1", name: "read", arguments: { path: "/a" } }],
      },
    ],
    [
      "a result",
      returned("c1", "out", { diff: "+1", details: { diff: "+1", lines: [1, 2] }, is_error: true }),
      {
        role: "tool",
        content: "out",
        ...BASE,
        tool_name: "read",
        call_id: "c1",
        is_error: true,
        diff: "+1",
        details: { diff: "+1", lines: [1, 2] },
        nested_calls: null,
        subagents: [],
        usage: null,
        context_edit: null,
        parts: [{ kind: "text", text: "out" }],
      },
    ],
    [
      "the calls of a script, and what the model sees instead",
      returned("c1", "out", {
        tool_name: "codemode",
        nested_calls: NESTED,
        usage: USAGE,
        context_edit: { entry_id: "e", replacement: [{ kind: "text", text: "short" }] },
      }),
      {
        role: "tool",
        content: "out",
        ...BASE,
        tool_name: "codemode",
        call_id: "c1",
        is_error: false,
        diff: null,
        details: null,
        nested_calls: NESTED,
        subagents: [],
        usage: USAGE,
        context_edit: { entry_id: "e", replacement: [{ kind: "text", text: "short" }] },
        parts: [{ kind: "text", text: "out" }],
      },
    ],
    [
      "the agent's instructions",
      said("system", INSTRUCTIONS),
      { role: "system", content: "Be brief", ...BASE, ...answer, parts: INSTRUCTIONS },
    ],
    [
      "a command of the user",
      ran("ls", "a\n", { exit_code: null, cancelled: true, full_output_path: "/tmp/pi-bash.log" }),
      {
        role: "bash",
        content: "a\n",
        ...BASE,
        command: "ls",
        exit_code: null,
        cancelled: true,
        truncated: false,
        full_output_path: "/tmp/pi-bash.log",
        parts: [{ kind: "text", text: "a\n" }],
      },
    ],
    [
      "a summary",
      summarised("branch", "tried"),
      {
        role: "summary",
        content: "tried",
        ...BASE,
        reason: "branch",
        keeps_nothing: false,
        checkpoint: [],
        usage: null,
        parts: [{ kind: "text", text: "tried" }],
      },
    ],
    [
      "an entry without conversation",
      noted("label"),
      {
        role: "note",
        content: "",
        ...BASE,
        type: "label",
        value: { type: "label", detail: "kept" },
        usage: null,
        parts: [],
      },
    ],
  ])("writes %s", async (_, item, expected) => {
    expect(await messagesOf([item])).toEqual([expected]);
  });

  const turn = [
    said("user", ["q"]),
    said("assistant", [thinking, "a", called("c1", "read")]),
    returned("c1", "r"),
    ran("ls", ""),
  ];
  it.each([
    ["thinking", { include_thinking: false, include_tools: true }, [["text"], ["text", "tool_call"], ["text"], []]],
    ["tools", { include_thinking: true, include_tools: false }, [["text"], ["thinking", "text"]]],
    ["both", { include_thinking: false, include_tools: false }, [["text"], ["text"]]],
  ])("leaves out %s", async (_, selection, kinds) => {
    const messages = await messagesOf(turn, selection);
    expect(messages.map((message) => message.parts.map((part) => part.kind))).toEqual(kinds);
  });

  it("keeps lone surrogates, and bytes that are no text in JSON", async () => {
    const text = '\ud800 \udc00 \u0000 \u2028 "';
    expect((await messagesOf([said("user", [text])]))[0]?.content).toBe(text);
  });

  it("cuts a value that is too deep for the engine to write", async () => {
    const deep: JsonObject = JSON.parse(`${'{"a":['.repeat(20_000)}${"]}".repeat(20_000)}`);
    const [message] = await messagesOf([said("assistant", [{ kind: "raw", value: deep }, "after"])]);
    expect(message?.content).toBe("after");
    expect(message?.parts[0]).toMatchObject({ kind: "raw", value: { a: [{ a: [{}] }] } });
  });

  it("reads one item at a time, and closes its source when it is left early", async () => {
    let read = 0;
    let closed = false;
    async function* items() {
      try {
        for (;;) {
          read++;
          yield said("user", ["again"]);
        }
      } finally {
        closed = true;
      }
    }
    let messages = 0;
    for await (const chunk of exportJson({ ...transcriptOf([]), items: items() }, ALL)) {
      if (chunk.includes('"again"') && ++messages === 3) break;
    }
    expect(read).toBe(3);
    expect(closed).toBe(true);
  });

  it("always parses, with strings for content", async () => {
    const text = fc.string({ unit: "binary" });
    const block = fc.oneof(
      fc.record({ kind: fc.constant("text" as const), text }),
      fc.record({ kind: fc.constant("thinking" as const), text, redacted: fc.boolean() }),
      fc.record({ kind: fc.constant("raw" as const), value: fc.jsonValue() as fc.Arbitrary<JsonObject> }),
    );
    const item = fc.oneof(
      fc.array(block).map((blocks) => said("assistant", blocks)),
      fc.array(block).map((blocks) => returned("c", "", { blocks })),
      fc.tuple(text, text).map(([command, output]) => ran(command, output)),
      text.map((summary) => summarised("compaction", summary)),
    );
    await fc.assert(
      fc.asyncProperty(fc.array(item), async (items) => {
        const messages = await messagesOf(items);
        expect(messages).toHaveLength(items.length);
        for (const message of messages) {
          const texts = message.parts.flatMap((part) => (part.kind === "text" ? [part.text] : []));
          expect(message.content).toBe(texts.join("\n\n"));
        }
      }),
    );
  });
});
