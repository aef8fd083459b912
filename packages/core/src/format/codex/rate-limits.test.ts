import { describe, expect, it } from "vitest";
import type { JsonValue } from "../../json.ts";
import { rateLimitsOf } from "./rate-limits.ts";

describe("limits of an account", () => {
  const window = { used_percent: 3.5, window_minutes: 300, resets_at: 1_777_906_800 };
  const read = { used_percent: 3.5, window_minutes: 300, resets_at: "2026-05-04T15:00:00.000Z" };

  it.each<[string, JsonValue | undefined, unknown]>([
    ["nothing", undefined, undefined],
    ["null", null, undefined],
    ["none", { primary: null, secondary: null }, null],
    ["both", { primary: window, secondary: { ...window, used_percent: 0 } }, [read, { ...read, used_percent: 0 }]],
    ["the second only", { primary: null, secondary: window }, [read]],
    [
      "without a window",
      { primary: { used_percent: 1 } },
      [{ used_percent: 1, window_minutes: null, resets_at: null }],
    ],
    ["without a number", { primary: { ...window, used_percent: "52" } }, null],
    ["beyond all numbers", { primary: { ...window, used_percent: Number.POSITIVE_INFINITY } }, null],
    ["beyond all times", { primary: { ...window, resets_at: 1e300 } }, [{ ...read, resets_at: null }]],
    ["of an unknown name", { tertiary: window }, null],
  ])("are read where it has %s", (_, value, expected) => {
    expect(rateLimitsOf(value)).toEqual(expected);
  });
});
