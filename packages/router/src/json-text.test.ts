import { expect, it } from "vitest";
import { jsonPages } from "./json-text.ts";

it.each([
  ["no pages", []],
  ["an empty page", [[]]],
  ["one page", [[{ id: "a" }, { id: "b" }]]],
  ["pages, some of them empty", [[], ["a"], [], [["b"], null], []]],
])("pages are one array, a piece for each: %s", async (_case, pages: unknown[][]) => {
  const pieces: string[] = [];
  for await (const piece of jsonPages(
    (async function* () {
      yield* pages;
    })(),
  )) {
    pieces.push(piece);
  }
  expect(JSON.parse(pieces.join(""))).toEqual(pages.flat());
  expect(pieces).toHaveLength(pages.filter((page) => page.length > 0).length + 1);
});
