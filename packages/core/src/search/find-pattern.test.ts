import { describe, expect, it } from "vitest";
import { countInPieces, countMatches, findPattern } from "./find-pattern.ts";

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

it("countInPieces counts the same, wherever a text is cut", () => {
  const text = "a needle and\n needle  and needle and";
  for (const query of ["needle", "needle and", "and", "a"]) {
    const pattern = findPattern(query) ?? /$^/g;
    const whole = countMatches(text, pattern, 10);
    for (let at = 0; at <= text.length; at++) {
      for (const pieces of [
        [text.slice(0, at), text.slice(at)],
        [text.slice(0, at), ...text.slice(at)],
      ]) {
        expect(countInPieces(pieces, pattern, 10)).toBe(whole);
      }
    }
    expect(countInPieces([...text], pattern, 1)).toBe(1);
  }
});
