import { parseQuery } from "@sm/core";
import fc from "fast-check";
import { expect, it } from "vitest";
import { isNoQuery, someWordsOf } from "./question.ts";

it.each<[string, string | null]>([
  ["why did we choose event sourcing?", "choose OR event OR sourcing?"],
  ["Where is the RotatingFilter struct", "RotatingFilter OR struct"],
  ["have we seen this before", "have OR we OR seen OR this OR before"],
  ['why "not found" -draft role:user', '("not found") -draft role:user'],
  ["gauge (reads OR writes) again", "(gauge OR again) (reads OR writes)"],
  ["~onedDate clock", "~onedDate OR clock"],
  ["clock clock tide", "clock OR tide"],
  // No other query.
  ["gauge", null],
  ["gauge OR clock", null],
  ["gauge role:user", null],
  // No queries.
  ['cannot find "gauge in file: nothing', '"cannot" OR "find" OR "gauge" OR "file:" OR "nothing"'],
  ["panicked at (src/main.rs:4", '"panicked" OR "(src/main.rs:4"'],
  ['"gauge', null],
])("%s asks for some of its words", (question, some) => {
  expect(someWordsOf(question, 1_000)).toBe(some);
});

it("knows what is no query", () => {
  expect(isNoQuery("error in file: nothing")).toBe(true);
  expect(isNoQuery("error in file:nothing")).toBe(false);
});

it("keeps the longest of very many words, within its length", () => {
  const words = Array.from({ length: 40 }, (_, index) => "w".repeat(index + 1));
  const some = someWordsOf(words.join(" "), 1_000);
  expect(some?.split(" OR ").at(-1)).toBe("w".repeat(40));
  expect(some?.split(" OR ").length).toBeLessThanOrEqual(24);
  expect(some?.length).toBeLessThanOrEqual(1_000);
});

it("makes a query of whatever a model pastes", () => {
  const pasted = fc.array(
    fc.oneof(fc.string(), fc.constantFrom('"', "(", ")", "-", "~", "is:", "file:", "OR", "AND", "*", "why", "gauge")),
  );
  fc.assert(
    fc.property(pasted, (pieces) => {
      const question = pieces.join(" ").slice(0, 1_000);
      const some = someWordsOf(question, 1_000);
      if (some === null) return;
      expect(some.length).toBeLessThanOrEqual(1_000);
      expect(() => parseQuery(some)).not.toThrow();
    }),
  );
});
