import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { heatLevels } from "./heat.ts";

describe("heat", () => {
  it.each([
    [
      [1, 2, 3, 4],
      [1, 2, 3, 4],
    ],
    [
      [1, 1, 1, 1_000_000],
      [1, 1, 1, 4],
    ],
    [[5], [4]],
    [
      [0, 7, 7],
      [0, 4, 4],
    ],
  ])("of %j is %j", (amounts, levels) => {
    expect(amounts.map(heatLevels(amounts))).toEqual(levels);
  });

  it("never falls where the amount rises", () => {
    fc.assert(
      fc.property(fc.array(fc.nat(), { minLength: 1 }), (amounts) => {
        const levels = [...amounts].sort((a, b) => a - b).map(heatLevels(amounts));
        expect(levels).toEqual([...levels].sort((a, b) => a - b));
      }),
    );
  });
});
