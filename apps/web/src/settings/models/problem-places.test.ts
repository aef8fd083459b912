import { describe, expect, it } from "vitest";
import { placeOf } from "./problem-places.ts";

const TEXT = `{
  "providers": {
    "gpt-4.1": { "models": [{ "id": "" }, { "name": 5 }] },
    "gpt-4": { "baseUrl": 1 }
  }
}`;

describe("the place of a problem", () => {
  it.each([
    ["", "{"],
    ["providers", "{"],
    ["providers.gpt-4.1.models.0.id", '""'],
    ["providers.gpt-4.1.models.1.name", "5"],
    ["providers.gpt-4.baseUrl", "1"],
    ["providers.gpt-4.1.models", "["],
    ["providers.gpt-4.1.models.1.id", "{"],
    ["providers.gpt-4.1.models.7.id", "["],
    ["nowhere.at.all", "{"],
  ])("of %j is at %j", (path, expected) => {
    const { from, to } = placeOf(TEXT, path);
    expect(TEXT.slice(from, to)).toBe(expected);
  });

  it("is the innermost that there is", () => {
    const { from } = placeOf(TEXT, "providers.gpt-4.1.models.1.id");
    expect(TEXT.slice(from)).toMatch(/^\{ "name": 5/);
  });

  it.each(["", " ", "{", '{"a"', '{"a": ', "[1, ", "nonsense"])("stays within %j", (text) => {
    const { from, to } = placeOf(text, "a.b.0");
    expect([from >= 0, to <= text.length, from <= to]).toEqual([true, true, true]);
  });
});
