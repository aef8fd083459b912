import fc from "fast-check";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { createSegmentBuilder } from "../indexing/segment-builder.ts";
import { build, modelOf, type TestDocument } from "../segment/model.fixture.ts";
import type { Segment, Segments } from "../segment/segment.ts";
import { openSegments } from "../segment/segments.ts";
import { openDatabase, type TestDatabase } from "../storage/database.fixture.ts";
import { SEGMENTS_SQL } from "../storage/schema.ts";
import type { PostingsPair } from "./list-decoder.ts";

let database: TestDatabase;
let segments: Segments;

beforeEach(() => {
  database = openDatabase(":memory:");
  database.exec(SEGMENTS_SQL);
  segments = openSegments(database);
});
afterEach(() => {
  database.close();
});

const builder = createSegmentBuilder();

function store(texts: readonly string[]): { segment: Segment; documents: TestDocument[] } {
  const documents = texts.map((text, ordinal): TestDocument => {
    const origin = { key: 1, ordinal, part: 0, code: 0, timestamp: null };
    return { origin, texts: [text], fields: [["tool", "bash"]] };
  });
  build(builder, documents);
  segments.write(builder);
  const segment = segments.refresh().at(-1);
  if (segment === undefined) throw new Error("Nothing was stored.");
  return { segment, documents };
}

function pairOf(segment: Segment, first: string, second: string): PostingsPair | null {
  const other = segment.find(second);
  return other === null ? null : (segment.find(first)?.pairWith(other) ?? null);
}

type Places = [document: number, starts: number[]][];

/** Where a phrase begins that has the words at the offsets. */
function expectedOf(documents: TestDocument[], words: [string, string], offsets: [number, number]): Places {
  const { terms } = modelOf(documents);
  const others = new Map(terms.get(words[1]));
  return (terms.get(words[0]) ?? []).flatMap(([document, positions]): Places => {
    const starts = positions.map((position) => position - offsets[0]).filter((start) => start >= 0);
    const found = starts.filter((start) => others.get(document)?.includes(start + offsets[1]));
    return found.length === 0 ? [] : [[document, found]];
  });
}

function placesIn(found: Uint32Array): Places {
  const places: Places = [];
  for (let at = 0; at < found.length; ) {
    const end = at + 2 + (found[at + 1] as number);
    places.push([found[at] as number, [...found.subarray(at + 2, end)]]);
    at = end;
  }
  return places;
}

/** Some thousand documents, from a seed: of several blocks, short and long, dense and sparse. */
function anyTexts(seed: number, count: number): string[] {
  let state = seed + 1;
  const next = (limit: number) => {
    state = (Math.imul(state, 1103515245) + 12345) >>> 0;
    return (state >>> 8) % limit;
  };
  return Array.from({ length: count }, () => {
    const isLong = next(20) === 0;
    const words = Array.from({ length: next(isLong ? 400 : 12) }, () => {
      const kind = next(10);
      return kind < 3 ? "one" : kind < 6 ? "two" : kind < 7 ? "one two" : `w${next(30)}`;
    });
    return words.join(" ");
  });
}

const anyOffsets = fc.constantFrom<[number, number]>([0, 1], [1, 0], [0, 2], [3, 1], [0, 0], [5, 9]);

describe("a pair of terms", () => {
  it("stands side by side where a plain list of documents says so", () => {
    const anyWords = fc.constantFrom<[string, string]>(["one", "two"], ["two", "one"], ["w1", "one"], ["w2", "w3"]);
    fc.assert(
      fc.property(fc.nat(), fc.integer({ min: 1, max: 900 }), anyWords, anyOffsets, (seed, count, words, offsets) => {
        const { segment, documents } = store(anyTexts(seed, count));
        const pair = pairOf(segment, ...words);
        // The second time it begins anew.
        for (let round = 0; round < 2; round++) {
          const found = pair?.sideBySide(offsets, 10_000_000, 1).found ?? new Uint32Array(0);
          expect(placesIn(found)).toEqual(expectedOf(documents, words, offsets));
        }
      }),
      { numRuns: 60 },
    );
  });

  it("is narrowed down by sets", () => {
    const { segment, documents } = store(anyTexts(7, 2000));
    const all = expectedOf(documents, ["one", "two"], [0, 1]);
    const anySet = fc.uint32Array({ minLength: 63, maxLength: 63 });
    const has = (set: Uint32Array, document: number) => ((set[document >>> 5] as number) >>> (document & 31)) & 1;
    fc.assert(
      fc.property(fc.array(anySet, { minLength: 1, maxLength: 4 }), (sets) => {
        const pair = pairOf(segment, "one", "two");
        const both = [...(pair?.documents() ?? [])];
        let left = 0;
        for (const set of sets) left = pair?.narrow(set) ?? -1;
        const kept = both.filter((document) => sets.every((set) => has(set, document)));
        expect([...(pair?.documents() ?? [])]).toEqual(kept);
        expect(left).toBe(kept.length);
        const { found } = pair?.sideBySide([0, 1], 10_000_000, 1) ?? { found: new Uint32Array(0) };
        expect(placesIn(found)).toEqual(all.filter(([document]) => kept.includes(document)));
      }),
      { numRuns: 50 },
    );
  });

  it("leaves out what takes more steps than it may", () => {
    const { segment } = store(Array.from({ length: 300 }, () => "one two"));
    for (const [most, count] of [
      [0, 0],
      [11, 0],
      [12, 1],
      [120, 10],
      [10_000, 300],
    ] as const) {
      const told = pairOf(segment, "one", "two")?.sideBySide([0, 1], most, 10);
      expect(placesIn(told?.found ?? new Uint32Array(0))).toHaveLength(count);
      expect((told?.steps ?? 0) > most).toBe(count < 300);
    }
  });

  it("may be very far apart", () => {
    const long = `${"one ".repeat(1000)}${"w ".repeat(100_000)}one two ${"one ".repeat(2)}${"w ".repeat(50_000)}one two`;
    const { segment, documents } = store(["two one", long, "one two", "one", long]);
    const found = pairOf(segment, "one", "two")?.sideBySide([0, 1], 10_000_000, 1).found;
    expect(placesIn(found ?? new Uint32Array(0))).toEqual(expectedOf(documents, ["one", "two"], [0, 1]));
  });

  it("is none of fields", () => {
    const { segment } = store(["bash one"]);
    expect(pairOf(segment, "one", "tool:bash")).toBeNull();
    expect(pairOf(segment, "one", "bash")).not.toBeNull();
  });
});

it("segments are read by turns, while others come and go", () => {
  const stored = [11, 12, 13].map((seed) => store(anyTexts(seed, 2000 * (seed - 10))));
  const check = () => {
    for (const { segment, documents } of stored) {
      const expected = expectedOf(documents, ["one", "two"], [0, 1]);
      // All that have both have the one; to decode it leaves the pair as it is.
      const pair = pairOf(segment, "one", "two");
      const both = pair?.documents().length;
      const set = segment.find("one")?.set(true) ?? new Uint32Array(0);
      expect(pair?.narrow(set)).toBe(both);
      expect(placesIn(pair?.sideBySide([0, 1], 10_000_000, 1).found ?? set)).toEqual(expected);
    }
  };
  check();
  const gone = store(anyTexts(14, 100));
  check();
  for (const _ of segments.merge([gone.segment], () => false));
  segments.refresh();
  check();
});
