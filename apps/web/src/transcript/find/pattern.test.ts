import { describe, expect, it } from "vitest";
import { marksPattern, shortestTexts } from "./pattern.ts";

describe("marksPattern", () => {
  it.each([
    [["tide", "clock"], "A Tide, and a clock", ["Tide", "clock"]],
    [["tide clock"], "tide\n  clock", ["tide\n  clock"]],
    [["user", "username"], "username and user", ["username", "user"]],
    [["a.b"], "axb a.b", ["a.b"]],
    [["is"], "this is it", ["is"]],
    [["搜索"], "全文搜索引擎", ["搜索"]],
  ])("finds %j in %j", (texts, text, found) => {
    expect(text.match(marksPattern(texts) as RegExp)).toEqual(found);
  });

  it("is none without texts", () => {
    expect(marksPattern([])).toBeNull();
    expect(marksPattern([" "])).toBeNull();
  });
});

it.each([
  [
    ["tide", "clock"],
    ["tide", "clock"],
  ],
  [["user", "username"], ["user"]],
])("of %j it is enough to find %j", (texts, found) => expect(shortestTexts(texts)).toEqual(found));
