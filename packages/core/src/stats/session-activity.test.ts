import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { Activity } from "./activity.ts";
import type { ActivityChunk } from "./activity-chunk.ts";
import { activityPlace, SessionActivity } from "./session-activity.ts";
import { answer, usageOf } from "./stats.fixture.ts";

interface Entry {
  timestamp: number;
  activity: Activity | null;
  origin: number | null;
}

const entry: fc.Arbitrary<Entry> = fc.record({
  timestamp: fc.nat(10_000_000),
  activity: fc.option(fc.nat(1_000).map((tokens) => answer({ usage: usageOf(tokens), calls: ["bash"] }))),
  origin: fc.option(fc.nat(100)),
});

/** Where chunks are kept, by their place. */
class Store {
  readonly chunks = new Map<number, ActivityChunk & { entries: number }>();
  writes = 0;

  keep(activity: SessionActivity): void {
    for (const { place, ...chunk } of activity.changedChunks()) {
      expect(chunk.entries).toBeGreaterThan(this.chunks.get(place)?.entries ?? 0);
      this.chunks.set(place, { ...chunk, rollup: chunk.rollup.slice(), details: chunk.details.slice() });
      this.writes++;
    }
    activity.changesKept();
  }
}

function add(activity: SessionActivity, ordinal: number, { timestamp, activity: said, origin }: Entry): void {
  if (said !== null) activity.add(ordinal, timestamp, said);
  if (origin !== null) activity.addOrigin(ordinal, origin);
}

describe("SessionActivity", () => {
  it("keeps the same, however often it is kept and taken up again in between", () => {
    const entries = fc.array(entry, { minLength: 1, maxLength: 300, size: "max" });
    fc.assert(
      fc.property(entries, fc.array(fc.nat(300), { maxLength: 5 }), fc.boolean(), (all, ends, isResumed) => {
        const whole = new Store();
        const atOnce = new SessionActivity();
        for (const [ordinal, one] of all.entries()) add(atOnce, ordinal, one);
        whole.keep(atOnce);

        const store = new Store();
        let activity = new SessionActivity();
        for (const [ordinal, one] of all.entries()) {
          if (ends.includes(ordinal)) {
            store.keep(activity);
            const kept = store.chunks.get(activityPlace(ordinal)) ?? null;
            if (isResumed) activity = SessionActivity.resume(ordinal, kept, (at) => all[at]?.timestamp ?? Number.NaN);
          }
          add(activity, ordinal, one);
        }
        store.keep(activity);
        expect(store.chunks).toEqual(whole.chunks);
      }),
      { numRuns: 50 },
    );
  });

  it("writes one chunk for an append, however long the session is", () => {
    const store = new Store();
    const activity = new SessionActivity();
    const one = { timestamp: 0, activity: answer(), origin: null };
    for (let ordinal = 0; ordinal < 1_000; ordinal++) add(activity, ordinal, one);
    store.keep(activity);
    store.writes = 0;
    add(activity, 1_000, one);
    store.keep(activity);
    expect(store.writes).toBe(1);
    store.keep(activity);
    expect(store.writes).toBe(1);
  });
});
