import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { futureTime, pastTime, wholeNumber } from "./option-values.ts";

beforeEach(() => {
  vi.useFakeTimers({ now: Date.parse("2026-06-15T12:00:00.000Z") });
});

afterEach(() => {
  vi.useRealTimers();
});

describe("times", () => {
  it.each([
    [pastTime, "2026-01-31", "2026-01-31"],
    [futureTime, "2026-01-31T10:00:00Z", "2026-01-31T10:00:00Z"],
    [pastTime, "7d", "2026-06-08T12:00:00.000Z"],
    [futureTime, "7d", "2026-06-22T12:00:00.000Z"],
    [pastTime, "12h", "2026-06-15T00:00:00.000Z"],
    [futureTime, "2w", "2026-06-29T12:00:00.000Z"],
    [futureTime, "90m", "2026-06-15T13:30:00.000Z"],
    [futureTime, "99999w", "3942-12-21T12:00:00.000Z"],
  ] as const)("%o reads %s", (read, text, time) => {
    expect(read(text)).toBe(time);
  });

  it.each(["", "d", "7", "7y", "-7d", "7 d", "tomorrow", "999999d"])("are not %j", (text) => {
    expect(() => pastTime(text)).toThrow("It has to be a date");
    expect(() => futureTime(text)).toThrow("It has to be a date");
  });
});

describe("wholeNumber", () => {
  it.each(["", "-1", "1.5", "1e3", "many", "1234567890"])("refuses %j", (text) => {
    expect(() => wholeNumber(text)).toThrow("It has to be a whole number.");
  });

  it("reads digits", () => {
    expect(wholeNumber("0050")).toBe(50);
  });
});
