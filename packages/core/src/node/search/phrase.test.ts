import { describe, expect, it } from "vitest";
import type { Postings } from "../postings/segment.ts";
import { Allowance } from "./allowance.ts";
import { fullBitset } from "./bitset.ts";
import { memorySegment } from "./memory-segment.fixture.ts";
import { matchPhrase } from "./phrase.ts";
import { documentOf } from "./search.fixture.ts";

const COUNT = 400;
const texts = Array.from({ length: COUNT }, (_, at) => {
  const words = ["one", "two", "three", "four"].filter((_word, place) => at % (5 - place) === 0);
  return `${words.join(" ")} end`;
});
const segment = memorySegment(
  1,
  texts.map((text) => documentOf(text)),
);

/** A term that notes down what is decoded of it. */
function noted(term: string, notes: string[], isKnown: boolean): Postings {
  const postings = segment.find(term);
  if (postings === null) throw new Error(`No text has ${term}.`);
  return {
    ...postings,
    list: () => {
      notes.push(`list ${term}`);
      return postings.list();
    },
    whole: (room) => {
      notes.push(`whole ${room} ${term}`);
      return { documents: postings.list().documents, in: postings.positions().in };
    },
    set: (decode) => {
      if (!isKnown) notes.push(`set ${term}`);
      return postings.set(isKnown || decode);
    },
    positions: () => {
      const cursor = postings.positions();
      return {
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
    { isKnown: false, sets: ["set three", "set four"] },
    { isKnown: true, sets: [] },
  ])("decodes the two rarest lists once, and a set where it is not known: $isKnown", ({ isKnown, sets }) => {
    const notes: string[] = [];
    const slots = ["one", "two", "three", "four"].map((term) => [noted(term, notes, isKnown)]);
    const found: number[] = [];
    matchPhrase(slots, fullBitset(COUNT), new Allowance(1_000_000), (document) => found.push(document));
    expect(found).toEqual([0, 60, 120, 180, 240, 300, 360]);
    const others = found.flatMap(() => ["positions three", "positions four"]);
    expect(notes).toEqual(["whole 0 one", "whole 1 two", ...sets, ...others]);
  });
});
