import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { PlacedActivity } from "./activity.ts";
import { decodeActivity, decodeRollup, encodeActivity, readSums } from "./activity-chunk.ts";
import { answer, anyMessages, limited, usageOf } from "./stats.fixture.ts";

describe("a chunk of activity", () => {
  it("gives every entry back as it was", () => {
    fc.assert(
      fc.property(anyMessages, fc.array(fc.nat(0xffffffff)), (messages, origins) => {
        const chunk = encodeActivity(messages, origins);
        const times = new Map(messages.map(({ place, timestamp }) => [place, timestamp]));
        const rollup = decodeRollup(chunk.rollup);
        const decoded = decodeActivity(rollup.names, chunk.details, (place) => times.get(place) ?? Number.NaN);
        expect(decoded).toEqual(messages.map(kept));
        expect(rollup.origins).toEqual(origins);
      }),
    );
  });

  it("is the same bytes, whether it was written at once or after being read", () => {
    fc.assert(
      fc.property(anyMessages, (messages) => {
        const chunk = encodeActivity(messages, []);
        const times = new Map(messages.map(({ place, timestamp }) => [place, timestamp]));
        const { names } = decodeRollup(chunk.rollup);
        const decoded = decodeActivity(names, chunk.details, (place) => times.get(place) ?? Number.NaN);
        expect(encodeActivity(decoded, [])).toEqual(chunk);
      }),
    );
  });

  it("takes some ten bytes for an answer and its result", () => {
    const messages = Array.from({ length: 128 }, (_, place) => ({
      place,
      timestamp: Date.UTC(2026, 0, 1) + place * 10_000,
      activity:
        place % 2 === 0
          ? answer({ usage: { ...usageOf(1500, 0.0123), cache_read_tokens: 90_000 }, calls: ["bash"] })
          : answer({ role: "other", provider: null, model: null }),
    }));
    const { rollup, details } = encodeActivity(messages, [1]);
    expect(rollup.length).toBeLessThan(128);
    expect(details.length / messages.length).toBeLessThan(13);
  });

  it.each([
    ["that ends early", (bytes: Uint8Array) => bytes.subarray(0, 2)],
    ["that promises too much", (bytes: Uint8Array) => Uint8Array.of(...bytes.subarray(0, -1), 0xff, 0xff, 0x7f)],
  ])("%s is refused", (_, damage) => {
    const { rollup } = encodeActivity([{ place: 0, timestamp: 0, activity: answer() }], []);
    const reader = { quarter: () => true, answers: () => undefined, tool: () => undefined };
    expect(() => readSums(decodeRollup(damage(rollup)).sums, reader)).toThrow(RangeError);
  });
});

/** The entry as it is kept. */
function kept({ place, timestamp, activity }: PlacedActivity): PlacedActivity {
  const { usage } = activity;
  if (usage === null) return { place, timestamp, activity };
  const numbers = Object.entries(usage).map(([key, amount]) => [key, amount === null ? null : limited(amount)]);
  return {
    place,
    timestamp,
    activity: { ...activity, usage: { ...usage, ...Object.fromEntries(numbers), total_tokens: usage.total_tokens } },
  };
}
