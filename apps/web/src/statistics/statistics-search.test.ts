import { describe, expect, it } from "vitest";
import { parseSearch, stringifySearch } from "../url/search-params.ts";
import { rangeOf, rangeOfDays, timesOf } from "./range.ts";
import { readStatisticsSearch } from "./statistics-search.ts";

describe("the state of the statistics", () => {
  it.each([
    ["", {}],
    ["?period=30-days&measure=cost&project=%2Fa", { period: "30-days", measure: "cost", project: "/a" }],
    ["?agent=claude-code", { agent: "claude-code" }],
    ["?agent=somebody", {}],
    ["?mine=1&owner=ada", { mine: true, owner: "ada" }],
    ["?mine=yes&owner=", {}],
    ["?since=2026-01-02&until=last-week", { since: "2026-01-02", until: "last-week" }],
    ["?table=days&table=nothing&table=calendar", { table: ["calendar", "days"] }],
    ["?stack=project&without=%3D%2Fa&without=others", { stack: "project", without: ["=/a", "others"] }],
    ["?stack=day&without=", {}],
    ["?period=30d&measure=love&table=", {}],
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
    [{ period: "7-days" as const }, "2026-03-25", null],
    [{ period: "all" as const }, null, null],
    [{ period: "7-days" as const, since: "2026-01-01" }, "2026-01-01", null],
    [{ until: "2026-01-01" }, null, "2025-12-31"],
    [{ since: "24h", until: "1h" }, "2026-03-30", "2026-03-31"],
  ])("of %j has these days", (search, first, last) => {
    expect(rangeOf(search, now)).toMatchObject({ first, last });
  });

  it("begins with the first day and ends with the last", () => {
    expect(timesOf(rangeOfDays("2026-03-29", "2026-03-29"))).toEqual({
      since: new Date(2026, 2, 29).toISOString(),
      until: new Date(2026, 2, 30).toISOString(),
    });
    expect(timesOf(rangeOfDays(null, null))).toEqual({});
  });
});
