import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { cut, oneLine } from "./text.ts";

describe("oneLine", () => {
  it.each([
    ["", ""],
    ["  a  ", "a"],
    ["a\r\n\tb\u00a0\u2028c d", "a b c d"],
    ["abcdefghijk", "abcdefghij"],
    ["abcdefghi🦉", "abcdefghi"],
    ["abcdefgh🦉", "abcdefgh🦉"],
    [`${" ".repeat(70)}abc`, "abc"],
    [`${" ".repeat(80)}abc`, ""],
  ])("makes of %j: %j", (text, line) => {
    expect(oneLine(text, 10)).toBe(line);
  });

  it("is what all of the beginning comes to", () => {
    const text = fc.string({ unit: fc.constantFrom(" ", "\n", "\u00a0", "a", "é", "\ud83e", "\udd89") });
    fc.assert(
      fc.property(fc.array(text), fc.integer({ min: 1, max: 12 }), (texts, limit) => {
        const whole = texts.join("");
        const line = whole
          .slice(0, limit * 8)
          .replace(/\s+/g, " ")
          .trim();
        expect(oneLine(whole, limit)).toBe(cut(line, limit));
      }),
    );
  });
});
