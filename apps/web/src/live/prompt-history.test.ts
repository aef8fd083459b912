import { piItem } from "@sm/core";
import { expect, it } from "vitest";
import type { ConversationRow } from "./conversation.ts";
import { recalled, saidIn } from "./prompt-history.ts";

const row = (role: string, text: string) =>
  ({
    kind: "message",
    key: text,
    item: piItem({ type: "message", message: { role, content: text } }, { id: text, parentId: null }),
    results: [],
    continues: false,
  }) as ConversationRow;

it("what the user has said is remembered, oldest first, and once where it was repeated", () => {
  const rows = [row("user", "one"), row("assistant", "yes"), row("user", "two"), row("user", "two"), row("user", " ")];
  expect(saidIn(rows)).toEqual(["one", "two"]);
});

it("what was said several times stands in nobody's way", () => {
  const said = saidIn(["one", "go on", "two", "go on"].map((text) => row("user", text)));
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
