import { expect, it } from "vitest";
import { rareWord } from "./rare-word.ts";

it("makes a word of its own for each index of each series", () => {
  const indexes = [...Array.from({ length: 2_000 }, (_, index) => index), 999_999];
  const words = (["needle", "decoy", "line"] as const).flatMap((series) =>
    indexes.map((index) => rareWord(series, index)),
  );
  expect(new Set(words).size).toBe(words.length);
});
