import { expect, it } from "vitest";
import { Remembered } from "./remembered.ts";

it("finds an answer once, until there are too many", () => {
  const asked: string[] = [];
  const remembered = new Remembered<{ upper: string } | null>(2);
  const ask = (question: string) =>
    remembered.get(question, () => {
      asked.push(question);
      return question === "none" ? null : { upper: question.toUpperCase() };
    });
  expect(["a", "none", "a", "none"].map(ask)).toEqual([{ upper: "A" }, null, { upper: "A" }, null]);
  expect(asked).toEqual(["a", "none"]);
  expect(["b", "b", "a"].map(ask)).toEqual([{ upper: "B" }, { upper: "B" }, { upper: "A" }]);
  expect(asked).toEqual(["a", "none", "b", "a"]);
});

it("asks again where no answer could be found", () => {
  const remembered = new Remembered<{ place: number }>(2);
  const fail = () => {
    throw new Error("unreadable");
  };
  expect(() => remembered.get("a", fail)).toThrow("unreadable");
  expect(remembered.get("a", () => ({ place: 1 }))).toEqual({ place: 1 });
});
