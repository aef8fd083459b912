import { describe, expect, it } from "vitest";
import { addDays, daysBetween, isDay, mondayOf, weekdayOf } from "./days.ts";

describe("days", () => {
  it.each([
    ["2026-03-04", true],
    ["2024-02-29", true],
    ["2026-02-29", false],
    ["2026-13-01", false],
    ["2026-3-4", false],
    ["0001-01-01", false],
    ["9999-12-31", false],
    ["today", false],
    ["", false],
  ])("%j is one: %j", (text, expected) => {
    expect(isDay(text)).toBe(expected);
  });

  it("are counted over months, leap days and changes of the clocks", () => {
    expect(addDays("2024-02-28", 2)).toBe("2024-03-01");
    expect(addDays("2026-03-29", -1)).toBe("2026-03-28");
    expect(daysBetween("2025-12-31", "2026-01-02")).toBe(2);
  });

  it("know their weeks", () => {
    expect(weekdayOf("2026-03-02")).toBe(0);
    expect(weekdayOf("2026-03-08")).toBe(6);
    expect(mondayOf("2026-03-08")).toBe("2026-03-02");
    expect(mondayOf("2026-03-02")).toBe("2026-03-02");
  });
});
