import { describe, expect, it } from "vitest";
import { dateOf, mondayOf, streaksOf, weekdayOf } from "./calendar-days.ts";

const dayOf = (date: string) => Date.parse(date) / 86_400_000;

describe("days", () => {
  it.each([
    ["1970-01-01", 3, "1969-12-29"],
    ["2026-03-29", 6, "2026-03-23"],
    ["2026-03-30", 0, "2026-03-30"],
    ["1969-12-28", 6, "1969-12-22"],
  ])("%s is weekday %i of the week of %s", (date, weekday, monday) => {
    expect(weekdayOf(dayOf(date))).toBe(weekday);
    expect(dateOf(mondayOf(dayOf(date)))).toBe(monday);
  });

  const today = dayOf("2026-03-30");
  it.each([
    ["nothing", [], { current_days: 0, longest_days: 0, longest_from: null, longest_to: null }],
    [
      "today",
      ["2026-03-30"],
      { current_days: 1, longest_days: 1, longest_from: "2026-03-30", longest_to: "2026-03-30" },
    ],
    [
      "until yesterday",
      ["2026-03-20", "2026-03-28", "2026-03-29"],
      { current_days: 2, longest_days: 2, longest_from: "2026-03-28", longest_to: "2026-03-29" },
    ],
    [
      "the day before",
      ["2026-03-01", "2026-03-02", "2026-03-03", "2026-03-27", "2026-03-28"],
      { current_days: 0, longest_days: 3, longest_from: "2026-03-01", longest_to: "2026-03-03" },
    ],
  ])("in a row: %s", (_, dates, streaks) => {
    expect(streaksOf(dates.map(dayOf), today)).toEqual(streaks);
  });
});
