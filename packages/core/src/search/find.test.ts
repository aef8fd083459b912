import { describe, expect, it } from "vitest";
import { countMatches, findPattern } from "./find.ts";

describe("findPattern", () => {
  it.each([
    ["Foo", "a foo and FOO", 2],
    ["a  b", "a\n b", 1],
    ["f(x) + [y]", "f(x) + [y]", 1],
    ["\\d", "1 \\d", 1],
    ["straße", "STRAẞE", 1],
  ])("%s is in %j %d times", (query, text, count) => {
    expect(countMatches(text, findPattern(query) ?? /$^/g, 10)).toBe(count);
  });

  it.each(["", "  "])("%j is nothing to find", (query) => {
    expect(findPattern(query)).toBeNull();
  });
});

it("countMatches counts as many as somebody wants to know of", () => {
  expect(countMatches("a a a a", /a/g, 3)).toBe(3);
});
