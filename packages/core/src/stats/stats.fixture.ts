import fc from "fast-check";
import { priceTierOf } from "../prices/context-size.ts";
import type { Usage } from "../session/record.ts";
import type { SessionStatistics } from "../statistics.ts";
import type { Activity, PlacedActivity } from "./activity.ts";

/** What a model wrote, as simple as it can be. */
export function answer(fields: Partial<Activity> = {}): Activity {
  const tier = priceTierOf(fields.usage ?? null);
  return { role: "assistant", provider: "test", model: "test-1", tier, usage: null, calls: [], failed: [], ...fields };
}

export function usageOf(tokens: number, cost_usd: number | null = null): Usage {
  return {
    input_tokens: tokens,
    output_tokens: 0,
    cache_read_tokens: 0,
    cache_write_tokens: 0,
    cache_write_1h_tokens: 0,
    reasoning_tokens: 0,
    total_tokens: tokens,
    cost_usd,
    estimated_cost_usd: null,
  };
}

const amount = fc.oneof(
  { weight: 5, arbitrary: fc.nat(100_000) },
  fc.constantFrom(-1, 0.5, 1e300, 2 ** 53, Number.POSITIVE_INFINITY),
);
/** Mostly 0: these are stored only where they are not. */
const parts = fc.oneof({ weight: 2, arbitrary: fc.constant(0) }, amount);
const name = fc.constantFrom(null, "a", "b", "漢字", "__proto__", "");
const usage: fc.Arbitrary<Usage> = fc
  .record({
    input_tokens: amount,
    output_tokens: amount,
    cache_read_tokens: amount,
    cache_write_tokens: amount,
    cache_write_1h_tokens: parts,
    reasoning_tokens: parts,
    cost_usd: fc.oneof(fc.constant(null), fc.double({ min: 0, max: 10, noNaN: true })),
  })
  .map((one) => ({
    ...one,
    estimated_cost_usd: null,
    total_tokens: [one.input_tokens, one.output_tokens, one.cache_read_tokens, one.cache_write_tokens]
      .map(limited)
      .reduce((sum, tokens) => sum + tokens, 0),
  }));
const names = fc.array(name, { maxLength: 3 });
const answers = fc.record({
  role: fc.constant("assistant" as const),
  provider: name,
  model: name,
  usage: fc.oneof(fc.constant(null), usage),
  calls: names,
  failed: fc.constant([]),
});
const others = fc.record({
  role: fc.constantFrom("user" as const, "other" as const),
  provider: fc.constant(null),
  model: fc.constant(null),
  usage: fc.constant(null),
  calls: names,
  failed: names,
});
/** Results of tools that have used a model, summaries, and uses that are no message. */
const uses = fc.record({
  role: fc.constantFrom(null, "other" as const),
  provider: name,
  model: name,
  usage,
  calls: fc.constant([]),
  failed: fc.constant([]),
});

/** What is added up of a number: no agent writes one that is larger. */
export function limited(amount: number): number {
  return Math.max(-Number.MAX_SAFE_INTEGER, Math.min(Number.MAX_SAFE_INTEGER, amount));
}

/** Two days around a change of the clocks in Europe, now and then the ends of time. */
const time = fc.oneof(
  { weight: 10, arbitrary: fc.integer({ min: Date.UTC(2026, 2, 28), max: Date.UTC(2026, 2, 30) }) },
  fc.constantFrom(Number.NaN, -1, Date.UTC(9999, 11, 31, 23, 59), Date.parse("0000-01-01T00:00:00Z")),
);

function priced(activity: Omit<Activity, "tier">): Activity {
  return { ...activity, tier: priceTierOf(activity.usage) };
}

/** What one part of a session adds to statistics; some of its entries add nothing. */
export const anyMessages: fc.Arbitrary<PlacedActivity[]> = fc
  .array(fc.record({ gap: fc.nat(2), timestamp: time, activity: fc.oneof(answers, others, uses).map(priced) }), {
    maxLength: 30,
  })
  .map((messages) => {
    let place = -1;
    return messages.map(({ gap, timestamp, activity }) => {
      place += 1 + gap;
      return { place, timestamp, activity };
    });
  });

/** An answer whose numbers are rounded to 12 digits: the last ones of a sum depend on its order. */
export function rounded<T>(value: T): T {
  const text = JSON.stringify(value, (_key, one) => (typeof one === "number" ? Number(one.toPrecision(12)) : one));
  return JSON.parse(text) as T;
}

export type Collected = Omit<SessionStatistics, "longest_sessions" | "skipped_files">;
