import { describe, expect, it } from "vitest";
import { segmentsToMerge } from "./merge-policy.ts";

const KILOBYTE = 1024;
const MEGABYTE = 1024 * KILOBYTE;

function segments(...sizes: number[]): { bytes: number }[] {
  return sizes.map((bytes) => ({ bytes }));
}

const many = (count: number, bytes: number) => Array.from({ length: count }, () => bytes);

describe("segments to merge", () => {
  it.each([
    ["none of none", [], []],
    ["none of a few small ones", many(7, 100 * KILOBYTE), []],
    ["none of two", many(2, 10 * MEGABYTE), []],
    ["small ones that are many", many(8, KILOBYTE), many(8, KILOBYTE)],
    ["all that were written at one time", many(25, 16 * MEGABYTE), many(25, 16 * MEGABYTE)],
    ["the smallest first", [60 * MEGABYTE, 3, 1, ...many(7, KILOBYTE)], [1, 3, ...many(7, KILOBYTE)]],
    ["none that are much larger than others", [MEGABYTE, 5 * MEGABYTE, 20 * MEGABYTE, 80 * MEGABYTE], []],
    ["larger ones with those below them", [5, 2, 4, 2].map((n) => n * MEGABYTE), [2, 2, 4, 5].map((n) => n * MEGABYTE)],
    ["none that are very large", many(30, 200 * MEGABYTE), []],
  ])("are %s", (_, sizes, chosen) => {
    expect(segmentsToMerge(segments(...sizes))).toEqual(segments(...chosen));
  });

  it("leave few, however many are written", () => {
    let present = segments();
    let written = 0;
    for (let round = 0; round < 5000; round++) {
      present.push({ bytes: 2 * KILOBYTE });
      for (let chosen = segmentsToMerge(present); chosen.length > 0; chosen = segmentsToMerge(present)) {
        const bytes = chosen.reduce((sum, segment) => sum + segment.bytes, 0);
        written += bytes;
        present = [...present.filter((segment) => !chosen.includes(segment)), { bytes }];
      }
      expect(present.length).toBeLessThanOrEqual(12);
    }
    expect(written).toBeLessThan(20 * 5000 * 2 * KILOBYTE);
  });
});
