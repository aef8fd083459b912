import { noUsage } from "@sm/core";
import { beforeAll, expect, it } from "vitest";
import { withTexts } from "../i18n/locale.ts";
import { cacheHitsOf, changeOf, changeOfShare } from "./comparison.ts";
import { rangeBefore, rangeOf } from "./range.ts";

beforeAll(async () => void (await withTexts(async () => null)()));

it.each([
  [30, 20, "▲ 50%", "50% more than in the previous period"],
  [5, 20, "▼ 75%", "75% less than in the previous period"],
  [20, 20, "=", "Same as in the previous period"],
])("%d after %d is said with its direction: %s", (amount, before, short, text) => {
  expect(changeOf(amount, before)).toEqual({ short, text });
});

it("nothing is said where one of both is not known, or where there was nothing", () => {
  expect([changeOf(1, 0), changeOf(null, 1), changeOf(1, null), changeOfShare(null, 1)]).toEqual([
    null,
    null,
    null,
    null,
  ]);
});

it("shares are compared in points", () => {
  expect(changeOfShare(80, 75)).toEqual({ short: "▲ 5 points", text: "5 points more than in the previous period" });
});

it("cache hits are a part of what models were given", () => {
  const usage = { ...noUsage(), input_tokens: 10, cache_read_tokens: 80, cache_write_tokens: 10, output_tokens: 500 };
  expect(cacheHitsOf(usage)).toBe(80);
  expect(cacheHitsOf(noUsage())).toBeNull();
});

it("the period before is as long as what has passed of this one, and ends where it begins", () => {
  const now = new Date(2026, 2, 31, 12, 30);
  const week = rangeOf({ period: "7-days" }, now);
  if ("problem" in week) throw new Error(week.problem);
  const before = rangeBefore(week, now);
  expect(before?.until).toEqual(new Date(2026, 2, 25));
  expect((before?.until?.getTime() ?? 0) - (before?.since?.getTime() ?? 0)).toBe(
    new Date(2026, 2, 31, 12).getTime() - new Date(2026, 2, 25).getTime(),
  );
  const january = { since: new Date(2026, 0, 1), until: new Date(2026, 1, 1) };
  expect(rangeBefore(january, now)?.since).toEqual(new Date(new Date(2026, 0, 1).getTime() - 31 * 86_400_000));
  expect(rangeBefore({ since: null, until: now }, now)).toBeNull();
  expect(rangeBefore({ since: new Date(2026, 3, 5), until: null }, now)).toBeNull();
});
