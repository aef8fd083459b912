import { expect, it } from "vitest";
import { BoundedMemo } from "./bounded-memo.ts";

it("finds an answer once, until there are too many", () => {
  const asked: string[] = [];
  const memo = new BoundedMemo<{ upper: string } | null>(2);
  const ask = (question: string) =>
    memo.get(question, () => {
      asked.push(question);
      return question === "none" ? null : { upper: question.toUpperCase() };
    });
  expect(["a", "none", "a", "none"].map(ask)).toEqual([{ upper: "A" }, null, { upper: "A" }, null]);
  expect(asked).toEqual(["a", "none"]);
  expect(["b", "b", "a"].map(ask)).toEqual([{ upper: "B" }, { upper: "B" }, { upper: "A" }]);
  expect(asked).toEqual(["a", "none", "b", "a"]);
});

it("asks again where no answer could be found", () => {
  const memo = new BoundedMemo<{ place: number }>(2);
  const fail = () => {
    throw new Error("unreadable");
  };
  expect(() => memo.get("a", fail)).toThrow("unreadable");
  expect(memo.get("a", () => ({ place: 1 }))).toEqual({ place: 1 });
});
