import { describe, expect, it } from "vitest";
import { familiesOf } from "./families.ts";

describe("familiesOf", () => {
  it("joins sessions that have an origin in common, over others too", () => {
    const families = familiesOf([
      [1, [10]],
      [2, [20, 30]],
      [3, [40]],
      [4, [10, 50]],
      [5, [30]],
      [6, [50, 30]],
      [7, []],
      [8, [60, 60]],
    ]);
    expect(families.map((family) => family.sort())).toEqual([[1, 2, 4, 5, 6]]);
  });

  it("is quick in a chain of many", () => {
    const chain = Array.from({ length: 20_000 }, (_, key) => [key, [key, key + 1]] as const);
    expect(familiesOf(chain.reverse())[0]).toHaveLength(20_000);
  });
});
