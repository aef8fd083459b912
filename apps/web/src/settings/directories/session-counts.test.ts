import { describe, expect, it } from "vitest";
import { countSessions, isWithin } from "./session-counts.ts";

describe("sessions of directories", () => {
  it("count once, for the innermost of those that they lie in", () => {
    const paths = ["/a/1.jsonl", "/a/b/2.jsonl", "/a/bc/3.jsonl", "/elsewhere/4.jsonl"];
    expect(countSessions(["/a", "/a/b/", "/empty"], paths)).toEqual([
      { directory: "/a", sessions: 2 },
      { directory: "/a/b/", sessions: 1 },
      { directory: "/empty", sessions: 0 },
    ]);
  });

  it("are found on Windows", () => {
    expect(countSessions(["C:\\pi"], ["C:\\pi\\1.jsonl"])).toEqual([{ directory: "C:\\pi", sessions: 1 }]);
  });

  it.each([
    ["/a/b", ["/a"], true],
    ["/a", ["/a"], true],
    ["/ab", ["/a"], false],
    ["/a", ["/a/b"], false],
  ])("%s lies in %j: %j", (directory, others, expected) => {
    expect(isWithin(directory, others)).toBe(expected);
  });
});
