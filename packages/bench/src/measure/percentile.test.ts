import { expect, it } from "vitest";
import { median, percentile } from "./percentile.ts";

it.each([
  [[5], 0.99, 5],
  [[4, 1, 3, 2], 0.5, 2],
  [[1, 10, 2], 0.5, 2],
  [Array.from({ length: 200 }, (_, index) => index + 1), 0.99, 198],
])("ranks %j at %d", (values, share, expected) => {
  expect(percentile(values, share)).toBe(expected);
});

it("takes the middle as median and refuses nothing at all", () => {
  expect(median([9, 1, 5])).toBe(5);
  expect(() => median([])).toThrow(RangeError);
});
