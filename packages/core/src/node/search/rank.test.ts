import { documentsOf, rankDocuments, type Statistics } from "@sm/text-index";
import type { TestDocument } from "@sm/text-index/memory-segment.fixture";
import { describe, expect, it } from "vitest";
import { WEIGHT_BY_CODE } from "./kind-weights.ts";
import { partCode } from "./part-codes.ts";
import { documentOf, searchDocuments } from "./search.fixture.ts";

const DAY = 24 * 60 * 60 * 1000;
const NOW = 1000 * DAY;

function rank(documents: readonly TestDocument[], query: string, before: Statistics | null = null, perSegment = 4) {
  const { views, matches, evaluator, plan } = searchDocuments(documents, query, { perSegment });
  const found = views.map((view, place) => ({ view, documents: documentsOf(matches[place] ?? new Uint32Array()) }));
  const { matched, statistics } = rankDocuments(found, evaluator, plan.leaves, before, NOW, WEIGHT_BY_CODE);
  const scores = new Map<number, number>();
  for (const [place, { documents: numbers, values }] of matched.entries()) {
    for (const [at, number] of numbers.entries()) scores.set(place * perSegment + number, values[at] ?? 0);
  }
  return { scores, statistics };
}

/** Numbers of the documents, the best first. */
function order(documents: readonly TestDocument[], query: string): number[] {
  const { scores } = rank(documents, query);
  return [...scores.keys()].sort((a, b) => (scores.get(b) ?? 0) - (scores.get(a) ?? 0) || a - b);
}

const filler = (words: number) => Array.from({ length: words }, (_, n) => `filler${n}`).join(" ");

describe("ranking", () => {
  it("puts what has a rare word before what has a common one", () => {
    const documents = [
      documentOf("common alpha"),
      documentOf("rare alpha"),
      ...Array.from({ length: 9 }, () => documentOf("common beta")),
    ];
    expect(order(documents, "rare OR common")[0]).toBe(1);
  });

  it("puts repetitions before a single mention, and short texts before long ones", () => {
    expect(order([documentOf("word x y z"), documentOf("word word word z")], "word")).toEqual([1, 0]);
    expect(order([documentOf(`word ${filler(50)}`), documentOf(`word ${filler(5)}`)], "word")).toEqual([1, 0]);
  });

  it("puts names before people's words, those before answers, and answers before output", () => {
    const kinds = [
      partCode("tool_result", "tool"),
      partCode("tool_call", "tool"),
      partCode("thinking", "assistant"),
      partCode("text", "assistant"),
      partCode("text", "user"),
      partCode("name", null),
    ];
    const documents = kinds.map((code) => documentOf("the same word", { code }));
    expect(order(documents, "word")).toEqual([5, 4, 3, 2, 1, 0]);
  });

  it("puts what is newer first, but lets no age outweigh who said it", () => {
    const ages = [700, 1, 90, null];
    const documents = ages.map((age) => documentOf("word", { timestamp: age === null ? null : NOW - age * DAY }));
    expect(order(documents, "word")).toEqual([1, 2, 0, 3]);
    const output = { code: partCode("tool_result", "tool"), timestamp: NOW };
    expect(order([documentOf("word", output), documentOf("word", { timestamp: 0 })], "word")).toEqual([1, 0]);
  });

  it("puts words that stand together before words far apart, and takes a time to come for now", () => {
    const documents = [
      documentOf(`left ${filler(20)} right`, { timestamp: NOW }),
      documentOf(`${filler(10)} left right ${filler(10)}`, { timestamp: NOW }),
      documentOf(`right ${filler(2)} left ${filler(18)}`, { timestamp: NOW + 1000 * DAY }),
    ];
    expect(order(documents, "left right")).toEqual([1, 2, 0]);
  });

  it("counts parts of an identifier as one word", () => {
    const documents = [documentOf("userName here"), documentOf("user here, name there"), documentOf("nothing of it")];
    expect(order(documents, "userName")).toEqual([0]);
  });

  it("gives the same scores while others are added, and however documents lie in segments", () => {
    const documents = ["a word", "word a word", "another word", "nothing"].map((text) => documentOf(text));
    const { scores, statistics } = rank(documents, "a word");
    const more = Array.from({ length: 20 }, (_, n) => documentOf(`a word ${filler(n)}`));
    const later = rank([...documents, ...more], "a word", statistics, 7).scores;
    for (const [document, score] of scores) expect(later.get(document)).toBe(score);
    expect(rank([...documents, ...more], "a word").scores.get(0)).not.toBe(scores.get(0));
  });
});
