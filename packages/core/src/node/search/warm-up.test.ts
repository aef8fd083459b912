import { describe, expect, it } from "vitest";
import type { Postings, Segment } from "../postings/segment.ts";
import { memorySegment } from "./memory-segment.fixture.ts";
import { documentOf } from "./search.fixture.ts";
import { warmUp } from "./warm-up.ts";

const COMMON = Array.from({ length: 10 }, (_, number) => `common${number}`);
const COUNT = 200;

/** Each document has most of the common words in order, and a word of its own. */
function segmentOf(asked: string[]): Segment {
  const documents = Array.from({ length: COUNT }, (_, number) =>
    documentOf(`${COMMON.filter((_, word) => (number + word) % 7 !== 0).join(" ")} own${number}`),
  );
  const segment = memorySegment(1, documents);
  const noting = (postings: Postings): Postings => ({
    ...postings,
    set: (decode) => {
      asked.push(postings.term);
      return postings.set(decode);
    },
    pairWith: (other) => {
      asked.push("pair");
      return postings.pairWith(other);
    },
  });
  return {
    ...segment,
    *range(from, below) {
      for (const postings of segment.range(from, below)) yield noting(postings);
    },
  };
}

describe("warming up", () => {
  it("prepares the common words of a segment, and compares some of them", () => {
    const asked: string[] = [];
    const steps = [...warmUp(segmentOf(asked))];
    expect(new Set(asked)).toEqual(new Set([...COMMON, "pair"]));
    // A step for each word, and for each phrase of four of them.
    expect(steps).toHaveLength(COMMON.length + Math.floor(COMMON.length / 4));
  });

  it("has nothing to do in an empty segment", () => {
    expect([...warmUp(memorySegment(1, []))]).toEqual([]);
  });
});
