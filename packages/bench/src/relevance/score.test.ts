import { describe, expect, it } from "vitest";
import { type JudgedAnswer, missing, rankOf, scoreOf } from "./score.ts";

const ten = Array.from({ length: 10 }, (_, index) => `other-${index}`);

describe("rankOf and missing", () => {
  it.each<[string, JudgedAnswer, number | null, string[]]>([
    ["first", { found: ["a", "b"], wanted: ["a"] }, 1, []],
    ["the first of two that are wanted", { found: ["x", "b", "a"], wanted: ["a", "b"] }, 2, []],
    ["a related session does not count as the wanted one", { found: ["b", "a"], wanted: ["a"], related: ["b"] }, 2, []],
    ["beyond the tenth place", { found: [...ten, "a"], wanted: ["a"] }, 11, ["a"]],
    ["nothing", { found: [], wanted: ["a"], related: ["b"] }, null, ["a", "b"]],
  ])("%s", (_, answer, rank, absent) => {
    expect(rankOf(answer)).toBe(rank);
    expect(missing(answer)).toEqual(absent);
  });
});

it("takes means over all answers", () => {
  const answers: JudgedAnswer[] = [
    { found: ["a"], wanted: ["a"] },
    { found: ["x", "b"], wanted: ["b"], related: ["c"] },
    { found: ["x"], wanted: ["d"] },
  ];
  expect(scoreOf(answers)).toEqual({ meanReciprocalRank: 0.5, recallAtTen: 0.5 });
});
