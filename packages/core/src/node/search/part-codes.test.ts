import { describe, expect, it } from "vitest";
import { partCode, partOfCode } from "./part-codes.ts";

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
