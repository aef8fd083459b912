import { tokenize } from "@sm/text-index/analysis";
import { describe, expect, it } from "vitest";
import { JsonScanner } from "../../node/session-file/json-scanner.ts";
import { decodedLines } from "../scanned-values.ts";
import { partsOfScanned } from "./parts.ts";
import { piFormat } from "./pi.ts";

const scanner = new JsonScanner();

function termsOf(text: string): string[] {
  return tokenize(text).map(({ term }) => term);
}

/** The parts that a line is told to have, `null` where it is to be parsed. */
function told(json: string) {
  const line = scanner.scan(Buffer.from(json));
  if (line === null) throw new Error("It is not listed.");
  const parts = partsOfScanned(line);
  return parts?.map(({ pieces, ...part }) => ({ ...part, terms: termsOf(decodedLines(line, pieces)) })) ?? null;
}

function parsed(json: string) {
  return piFormat.parts(JSON.parse(json), null).map(({ text, ...part }) => ({ ...part, terms: termsOf(text) }));
}

function message(members: object): string {
  return JSON.stringify({ type: "message", id: "3bf80fa8", parentId: null, message: { timestamp: 5, ...members } });
}

function call(callArguments: unknown): string {
  return message({ role: "assistant", content: [{ type: "toolCall", name: "edit", arguments: callArguments }] });
}

function nested(levels: number): unknown {
  let value: unknown = { path: "deep", other: ["a/b", 7] };
  for (let level = 0; level < levels; level++) value = level % 2 === 0 ? [value, "c/d"] : { inner: value, path: "e" };
  return value;
}

const TEXTS = [
  { type: "text", text: "one\n\u001b[1mtwo" },
  { type: "image", data: "aGk=", mimeType: "image/png" },
  { type: "text", text: "" },
  { type: "text", text: "中文 three" },
];

describe("the parts of a line that is not parsed", () => {
  it.each<[string, string, number]>([
    ["what a user says", message({ role: "user", content: TEXTS }), 1],
    ["a content that is a text", message({ role: "user", content: 'a "text"' }), 1],
    [
      "what an assistant says, thinks and calls",
      message({
        role: "assistant",
        model: "claude-opus-4-5",
        content: [
          { type: "thinking", thinking: "first", thinkingSignature: "c2lnbmVk" },
          { type: "toolCall", id: "toolu_1", name: "read", arguments: { path: "src/a.ts", offset: 20, all: false } },
          { type: "thinking", thinking: "second" },
          ...TEXTS,
          { type: "toolCall", name: "bash", arguments: {} },
          { type: "toolCall" },
        ],
      }),
      5,
    ],
    ["a tool's result", message({ role: "toolResult", toolName: "bash", content: TEXTS, details: { diff: "+" } }), 1],
    ["a result without text", message({ role: "toolResult", toolName: "bash", content: [] }), 0],
    [
      "a result with the calls of a script",
      message({
        role: "toolResult",
        toolName: "codemode",
        content: TEXTS,
        nestedCalls: {
          calls: [
            { id: "n1", name: "read", arguments: { path: "src/a.ts" }, status: "ok", durationMs: 3 },
            { id: "n2", name: "mcp__web__fetch", argumentsBytes: 9000, status: "error", error: "not\nfound" },
            { id: "n3", status: "unfinished" },
            "none",
          ],
          complete: false,
        },
      }),
      5,
    ],
    [
      "nested calls that are none",
      message({ role: "toolResult", toolName: "codemode", nestedCalls: { calls: {} } }),
      0,
    ],
    ["a command of the user", message({ role: "bashExecution", command: "ls -l", output: "total 0\n" }), 1],
    ["an empty one", message({ role: "bashExecution", command: " ", output: "\n\u00a0" }), 0],
    ["text of an extension", message({ role: "custom", content: "shown", display: true }), 1],
    ["hidden text", message({ role: "custom", content: "shown", display: false }), 0],
    ["an unknown role", message({ role: "nobody", content: "text" }), 0],
    ["a message that is none", '{"type":"message","message":"text"}', 0],
    ["a compaction", '{"type":"compaction","summary":"what was\\nsaid"}', 1],
    ["the summary of a branch", '{"type":"branch_summary","summary":"what was\\nsaid"}', 1],
    ["an entry of an extension", '{"type":"custom_message","content":[{"type":"text","text":"hi"}]}', 1],
    ["a name", '{"type":"session_info","name":" a name "}', 1],
    ["a name of spaces", '{"type":"session_info","name":" \\t"}', 0],
    ["a label", '{"type":"label","targetId":"3bf80fa8","label":" "}', 1],
    ["another entry", '{"type":"model_change","modelId":"claude-opus-4-5"}', 0],
    ["a member that comes twice", '{"type":"label","label":"one","type":"session_info","name":"a","name":"b"}', 1],
    ["paths of all kinds", call({ paths: ["a b", ["c\n", "d"]], file: "e", x: "f/g", y: "f h/i", z: "C:\\\\j.cs" }), 1],
    ["more paths than are kept", call({ x: Array.from({ length: 50 }, (_, n) => `a/${n}`) }), 1],
    ["more values than are looked at", call({ x: Array.from({ length: 1022 }, () => 0), path: "late" }), 1],
    ["as many values as are looked at", call({ x: Array.from({ length: 1021 }, () => 0), path: "in time" }), 1],
    [
      "long paths",
      call({ path: `${"\u0001".repeat(4090)}a/b`, file: "a".repeat(4097), x: `${"\\".repeat(250)}a/b` }),
      1,
    ],
    ["long words", call({ x: `a/${"b".repeat(254)}`, y: `a/${"b".repeat(255)}`, z: `a/${"é".repeat(254)}` }), 1],
    ["arguments as deep as they are read", call(nested(48)), 1],
    ["deeper ones", call(nested(52)), 1],
    ["arguments that are none", call("a/b"), 1],
    ["numbers as JSON writes them", call({ a: [0, -1, 0.5, 1e21, 1e-7, 123456789] }), 1],
  ])("are those of the parsed one: %s", (_, json, count) => {
    expect(told(json)).toEqual(parsed(json));
    expect(parsed(json)).toHaveLength(count);
  });

  it.each([
    ["a type with escapes", '{"type":"lab\\u0065l","label":"a"}'],
    ["a role with escapes", '{"type":"message","message":{"role":"us\\u0065r","content":"a"}}'],
    ["a block with escapes", '{"type":"custom_message","content":[{"type":"t\\u0065xt","text":"a"}]}'],
    ["an argument that comes twice", call({ a: 1 }).replace('"a":1', '"a":1,"b":2,"a":3')],
    ["an argument that is moved to the front", call({ a: 1 }).replace('"a":1', '"a":1,"0":2')],
    ["a number that is written in another way", call({ a: 1 }).replace('"a":1', '"a":1.0')],
  ])("are not told of %s", (_, json) => {
    expect(told(json)).toBeNull();
  });
});
