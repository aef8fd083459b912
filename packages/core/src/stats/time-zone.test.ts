import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { QUARTER_MS } from "./activity.ts";
import { isTimeZone, TimeZone } from "./time-zone.ts";

const ZONES = [
  "UTC",
  "Europe/Berlin",
  "America/New_York",
  "Asia/Kathmandu",
  "Australia/Lord_Howe",
  "Africa/Casablanca",
  "Pacific/Apia",
  "Pacific/Chatham",
];

/** What a clock in the zone shows at a time. */
function clock(zone: string, time: number): string {
  const format = new Intl.DateTimeFormat("sv-SE", { timeZone: zone, dateStyle: "short", timeStyle: "short" });
  return format.format(time);
}

function written(localQuarter: number): string {
  return new Date(localQuarter * QUARTER_MS).toISOString().slice(0, 16).replace("T", " ");
}

describe("TimeZone", () => {
  it.each(ZONES)("shows what the clocks of %s show", (name) => {
    const zone = new TimeZone(name);
    const quarter = fc.integer({
      min: Date.UTC(2005, 0) / QUARTER_MS,
      max: Date.UTC(2030, 0) / QUARTER_MS,
    });
    fc.assert(
      fc.property(quarter, (one) => {
        expect(written(zone.local(one))).toBe(clock(name, one * QUARTER_MS));
      }),
    );
  });

  it("follows every quarter of the days on which clocks are changed", () => {
    for (const [name, day] of [
      ["Europe/Berlin", "2026-03-29"],
      ["Europe/Berlin", "2026-10-25"],
      ["Australia/Lord_Howe", "2026-04-04"],
      ["Pacific/Apia", "2011-12-30"],
    ] as const) {
      const zone = new TimeZone(name);
      const first = Date.parse(day) / QUARTER_MS;
      for (let quarter = first - 96; quarter < first + 192; quarter++) {
        expect(written(zone.local(quarter))).toBe(clock(name, quarter * QUARTER_MS));
      }
    }
  });

  it.each([
    ["Europe/Berlin", true],
    ["europe/berlin", true],
    ["UTC", true],
    ["Europe/Atlantis", false],
    ["", false],
    ["../etc/passwd", false],
  ])("%j is a zone: %s", (name, is) => expect(isTimeZone(name)).toBe(is));
});
