import fc from "fast-check";
import { expect, it } from "vitest";
import { sessionRecord } from "../list/record.fixture.ts";
import { newestOf } from "./newest.ts";

it("gives the same as sorting all", () => {
  fc.assert(
    fc.property(fc.array(fc.integer({ min: 0, max: 50 })), fc.integer({ min: 1, max: 5 }), (days, count) => {
      const records = days.map((day, at) =>
        sessionRecord(`${at}`, { modified_at: new Date(day * 86_400_000).toISOString() }),
      );
      const sorted = [...records].sort((a, b) => b.modified_at.localeCompare(a.modified_at));
      expect(newestOf(records, count)).toEqual(sorted.slice(0, count));
    }),
  );
});
