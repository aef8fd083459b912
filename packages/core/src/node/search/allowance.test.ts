import { expect, it } from "vitest";
import { Allowance } from "./allowance.ts";

/** Spends 1,000 steps at a time as long as it may. */
function spent(allowance: Allowance): number {
  let steps = 0;
  while (allowance.spend(1_000)) steps += 1_000;
  return steps;
}

it("an allowance is spent to its last step while somebody waits", () => {
  const allowance = new Allowance(15_000_000);
  expect(spent(allowance)).toBe(15_000_000);
  expect(allowance).toMatchObject({ isSpent: true, isComplete: false, left: 0 });
});

it("an allowance is spent soon when nobody waits any more, and so are others of the search", () => {
  let isWanted = true;
  const allowance = new Allowance(15_000_000, () => isWanted);
  const other = allowance.of(8_000_000);
  for (let steps = 0; steps < 5_000_000; steps += 1_000) expect(allowance.spend(1_000)).toBe(true);
  isWanted = false;
  expect(spent(allowance)).toBeLessThan(500_000);
  expect(spent(other)).toBeLessThan(500_000);
  expect(allowance).toMatchObject({ isSpent: true, isComplete: false, left: 0 });
});
