import { describe, expect, it } from "vitest";
import { tokenize } from "../analysis/tokens.ts";
import { documentOf, memorySegment } from "../segment/memory-segment.fixture.ts";
import type { IndexQuery } from "./index-query.ts";
import { topDocuments } from "./top-documents.ts";
import { SegmentView } from "./view.ts";

const DAY = 24 * 60 * 60 * 1000;

const TEXTS = ["the quick fox", "a fox, another fox", "quick and brown", "brown fox jumps", "nothing of it"];
const documents = TEXTS.map((text, day) =>
  documentOf(text, { key: day, timestamp: day * DAY }, [["place", day < 2 ? "Den" : "Field"]]),
);
const views = [documents.slice(0, 2), documents.slice(2)].map((some, id) => new SegmentView(memorySegment(id, some)));

const words = (text: string): IndexQuery => ({
  type: "and",
  nodes: tokenize(text).map(({ term }, leaf) => ({
    type: "phrases",
    phrases: [{ terms: [term], prefix: false }],
    leaf,
  })),
});
const not = (text: string): IndexQuery => ({ type: "not", node: words(text) });
const field = (value: string): IndexQuery => ({
  type: "values",
  query: { field: "place", literal: value, matches: (other) => other === value },
});

describe("the best documents", () => {
  it.each<[string, IndexQuery, "relevance" | "newest", string[]]>([
    ["by relevance", words("fox"), "relevance", ["a fox, another fox", "brown fox jumps", "the quick fox"]],
    ["by time", words("fox"), "newest", ["brown fox jumps", "a fox, another fox", "the quick fox"]],
    ["with two words", words("quick fox"), "relevance", ["the quick fox"]],
    [
      "without a word",
      { type: "and", nodes: [words("fox"), not("quick brown")] },
      "newest",
      ["brown fox jumps", "a fox, another fox", "the quick fox"],
    ],
    [
      "with the value of a field",
      { type: "and", nodes: [words("fox"), field("den")] },
      "newest",
      ["a fox, another fox", "the quick fox"],
    ],
    [
      "of a time",
      { type: "and", nodes: [words("fox"), { type: "time", from: DAY, before: 2 * DAY }] },
      "newest",
      ["a fox, another fox"],
    ],
    [
      "of some keys",
      { type: "and", nodes: [words("fox"), { type: "keys", keys: new Set([3]) }] },
      "newest",
      ["brown fox jumps"],
    ],
  ])("%s", (_, query, sort, expected) => {
    const found = topDocuments(views, query, { limit: 10, sort, now: 5 * DAY });
    const texts = found.documents.map(({ segment, document }) => TEXTS[segment.documents.keys[document] ?? -1]);
    expect(texts).toEqual(expected);
    expect(found).toMatchObject({ total: expected.length, isComplete: true });
  });

  it("are as many as were asked for, and all are counted", () => {
    const { documents, total } = topDocuments(views, words("fox"), { limit: 2, now: 5 * DAY });
    expect(documents).toHaveLength(2);
    expect(total).toBe(3);
  });

  it("are not said to be all where a text would have to be read", () => {
    const query: IndexQuery = { type: "substring", text: "x, a", leaf: 0 };
    expect(topDocuments(views, query, { limit: 2 })).toMatchObject({ documents: [], total: 0, isComplete: false });
    const readAll = topDocuments(views, query, {
      limit: 2,
      verify: (candidates, passes) =>
        candidates.map((_, place) => {
          const keys = views[place]?.documents.keys ?? [];
          return Uint32Array.of(
            [...keys].reduce((bits, key, at) => bits | (passes(TEXTS[key] ?? "") ? 1 << at : 0), 0),
          );
        }),
    });
    expect(readAll).toMatchObject({ total: 1, isComplete: true });
  });
});
