import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { calendarStrips, daysOf, placeIn } from "./calendar.ts";
import { addDays } from "./days.ts";

const TODAY = "2026-03-04";

describe("a calendar", () => {
  it("shows a year in one strip, from its first week to today's", () => {
    const [strip, ...others] = calendarStrips({ first: "2025-03-05", last: null }, ["2026-03-01"], TODAY);
    expect(others).toEqual([]);
    expect(strip).toMatchObject({ first: "2025-03-05", last: TODAY, weeks: 53 });
    expect(strip?.months[0]).toEqual({ week: 4, first: "2025-04-01" });
    expect(strip?.months).toHaveLength(12);
  });

  it("shows years of which something is known, the newest first", () => {
    const active = ["2023-05-01", "2025-12-31", "2026-01-01"];
    const strips = calendarStrips({ first: null, last: null }, active, TODAY);
    expect(strips.map(({ first, last }) => [first, last])).toEqual([
      ["2026-01-01", TODAY],
      ["2025-01-01", "2025-12-31"],
      ["2023-01-01", "2023-12-31"],
    ]);
  });

  it("is empty without days", () => {
    expect(calendarStrips({ first: null, last: null }, [], TODAY)).toEqual([]);
    expect(calendarStrips({ first: "2026-03-05", last: "2026-03-01" }, [], TODAY)).toEqual([]);
  });

  it("reaches to days that another clock has already", () => {
    expect(calendarStrips({ first: "2026-03-01", last: null }, ["2026-03-05"], TODAY)).toMatchObject([
      { last: "2026-03-05" },
    ]);
  });

  it("has a place of its own for every day", () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 5_000 }), fc.integer({ min: 0, max: 371 }), (start, length) => {
        const first = addDays("2020-01-01", start);
        const last = addDays(first, length);
        for (const strip of calendarStrips({ first, last }, [first, last], "2040-01-01")) {
          const places = daysOf(strip).map((day) => placeIn(strip, day));
          expect(new Set(places.map((place) => JSON.stringify(place))).size).toBe(places.length);
          expect(places.every(({ week }) => week >= 0 && week < strip.weeks)).toBe(true);
        }
      }),
    );
  });
});
