import { describe, expect, it } from "vitest";
import { fileError } from "./file-errors.ts";

describe("what the file system says", () => {
  it.each([
    ["EMFILE", "UNAVAILABLE", /too many files are open.*ulimit/i],
    ["ENFILE", "UNAVAILABLE", /too many files are open/i],
    ["ENOSPC", "UNAVAILABLE", /no space left.*free some space/i],
    ["EDQUOT", "UNAVAILABLE", /no space left/i],
    ["ELOOP", "FORBIDDEN", /is a link/],
    ["ENXIO", "FORBIDDEN", /not a regular file/],
  ])("%s is told in words", (code, expected, words) => {
    const error = fileError(Object.assign(new Error(code), { code }), "write", "/code/a.jsonl");
    expect(error?.code).toBe(expected);
    expect(error?.message).toMatch(words);
    expect(error?.message).toContain("/code/a.jsonl");
  });
});
