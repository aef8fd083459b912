import { expect, it } from "vitest";
import { CostBudget } from "./cost-budget.ts";

/** Spends 1,000 steps at a time as long as it may. */
function spent(budget: CostBudget): number {
  let steps = 0;
  while (budget.spend(1_000)) steps += 1_000;
  return steps;
}

it("an budget is spent to its last step while somebody waits", () => {
  const budget = new CostBudget(15_000_000);
  expect(spent(budget)).toBe(15_000_000);
  expect(budget).toMatchObject({ isSpent: true, isComplete: false, left: 0 });
});

it("an budget is spent soon when nobody waits any more, and so are others of the search", () => {
  let isWanted = true;
  const budget = new CostBudget(15_000_000, () => isWanted);
  const other = budget.of(8_000_000);
  for (let steps = 0; steps < 5_000_000; steps += 1_000) expect(budget.spend(1_000)).toBe(true);
  isWanted = false;
  expect(spent(budget)).toBeLessThan(500_000);
  expect(spent(other)).toBeLessThan(500_000);
  expect(budget).toMatchObject({ isSpent: true, isComplete: false, left: 0 });
});
