import { describe, expect, it } from "vitest";
import { firstOf, lastOf } from "./page-range.ts";

const SIZES = [5, 1, 1, 9, 1, 1, 5];
const sizeOf = (place: number) => SIZES[place] ?? Number.NaN;

describe("a page of a range", () => {
  it.each([
    ["as many places as it may have", { from: 1, to: 7 }, { count: 2, size: 100 }, [1, 3], [5, 7]],
    ["all of a short range", { from: 1, to: 3 }, { count: 5, size: 100 }, [1, 3], [1, 3]],
    ["no more than fits", { from: 0, to: 7 }, { count: 7, size: 7 }, [0, 3], [4, 7]],
    ["what fits exactly", { from: 0, to: 7 }, { count: 7, size: 6 }, [0, 2], [5, 7]],
    ["one place that is too large by itself", { from: 3, to: 4 }, { count: 7, size: 6 }, [3, 4], [3, 4]],
    ["a large place alone", { from: 3, to: 7 }, { count: 7, size: 6 }, [3, 4], [5, 7]],
    ["nothing of nothing", { from: 4, to: 4 }, { count: 7, size: 6 }, [4, 4], [4, 4]],
    ["nothing of a range that ends before it begins", { from: 5, to: 2 }, { count: 7, size: 6 }, [5, 5], [2, 2]],
  ])("holds %s", (_, range, most, first, last) => {
    expect(firstOf(range, most, sizeOf)).toEqual({ from: first[0], to: first[1] });
    expect(lastOf(range, most, sizeOf)).toEqual({ from: last[0], to: last[1] });
  });
});
