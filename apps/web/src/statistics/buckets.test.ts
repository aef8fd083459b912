import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { bucketsOf } from "./buckets.ts";
import { addDays } from "./days.ts";

const TODAY = "2026-03-04";

function day(date: string, tokens: number, cost: number | null) {
  const usage = {
    input_tokens: tokens,
    output_tokens: 0,
    cache_read_tokens: 0,
    cache_write_tokens: 0,
    cache_write_1h_tokens: 0,
    reasoning_tokens: 0,
    total_tokens: tokens,
    cost_usd: cost,
    estimated_cost_usd: null,
  };
  return { date, sessions: 1, messages: 2, usage };
}

describe("buckets", () => {
  it.each([
    ["2026-03-01", "day", 4],
    ["2025-12-03", "day", 92],
    ["2025-12-02", "week", 14],
    ["2024-02-01", "month", 26],
  ])("since %s are of a %s", (first, grain, count) => {
    const found = bucketsOf([], { first, last: null }, TODAY);
    expect(found.grain).toBe(grain);
    expect(found.buckets).toHaveLength(count);
    expect(found.buckets[0]?.first).toBe(first);
    expect(found.buckets.at(-1)?.last).toBe(TODAY);
  });

  it("follow each other without gaps and hold every day once", () => {
    const anyDay = fc.integer({ min: 0, max: 2_900 }).map((days) => addDays("2018-01-01", days));
    fc.assert(
      fc.property(fc.uniqueArray(anyDay, { minLength: 1, maxLength: 30 }), (dates) => {
        const days = dates.sort().map((date) => day(date, 1, 1));
        const { buckets } = bucketsOf(days, { first: null, last: null }, "2026-03-04");
        for (const [index, { first }] of buckets.entries()) {
          const before = buckets[index - 1];
          if (before !== undefined) expect(first).toBe(addDays(before.last, 1));
        }
        expect(buckets.reduce((sum, { usage }) => sum + usage.total_tokens, 0)).toBe(dates.length);
      }),
    );
  });

  it("keep what is unknown apart from what is nothing", () => {
    const days = [day("2026-01-05", 10, null), day("2026-01-06", 10, 0.5), day("2026-01-12", 10, null)];
    const { buckets } = bucketsOf(days, { first: "2025-11-01", last: null }, TODAY);
    const known = buckets.filter(({ messages }) => messages > 0);
    expect(known.map(({ usage, unknown }) => [usage.cost_usd, unknown])).toEqual([
      [0.5, 1],
      [null, 1],
    ]);
  });

  it("know the cost of days by price list", () => {
    const { buckets } = bucketsOf(
      [{ ...day("2026-03-04", 10, null), usage: { ...day("", 10, null).usage, estimated_cost_usd: 0.25 } }],
      { first: TODAY, last: null },
      TODAY,
    );
    expect(buckets.map(({ usage, unknown }) => [usage.cost_usd, usage.estimated_cost_usd, unknown])).toEqual([
      [null, 0.25, 0],
    ]);
  });

  it("are not drawn for clocks that were wrong", () => {
    const { buckets } = bucketsOf(
      [day("1971-01-01", 1, 1), day("2998-01-01", 1, 1)],
      { first: null, last: null },
      TODAY,
    );
    expect(buckets.length).toBeLessThan(400);
    expect(buckets.at(-1)?.last).toBe("2026-03-05");
  });

  it("are none without days", () => {
    expect(bucketsOf([], { first: null, last: null }, TODAY).buckets).toEqual([]);
    expect(bucketsOf([], { first: "2027-01-01", last: null }, TODAY).buckets).toEqual([]);
  });
});
