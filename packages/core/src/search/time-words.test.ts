import { afterEach, describe, expect, it, vi } from "vitest";
import { resolveTime } from "./time-words.ts";

/** Local time, wherever the test runs: a Saturday. */
const NOW = new Date(2026, 10, 21, 15, 4, 5, 678).getTime();
const local = (year: number, month: number, day = 1, hours = 0, minutes = 0, seconds = 0, milliseconds = 0): number =>
  new Date(year, month - 1, day, hours, minutes, seconds, milliseconds).getTime();

afterEach(() => vi.unstubAllEnvs());

describe("resolveTime", () => {
  it.each([
    ["2026", local(2026, 1)],
    ["2026-11", local(2026, 11)],
    ["2026-11-21", local(2026, 11, 21)],
    ["2024-02-29", local(2024, 2, 29)],
    ["2026-11-21T10:20", local(2026, 11, 21, 10, 20)],
    ["2026-11-21t10:20:30", local(2026, 11, 21, 10, 20, 30)],
    ["2026-11-21 10:20:30.5", local(2026, 11, 21, 10, 20, 30, 500)],
    ["2026-11-21T10:20Z", Date.UTC(2026, 10, 21, 10, 20)],
    ["2026-11-21t10:20:30.123456z", Date.UTC(2026, 10, 21, 10, 20, 30, 123)],
    ["2026-11-21T10:20:30+05:30", Date.UTC(2026, 10, 21, 4, 50, 30)],
    ["2026-11-21T00:00:00-08:00", Date.UTC(2026, 10, 21, 8)],
  ])("reads the date or time %s", (value, expected) => {
    expect(resolveTime(value, NOW)).toBe(expected);
  });

  it.each([
    ["now", NOW],
    ["Today", local(2026, 11, 21)],
    ["yesterday", local(2026, 11, 20)],
    ["saturday", local(2026, 11, 21)],
    ["sunday", local(2026, 11, 15)],
    ["Monday", local(2026, 11, 16)],
    ["fri", local(2026, 11, 20)],
    ["this-week", local(2026, 11, 16)],
    ["last-week", local(2026, 11, 9)],
    ["last week", local(2026, 11, 9)],
    ["this-month", local(2026, 11)],
    ["last_month", local(2026, 10)],
    ["this-year", local(2026, 1)],
    ["last-year", local(2025, 1)],
    ["24h", NOW - 24 * 3_600_000],
    ["0d", NOW],
    ["7d", local(2026, 11, 14, 15, 4, 5, 678)],
    ["2w", local(2026, 11, 7, 15, 4, 5, 678)],
    ["3m", local(2026, 8, 21, 15, 4, 5, 678)],
    ["11M", local(2025, 12, 21, 15, 4, 5, 678)],
    ["1y", local(2025, 11, 21, 15, 4, 5, 678)],
  ])("reads the word %s", (value, expected) => {
    expect(resolveTime(value, NOW)).toBe(expected);
  });

  it.each([
    [local(2026, 3, 31, 12), "1m", local(2026, 2, 28, 12)],
    [local(2024, 3, 31, 12), "1m", local(2024, 2, 29, 12)],
    [local(2024, 2, 29, 12), "1y", local(2023, 2, 28, 12)],
    [local(2026, 1, 31, 12), "2m", local(2025, 11, 30, 12)],
    [local(2026, 1, 31, 12), "last-month", local(2025, 12)],
    [local(2026, 1, 1, 12), "yesterday", local(2025, 12, 31)],
    [local(2026, 3, 1, 12), "last-week", local(2026, 2, 16)],
    [local(2026, 11, 16, 12), "this-week", local(2026, 11, 16)],
  ])("counts over the ends of months and years: from %d %s", (now, value, expected) => {
    expect(resolveTime(value, now)).toBe(expected);
  });

  it.each([
    "",
    "soon",
    "tomorrows",
    "20261",
    "2026-13",
    "2026-00",
    "2026-02-30",
    "2026-11-31",
    "2026-1-1",
    "21.11.2026",
    "2026-11-21T25:00",
    "2026-11-21T10",
    "2026-11-21T10:61Z",
    "2026-11-21T10:00+99:00",
    "7",
    "d",
    "-7d",
    "7 d",
    "12345d",
    "next-week",
    "last-day",
  ])("does not read %j", (value) => {
    expect(resolveTime(value, NOW)).toBeNull();
  });

  it("takes days as they are where clocks change", () => {
    vi.stubEnv("TZ", "Europe/Berlin");
    // Clocks went one hour forward on 29 March 2026.
    const now = Date.parse("2026-03-30T12:00:00+02:00");
    expect(resolveTime("2d", now)).toBe(Date.parse("2026-03-28T12:00:00+01:00"));
    expect(resolveTime("48h", now)).toBe(Date.parse("2026-03-28T12:00:00+02:00"));
    expect(resolveTime("saturday", now)).toBe(Date.parse("2026-03-28T00:00:00+01:00"));
    expect(resolveTime("last-month", now)).toBe(Date.parse("2026-02-01T00:00:00+01:00"));
    expect(resolveTime("2026-03-29", now)).toBe(Date.parse("2026-03-29T00:00:00+01:00"));
    expect(resolveTime("yesterday", now)).toBe(Date.parse("2026-03-29T00:00:00+01:00"));
  });

  it("begins a day that has no midnight with its first hour", () => {
    vi.stubEnv("TZ", "America/Sao_Paulo");
    // Clocks went from 00:00 to 01:00 on 4 November 2018.
    const first = Date.parse("2018-11-04T01:00:00-02:00");
    expect(resolveTime("2018-11-04", NOW)).toBe(first);
    expect(resolveTime("today", Date.parse("2018-11-04T20:00:00-02:00"))).toBe(first);
    expect(resolveTime("yesterday", Date.parse("2018-11-04T20:00:00-02:00"))).toBe(
      Date.parse("2018-11-03T00:00:00-03:00"),
    );
  });
});
