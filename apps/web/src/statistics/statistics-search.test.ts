import { describe, expect, it } from "vitest";
import { parseSearch, stringifySearch } from "../app/search-params.ts";
import { rangeOf, timesOf } from "./range.ts";
import { readStatisticsSearch } from "./statistics-search.ts";

describe("the state of the statistics", () => {
  it.each([
    ["", {}],
    ["?period=30d&measure=cost&project=%2Fa", { period: "30d", measure: "cost", project: "/a" }],
    ["?since=2026-01-02&until=2026-02-03", { since: "2026-01-02", until: "2026-02-03" }],
    ["?table=days&table=nothing&table=calendar", { table: ["calendar", "days"] }],
    ["?period=1000d&measure=love&since=2026-02-30&until=soon&table=", {}],
  ])("is read of %j", (address, expected) => {
    const search = readStatisticsSearch(parseSearch(address));
    expect(search).toEqual(expected);
    expect(readStatisticsSearch(parseSearch(stringifySearch({ ...search })))).toEqual(search);
  });
});

describe("the range", () => {
  const now = new Date(2026, 2, 31, 23, 59);

  it.each([
    [{}, "2025-04-01", null],
    [{ period: "7d" as const }, "2026-03-25", null],
    [{ period: "all" as const }, null, null],
    [{ period: "7d" as const, since: "2026-01-01" }, "2026-01-01", null],
    [{ until: "2026-01-01" }, null, "2026-01-01"],
  ])("of %j", (search, first, last) => {
    expect(rangeOf(search, now)).toEqual({ first, last });
  });

  it("begins with the first day and ends with the last", () => {
    expect(timesOf({ first: "2026-03-29", last: "2026-03-29" })).toEqual({
      since: new Date(2026, 2, 29).toISOString(),
      until: new Date(2026, 2, 30).toISOString(),
    });
    expect(timesOf({ first: null, last: null })).toEqual({});
  });
});
