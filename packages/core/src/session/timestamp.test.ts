import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { formatTimestamp, parseTimestamp } from "./timestamp.ts";

describe("parseTimestamp", () => {
  it.each([
    undefined,
    null,
    5,
    "",
    "soon",
    "2026-13-01T00:00:00.000Z",
    "2026-01-01T24:61:00.000Z",
    "2026-02-99",
    "+012026-01-01T00:00:00.000Z",
  ])("takes %j for no time", (value) => expect(parseTimestamp(value)).toBeNull());

  it.each(["2026-11-21T03:07:38.373Z", "2025-01-01T10:00:00Z", "2025-06-01T12:00:00+02:00", "2024-02-29"])(
    "reads %s as Date.parse does",
    (text) => expect(parseTimestamp(text)).toBe(Date.parse(text)),
  );

  it("gives back every time that was written", () => {
    const time = fc.integer({ min: -6.2e13, max: 2.5e14 });
    fc.assert(
      fc.property(time, (milliseconds) => {
        expect(parseTimestamp(formatTimestamp(milliseconds))).toBe(milliseconds);
      }),
    );
  });
});

describe("formatTimestamp", () => {
  it.each([null, Number.NaN, Number.POSITIVE_INFINITY, 9e15, 253402300800000])("has no text for %s", (value) => {
    expect(formatTimestamp(value)).toBeNull();
  });
});
