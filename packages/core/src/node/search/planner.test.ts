import { expect, it } from "vitest";
import { parseQuery } from "../../search/query.ts";
import { TYPED_AT, TYPED_TIMES } from "../../typed-time.fixture.ts";
import { planQuery, type QueryWorld } from "./planner.ts";

const NOTHING = () => new Set<number>();
const WORLD: QueryWorld = {
  now: TYPED_AT,
  split: () => [],
  inProject: NOTHING,
  ofAgent: NOTHING,
  tagged: NOTHING,
  named: NOTHING,
  noted: NOTHING,
  withNotes: NOTHING,
  inState: NOTHING,
};

it.each(TYPED_TIMES)("a query's %s is the time at which it was typed", (text, time) => {
  const after = { type: "time", from: time, before: Number.POSITIVE_INFINITY };
  const before = { type: "time", from: Number.NEGATIVE_INFINITY, before: time };
  expect(planQuery(parseQuery(`after:${text}`), WORLD).root).toEqual(after);
  expect(planQuery(parseQuery(`before:${text}`), WORLD).root).toEqual(before);
});
