import { piItem } from "@sm/core";
import { expect, it } from "vitest";
import { recalled, saidIn } from "./prompt-history.ts";

const item = (role: string, text: string) =>
  piItem({ type: "message", message: { role, content: text } }, { id: text, parentId: null });

it("what the user has said is remembered, oldest first, and once where it was repeated", () => {
  const [one, two] = [item("user", "one"), item("user", "two")];
  expect(saidIn([undefined, one, item("assistant", "yes"), two, two, item("user", " ")])).toEqual(["one", "two"]);
});

it("what was said several times stands in nobody's way", () => {
  const said = saidIn(["one", "go on", "two", "go on"].map((text) => item("user", text)));
  const steps = ["go on", "two", "one", null];
  const typed = ["", "go on", "two", "one"];
  expect(typed.map((text) => recalled(said, text, -1))).toEqual(steps);
});

it.each([
  ["", -1, "three"],
  ["three", -1, "two"],
  ["one", -1, null],
  ["one", 1, "two"],
  ["three", 1, ""],
  ["", 1, null],
  ["something new", -1, null],
] as const)("from %j a step of %i leads to %j", (typed, by, expected) => {
  expect(recalled(["one", "two", "three"], typed, by)).toBe(expected);
});
