import { describe, expect, it } from "vitest";
import { changedParts } from "./changed-part.ts";

function marked(line: string, { start, end }: { start: number; end: number }): string {
  return `${line.slice(0, start)}[${line.slice(start, end)}]${line.slice(end)}`;
}

describe("changedParts", () => {
  it.each([
    ["const a = 1;", "const a = 2;", "const a = [1];", "const a = [2];"],
    ["return parsed;", "return parser;", "return [parsed];", "return [parser];"],
    ["f(a)", "f(a, b)", "f(a[])", "f(a[, b])"],
    ["  return x;", "    return x;", "  []return x;", "  [  ]return x;"],
    ["ok = '😀'", "ok = '😁'", "ok = '[😀]'", "ok = '[😁]'"],
    ["aa b", "aa b b", "aa b[]", "aa b[ b]"],
  ])("%s → %s", (before, after, one, other) => {
    const parts = changedParts(before, after);
    expect(parts).not.toBeNull();
    if (parts === null) return;
    expect([marked(before, parts[0]), marked(after, parts[1])]).toEqual([one, other]);
  });

  it.each([
    ["nothing", "else"],
    ["", "new"],
    ["same", "same"],
    ["  }", "  return value;"],
    ["x".repeat(2_000), `${"x".repeat(2_000)}y`],
  ])("%j and %j are two lines", (before, after) => {
    expect(changedParts(before, after)).toBeNull();
  });
});
