import { type MatchedSegment, SegmentView } from "@sm/text-index";
import { memorySegment } from "@sm/text-index/memory-segment.fixture";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { matchesInOrder, type PageOptions, type Position, type Rank, ShownMatches } from "./match-page.ts";
import { documentOf } from "./search.fixture.ts";

interface TestMatch {
  key: number;
  ordinal: number;
  value: number;
  time: number | null;
}

/** Segments of these matches, cut at some place, with other documents between them. */
function segmentsOf(matches: readonly TestMatch[], cut: number, isByTime: boolean): MatchedSegment[] {
  return [matches.slice(0, cut), matches.slice(cut)].map((some, id) => {
    const sorted = [...some].sort((a, b) => a.key - b.key);
    const documents = sorted.flatMap(({ key, ordinal, time }) => [
      documentOf("other", { key, ordinal, part: 9 }),
      documentOf("match", { key, ordinal, timestamp: time }),
    ]);
    const view = new SegmentView(memorySegment(id, documents));
    const values = sorted.map(({ value, time }) => (isByTime ? (time ?? Number.MIN_SAFE_INTEGER) : value));
    return {
      view,
      documents: Uint32Array.from(sorted, (_, place) => 2 * place + 1),
      values: Float64Array.from(values),
    };
  });
}

const match = fc.record({
  key: fc.integer({ min: 1, max: 5 }),
  ordinal: fc.nat(20),
  value: fc.integer({ min: 1, max: 4 }),
  time: fc.option(fc.nat(6), { nil: null, freq: 6 }),
});
const matchesOf = fc.uniqueArray(match, { maxLength: 30, selector: ({ key, ordinal }) => `${key} ${ordinal}` });

const nameOf = ({ key, ordinal }: Pick<Rank, "key" | "ordinal">) => `${key} ${ordinal}`;

/** All pages one after the other; `segments` may change from page to page. Sessions `before` were shown already. */
function pages(
  segments: (page: number) => readonly MatchedSegment[],
  options: PageOptions,
  before: Iterable<readonly [number, number]> = [],
): Rank[] {
  const all: Rank[] = [];
  const shown = new ShownMatches(before);
  let start: Position | null = null;
  for (let page = 0; ; page++) {
    const found: Rank[] = [];
    for (const { rank } of matchesInOrder(segments(page), options, start)) {
      if (found.length === options.limit) break;
      found.push(rank);
      shown.add(rank.key);
    }
    all.push(...found);
    const rank = found.at(-1);
    if (rank === undefined || found.length < options.limit) return all;
    start = { rank, shown: new ShownMatches(shown.counts) };
  }
}

const sort = fc.constantFrom("relevance" as const, "newest" as const);
const perSession = fc.integer({ min: 1, max: 4 });

describe("pages", () => {
  it("hold the best matches of each session once, in order, whatever their size", () => {
    fc.assert(
      fc.property(
        matchesOf,
        fc.nat(30),
        sort,
        perSession,
        fc.integer({ min: 1, max: 5 }),
        (all, cut, by, most, limit) => {
          const segments = segmentsOf(all, cut, by === "newest");
          const whole = pages(() => segments, { sort: by, perSession: most, limit: 1000 });
          const cutUp = pages(() => segmentsOf(all, 30 - cut, by === "newest"), { sort: by, perSession: most, limit });
          expect(cutUp).toEqual(whole);

          const sortedBy = ({ value, time }: TestMatch) =>
            by === "newest" ? (time ?? Number.MIN_SAFE_INTEGER) : value;
          for (const key of new Set(all.map((one) => one.key))) {
            const own = all.filter((one) => one.key === key).map(sortedBy);
            const shown = whole.filter((rank) => rank.key === key).map((rank) => rank.value);
            expect(shown).toEqual(own.sort((a, b) => b - a).slice(0, most));
          }
          const order = by === "newest" ? whole.map((rank) => rank.value) : whole.map((rank) => rank.bestValue);
          expect(order).toEqual([...order].sort((a, b) => b - a));
          const sessions = whole.map((rank) => rank.key).filter((key, place, keys) => key !== keys[place - 1]);
          if (by === "relevance") expect(new Set(sessions).size).toBe(sessions.length);
        },
      ),
    );
  });

  it("neither repeat nor lose a match while sessions are added", () => {
    fc.assert(
      fc.property(
        matchesOf,
        matchesOf,
        sort,
        perSession,
        fc.integer({ min: 1, max: 5 }),
        (all, others, by, most, limit) => {
          const added = others.map((one) => ({ ...one, key: one.key + 10 }));
          const before = pages(() => segmentsOf(all, 15, by === "newest"), { sort: by, perSession: most, limit });
          const during = pages((page) => segmentsOf([...all, ...added.slice(0, 3 * page)], 4 * page, by === "newest"), {
            sort: by,
            perSession: most,
            limit,
          }).map(nameOf);
          expect(new Set(during).size).toBe(during.length);
          expect(during).toEqual(expect.arrayContaining(before.map(nameOf)));
        },
      ),
    );
  });

  it("neither repeat a match nor pass a session over while sessions grow, whatever their new matches rank", () => {
    fc.assert(
      fc.property(
        matchesOf,
        matchesOf,
        sort,
        perSession,
        fc.integer({ min: 1, max: 5 }),
        (all, others, by, most, limit) => {
          const added = others.map((one) => ({ ...one, ordinal: one.ordinal + 100 }));
          const during = pages((page) => segmentsOf([...all, ...added.slice(0, 3 * page)], 4 * page, by === "newest"), {
            sort: by,
            perSession: most,
            limit,
          });
          expect(new Set(during.map(nameOf)).size).toBe(during.length);
          for (const key of new Set(all.map((one) => one.key))) {
            const own = all.filter((one) => one.key === key).length;
            const shown = during.filter((rank) => rank.key === key).length;
            expect(shown).toBeGreaterThanOrEqual(Math.min(most, own));
            expect(shown).toBeLessThanOrEqual(most);
          }
        },
      ),
    );
  });

  it("are the same where more sessions were shown than a cursor names", () => {
    const others = Array.from({ length: 500 }, (_, n) => [1000 + n, 1] as const);
    fc.assert(
      fc.property(matchesOf, sort, perSession, fc.integer({ min: 1, max: 5 }), (all, by, most, limit) => {
        const segments = segmentsOf(all, 15, by === "newest");
        const options = { sort: by, perSession: most, limit };
        expect(pages(() => segments, options, others)).toEqual(pages(() => segments, options));
      }),
    );
  });
});
