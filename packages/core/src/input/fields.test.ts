import * as v from "valibot";
import { describe, expect, it } from "vitest";
import { optional, path, time, wholeNumber } from "./fields.ts";

describe("time", () => {
  it.each([
    ["2026-01-31", "2026-01-31T00:00:00.000Z"],
    ["2024-02-29", "2024-02-29T00:00:00.000Z"],
    ["2026-01-31T10:00:00Z", "2026-01-31T10:00:00.000Z"],
    ["2026-01-31t10:00:00z", "2026-01-31T10:00:00.000Z"],
    ["2026-01-31T10:00:00.123456Z", "2026-01-31T10:00:00.123Z"],
    ["2026-01-31T10:00:00+05:30", "2026-01-31T04:30:00.000Z"],
    ["2026-01-31T23:30:00-01:00", "2026-02-01T00:30:00.000Z"],
  ])("reads %s as %s", (text, expected) => {
    expect(v.parse(time, text)).toBe(expected);
  });

  it.each([
    "",
    "yesterday",
    "2026",
    "2026-01",
    "2026-1-31",
    "2026-13-01",
    "2026-02-30",
    "2025-02-29T00:00:00Z",
    "2026-01-31 10:00:00Z",
    "2026-01-31T10:00:00",
    "2026-01-31T10:00Z",
    "2026-01-31T24:00:00Z",
    "2026-01-31T10:60:00Z",
    "2026-01-31T10:00:00+25:00",
    " 2026-01-31",
    "2026-01-31T10:00:00Z\n",
    "+002026-01-31",
    1_769_853_600_000,
  ])("refuses %j", (value) => {
    expect(v.safeParse(time, value).success).toBe(false);
  });
});

describe("path", () => {
  it.each(["", "x".repeat(4_097), "/a\0b"])("refuses what no file can have", (value) => {
    expect(v.safeParse(path, value).success).toBe(false);
  });

  it("takes the longest path there is", () => {
    expect(v.safeParse(path, "x".repeat(4_096)).success).toBe(true);
  });
});

describe("wholeNumber", () => {
  it.each([
    [1, true],
    [500, true],
    [0, false],
    [501, false],
    [1.5, false],
    [Number.NaN, false],
    ["10", false],
  ])("takes %j from 1 to 500: %s", (value, expected) => {
    expect(v.safeParse(wholeNumber(1, 500), value).success).toBe(expected);
  });
});

describe("optional", () => {
  const schema = v.strictObject({ id: optional(v.string()) });

  it.each([[{}], [{ id: null }], [{ id: undefined }]])("takes %j as no value", (value) => {
    expect(v.parse(schema, value).id).toBeUndefined();
  });

  it("still checks a value", () => {
    expect(v.safeParse(schema, { id: 1 }).success).toBe(false);
  });
});
