import { expect, it } from "vitest";
import { amountIn, blockAt, budgetStates, firstKnownDay, mostUsed, toldLimit } from "./spending.ts";
import { dayOfUse, sumOf } from "./usage.fixture.ts";

// A Wednesday.
const TODAY = "2026-03-04";

it.each([
  [TODAY, "2026-02-28"],
  ["2026-03-01", "2026-02-22"],
  ["2026-03-31", "2026-02-28"],
])("on %s, days are known from %s on", (today, first) => {
  expect(firstKnownDay(today)).toBe(first);
});

it("a budget is used by what was spent since its period began", () => {
  const days = [
    dayOfUse("2026-02-28", 1, 100),
    dayOfUse("2026-03-01", 1, 10),
    dayOfUse("2026-03-02", 1, 5),
    dayOfUse("2026-03-03", 1, null),
    dayOfUse(TODAY, 1, 2),
    // Of a clock that is wrong.
    dayOfUse("2026-03-05", 1, 1_000),
  ];
  const states = budgetStates(days, { day_usd: 4, week_usd: null, month_usd: 20 }, TODAY);
  expect(states).toEqual([
    { period: "day", spent: 2, limit: 4, used: 50 },
    { period: "week", spent: 7, limit: null, used: null },
    { period: "month", spent: 17, limit: 20, used: 85 },
  ]);
  expect(budgetStates([dayOfUse(TODAY, 1, null)], { day_usd: 4, week_usd: null, month_usd: null }, TODAY)[0]).toEqual({
    period: "day",
    spent: null,
    limit: 4,
    used: 0,
  });
  expect(mostUsed(states)).toMatchObject({ period: "month", used: 85 });
  expect(mostUsed(states.slice(0, 2))).toBeNull();
});

it("a block holds its start and not its end", () => {
  const block = { start: "2026-03-04T10:00:00.000Z", end: "2026-03-04T15:00:00.000Z", ...sumOf(1, 1) };
  expect(blockAt([block], new Date("2026-03-04T10:00:00Z"))).toBe(block);
  expect(blockAt([block], new Date("2026-03-04T15:00:00Z"))).toBeNull();
});

it("the newest session tells how much of five hours is used, until they are over", () => {
  const now = new Date("2026-03-04T12:00:00Z");
  const limit = (used_percent: number, resets_at: string | null, window_minutes = 300) => ({
    used_percent,
    window_minutes,
    resets_at,
  });
  const told = (at: string, ...rate_limits: ReturnType<typeof limit>[]) => ({
    format: "codex" as const,
    modified_at: `2026-03-04T${at}:00.000Z`,
    rate_limits: rate_limits.length === 0 ? null : rate_limits,
  });
  const later = "2026-03-04T14:00:00.000Z";
  expect(
    toldLimit(
      [told("11:00", limit(20, later)), told("11:30", limit(90, later, 10_080), limit(35, later)), told("11:45")],
      now,
    ),
  ).toEqual({ format: "codex", used: 35, resetsAt: later });
  expect(toldLimit([told("11:00", limit(20, "2026-03-04T12:00:00.000Z"))], now)).toBeNull();
  expect(toldLimit([told("11:00", limit(20, null))], now)).toBeNull();
});

it.each([
  ["", null],
  [" $20 ", 20],
  ["0,5", 0.5],
  ["12.", 12],
  ["0", Number.NaN],
  ["-1", Number.NaN],
  ["1e3", Number.NaN],
  ["much", Number.NaN],
])("%j is typed for %d dollars", (text, amount) => {
  expect(amountIn(text)).toBe(amount);
});
