import { afterEach, describe, expect, it, vi } from "vitest";
import { NO_TIMES, TYPED_AT, TYPED_TIMES, TYPED_TIMES_AHEAD } from "./typed-time.fixture.ts";
import { readTypedTime } from "./typed-time.ts";

const local = (year: number, month: number, day = 1, hours = 0, minutes = 0, seconds = 0, milliseconds = 0): number =>
  new Date(year, month - 1, day, hours, minutes, seconds, milliseconds).getTime();

afterEach(() => vi.unstubAllEnvs());

describe("readTypedTime", () => {
  it.each(TYPED_TIMES)("reads %s, in the past", (text, time) => {
    expect(readTypedTime(text, TYPED_AT)).toEqual({ time, problem: null });
  });

  it.each(TYPED_TIMES_AHEAD)("reads %s, to come", (text, time) => {
    expect(readTypedTime(text, TYPED_AT, "future")).toEqual({ time, problem: null });
  });

  it.each([
    ["2024-02-29", local(2024, 2, 29)],
    ["2026-11-21 10:20:30.5", local(2026, 11, 21, 10, 20, 30, 500)],
    ["2026-11-21t10:20:30.123456z", Date.UTC(2026, 10, 21, 10, 20, 30, 123)],
    ["2026-11-21T00:00:00-08:00", Date.UTC(2026, 10, 21, 8)],
    ["saturday", local(2026, 11, 21)],
    ["sunday", local(2026, 11, 15)],
    ["fri", local(2026, 11, 20)],
    ["this-week", local(2026, 11, 16)],
    ["last week", local(2026, 11, 9)],
    [" LAST_month ", local(2026, 10)],
    ["tomorrow", local(2026, 11, 22)],
    ["next-year", local(2027, 1)],
    ["0d", TYPED_AT],
    ["11MO", local(2025, 12, 21, 15, 4, 5, 678)],
    ["99999y", Date.parse("0000-01-01T00:00:00.000Z")],
  ])("reads %j too", (text, time) => {
    expect(readTypedTime(text, TYPED_AT)).toEqual({ time, problem: null });
  });

  it.each([
    [local(2026, 3, 31, 12), "1mo", local(2026, 2, 28, 12)],
    [local(2024, 3, 31, 12), "1mo", local(2024, 2, 29, 12)],
    [local(2024, 2, 29, 12), "1y", local(2023, 2, 28, 12)],
    [local(2026, 1, 31, 12), "2mo", local(2025, 11, 30, 12)],
    [local(2026, 1, 31, 12), "last-month", local(2025, 12)],
    [local(2026, 1, 31, 12), "next-month", local(2026, 2)],
    [local(2026, 1, 1, 12), "yesterday", local(2025, 12, 31)],
    [local(2026, 3, 1, 12), "last-week", local(2026, 2, 16)],
    [local(2026, 11, 16, 12), "this-week", local(2026, 11, 16)],
  ])("counts over the ends of months and years: from %d %s", (now, text, time) => {
    expect(readTypedTime(text, now)).toEqual({ time, problem: null });
  });

  it.each(NO_TIMES)("refuses %s and says what is allowed", (text, problem) => {
    for (const direction of ["past", "future"] as const) {
      expect(readTypedTime(text, TYPED_AT, direction)).toEqual({ time: null, problem: expect.stringMatching(problem) });
    }
  });

  it.each([
    "",
    "tomorrows",
    "20261",
    "2026-13",
    "2026-00",
    "2026-11-31",
    "2026-1-1",
    "2026-11-21T25:00",
    "2026-11-21T10",
    "2026-11-21T10:61Z",
    "2026-11-21T10:00+99:00",
    "d",
    "-7d",
    "7 d",
    "123456d",
    "7s",
    "last-day",
  ])("refuses %j", (text) => {
    expect(readTypedTime(text, TYPED_AT).time).toBeNull();
  });

  it("takes days as they are where clocks change", () => {
    vi.stubEnv("TZ", "Europe/Berlin");
    const read = (text: string) => readTypedTime(text, Date.parse("2026-03-30T12:00:00+02:00")).time;
    // Clocks went one hour forward on 29 March 2026.
    expect(read("2d")).toBe(Date.parse("2026-03-28T12:00:00+01:00"));
    expect(read("48h")).toBe(Date.parse("2026-03-28T12:00:00+02:00"));
    expect(read("saturday")).toBe(Date.parse("2026-03-28T00:00:00+01:00"));
    expect(read("last-month")).toBe(Date.parse("2026-02-01T00:00:00+01:00"));
    expect(read("2026-03-29")).toBe(Date.parse("2026-03-29T00:00:00+01:00"));
    expect(read("yesterday")).toBe(Date.parse("2026-03-29T00:00:00+01:00"));
  });

  it("begins a day that has no midnight with its first hour", () => {
    vi.stubEnv("TZ", "America/Sao_Paulo");
    const read = (text: string) => readTypedTime(text, Date.parse("2018-11-04T20:00:00-02:00")).time;
    // Clocks went from 00:00 to 01:00 on 4 November 2018.
    const first = Date.parse("2018-11-04T01:00:00-02:00");
    expect(read("2018-11-04")).toBe(first);
    expect(read("today")).toBe(first);
    expect(read("yesterday")).toBe(Date.parse("2018-11-03T00:00:00-03:00"));
  });
});
