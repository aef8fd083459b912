import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { documentOf, memorySegment } from "../segment/memory-segment.fixture.ts";
import type { PostingList } from "../segment/segment.ts";
import { add, emptyBitset, fullBitset } from "./bitset.ts";
import { CostBudget } from "./cost-budget.ts";
import { matchPhrase } from "./phrase-matcher.ts";

const COUNT = 2400;
const texts = Array.from({ length: COUNT }, (_, at) => {
  const words = ["one", "two", "three", "four"].filter((_word, place) => at % (5 - place) === 0);
  return `${words.join(" ")} end`;
});
const segment = memorySegment(
  1,
  texts.map((text) => documentOf(text)),
);

/** A term that notes down what is decoded of it. */
function noted(term: string, notes: string[], isKnown: boolean): PostingList {
  const postings = segment.find(term);
  if (postings === null) throw new Error(`No text has ${term}.`);
  return {
    ...postings,
    list: () => {
      notes.push(`list ${term}`);
      return postings.list();
    },
    set: (decode) => {
      if (!isKnown) notes.push(`set ${term}`);
      return postings.set(isKnown || decode);
    },
    positions: () => {
      const cursor = postings.positions();
      return {
        ...cursor,
        in: (document) => {
          notes.push(`positions ${term}`);
          return cursor.in(document);
        },
      };
    },
  };
}

describe("a phrase of common words", () => {
  it.each([
    { isKnown: false, sets: ["set one", "set two", "set three", "set four"] },
    { isKnown: true, sets: [] },
  ])("is looked for from the rarest term on, with a set of each; these are known: $isKnown", ({ isKnown, sets }) => {
    const notes: string[] = [];
    const slots = ["one", "two", "three", "four"].map((term) => [noted(term, notes, isKnown)]);
    const found: number[] = [];
    matchPhrase(slots, fullBitset(COUNT), new CostBudget(1_000_000), (document) => found.push(document));
    expect(found).toEqual(Array.from({ length: 40 }, (_, at) => 60 * at));
    const compared = found.flatMap(() => ["one", "two", "three", "four"].map((term) => `positions ${term}`));
    expect(notes).toEqual([...sets, ...compared]);
  });
});

describe("any phrase", () => {
  const WORDS = ["a", "b", "c", "d"];
  const anyText = fc.array(fc.constantFrom(...WORDS), { maxLength: 12 });
  const anyDocuments = fc.array(anyText, { minLength: 1, maxLength: 120, size: "max" });

  it("is found where its words follow each other", () => {
    const anyPhrase = fc.array(fc.constantFrom(...WORDS), { minLength: 2, maxLength: 4 });
    fc.assert(
      fc.property(anyDocuments, anyPhrase, fc.nat(3), (documents, phrase, left) => {
        const isAsked = (number: number) => left === 0 || number % 4 !== left;
        const stored = memorySegment(
          1,
          documents.map((words) => documentOf(words.join(" "))),
        );
        const terms = phrase.map((word) => stored.find(word));
        if (!terms.every((term) => term !== null)) return;
        const mask = emptyBitset(documents.length);
        for (const number of documents.keys()) if (isAsked(number)) add(mask, number);
        const found: [number, number][] = [];
        const slots = terms.map((term) => [term]);
        matchPhrase(slots, mask, new CostBudget(10_000_000), (document, times) => found.push([document, times]));
        const expected = documents.flatMap((words, number): [number, number][] => {
          const starts = words.filter((_, at) => phrase.every((word, offset) => words[at + offset] === word));
          return starts.length > 0 && isAsked(number) ? [[number, starts.length]] : [];
        });
        expect(found).toEqual(expected);
      }),
      { numRuns: 200 },
    );
  });
});
