import { describe, expect, it } from "vitest";
import { csvOf } from "./csv.ts";

describe("CSV", () => {
  it("has a line for the titles and each row, and leaves open what is not known", () => {
    expect(
      csvOf(
        ["Day", "Cost"],
        [
          ["2026-03-04", 0.5],
          ["2026-03-05", null],
          ["2026-03-06", 0],
        ],
      ),
    ).toBe("\ufeffDay,Cost\r\n2026-03-04,0.5\r\n2026-03-05,\r\n2026-03-06,0\r\n");
  });

  it.each([
    ["a,b", '"a,b"'],
    ['say "x"', '"say ""x"""'],
    ["two\nlines", '"two\nlines"'],
    ["=HYPERLINK(1)", "'=HYPERLINK(1)"],
    ["@sum", "'@sum"],
    ["-1+1,", `"'-1+1,"`],
    ["plain", "plain"],
  ])("writes %j so that it stays text", (text, expected) => {
    expect(csvOf([], [[text]])).toBe(`\ufeff\r\n${expected}\r\n`);
  });

  it("keeps numbers below zero", () => {
    expect(csvOf([], [[-1]])).toContain("\n-1\r");
  });
});
