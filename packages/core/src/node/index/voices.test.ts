import { describe, expect, it } from "vitest";
import { partCode, partOfCode, textTable, VOICE_WEIGHTS, VOICES, voiceOf } from "./voices.ts";

describe("voices", () => {
  it("keep the order that existing indexes were written in", () => {
    expect(VOICES).toEqual(["user", "assistant", "tool", "other"]);
  });

  it.each([
    ["user", "user", "text_user"],
    ["assistant", "assistant", "text_assistant"],
    ["tool", "tool", "text_tool"],
    [null, "other", "text_other"],
  ] as const)("put role %s into %s, which has the table %s", (role, voice, table) => {
    expect(voiceOf(role)).toBe(voice);
    expect(textTable(voice)).toBe(table);
  });

  it("rank what people wrote before answers, and answers before what tools returned", () => {
    expect(VOICE_WEIGHTS.user).toBeGreaterThan(VOICE_WEIGHTS.assistant);
    expect(VOICE_WEIGHTS.assistant).toBeGreaterThan(VOICE_WEIGHTS.tool);
    expect(VOICE_WEIGHTS.tool).toBeGreaterThan(0);
  });
});

describe("part codes", () => {
  it.each([
    ["name", null, 0],
    ["label", null, 1],
    ["text", "user", 2],
    ["text", "assistant", 3],
    ["text", null, 4],
    ["thinking", "assistant", 5],
    ["tool_call", "tool", 6],
    ["tool_result", "tool", 7],
    ["bash", "tool", 8],
    ["summary", null, 9],
  ] as const)("write %s of %s as %i, as in existing indexes", (kind, role, code) => {
    expect(partCode(kind, role)).toBe(code);
    expect(partOfCode(code)).toEqual({ kind, role });
  });

  it("are refused where there is none", () => {
    expect(() => partCode("text", "tool")).toThrow("no code for the text text of role tool");
    expect(() => partOfCode(10)).toThrow("unknown kind of text, 10");
    expect(() => partOfCode(-1)).toThrow("unknown kind of text, -1");
  });
});
