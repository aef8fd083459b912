import fc from "fast-check";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { createSegmentBuilder } from "../indexing/segment-builder.ts";
import { BitReader } from "../postings/bit-reader.ts";
import { CHUNK_BYTES } from "../storage/components.ts";
import { openDatabase, type TestDatabase } from "../storage/database.fixture.ts";
import { SEGMENTS_SQL } from "../storage/schema.ts";
import { BLOCK_DOCUMENTS, GROUP_DOCUMENTS } from "../wasm/constants.ts";
import { build, modelOf, type TestDocument } from "./model.fixture.ts";
import type { Segment, Segments } from "./segment.ts";
import { openSegments } from "./segments.ts";

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

/** Reads a list in each way, positions of one in `step` documents, and compares them with a plain list. */
function check(segment: Segment, documents: readonly TestDocument[], word: string, step: number): void {
  const expected = modelOf(documents).terms.get(word) ?? [];
  const postings = segment.find(word);
  const list = postings?.list() ?? { documents: new Uint32Array(), frequencies: new Uint32Array() };
  expect([...list.documents]).toEqual(expected.map(([document]) => document));
  expect([...list.frequencies]).toEqual(expected.map(([, positions]) => Math.max(1, positions.length)));
  const set = postings?.set(true) ?? null;
  if (set !== null) {
    const has = (document: number) => (((set[document >>> 5] as number) >>> (document & 31)) & 1) === 1;
    expect(documents.flatMap((_, document) => (has(document) ? [document] : []))).toEqual([...list.documents]);
  }
  const cursor = postings?.positions();
  const asked = expected.filter((_, place) => place % step === 0);
  for (const [document, positions] of asked) expect([...(cursor?.in(document) ?? [])]).toEqual(positions);
  cursor?.close();
}

describe("a posting list", () => {
  it("is read in every way as a plain list says", () => {
    const anyWord = fc.constantFrom("one", "two", "w1", "w2", "tool:bash");
    fc.assert(
      fc.property(
        fc.nat(),
        fc.integer({ min: 1, max: 2500 }),
        anyWord,
        fc.integer({ min: 1, max: 300 }),
        (seed, count, word, step) => {
          const { segment, documents } = store(anyTexts(seed, count));
          // The second time the set is known.
          for (let round = 0; round < 2; round++) check(segment, documents, word, step);
        },
      ),
      { numRuns: 40 },
    );
  });

  it("may have positions very far apart", () => {
    const long = `${"one ".repeat(1000)}${"w ".repeat(100_000)}one two ${"one ".repeat(2)}${"w ".repeat(50_000)}one two`;
    const { segment, documents } = store(["two one", long, "one two", "one", long]);
    for (const word of ["one", "two"]) check(segment, documents, word, 1);
  });

  it("skips the positions of documents that nobody asks for", () => {
    const blocks = 10;
    const { segment } = store(Array.from({ length: blocks * BLOCK_DOCUMENTS + 1 }, () => "one two one"));
    const skip = vi.spyOn(BitReader.prototype, "skipPositions");
    const cursor = segment.find("one")?.positions();
    for (let block = 0; block < blocks; block++) {
      expect([...(cursor?.in((block + 1) * BLOCK_DOCUMENTS - 1) ?? [])]).toEqual([0, 2]);
    }
    const skipped = skip.mock.calls.reduce((sum, [, , , from, to]) => sum + to - from, 0);
    skip.mockRestore();
    expect(skipped).toBe(blocks * (GROUP_DOCUMENTS - 1));
  });
});

it("segments are read by turns, while others come and go", () => {
  const stored = [11, 12, 13].map((seed) => store(anyTexts(seed, 2000 * (seed - 10))));
  const checkAll = () => {
    for (const { segment, documents } of stored) for (const word of ["one", "two"]) check(segment, documents, word, 7);
  };
  checkAll();
  const gone = store(anyTexts(14, 100));
  checkAll();
  for (const _ of segments.merge([gone.segment], () => false));
  segments.refresh();
  checkAll();
});

describe("what was read", () => {
  /** Counts the chunks that are read from the database. */
  function counted(): { segments: Segments; reads: () => number } {
    let reads = 0;
    const counting = {
      prepare(sql: string) {
        const statement = database.prepare(sql);
        if (!/FROM chunks/.test(sql) || /^DELETE/.test(sql)) return statement;
        return Object.assign(Object.create(statement), {
          get: (...values: unknown[]) => {
            reads++;
            return statement.get(...values);
          },
        });
      },
    };
    return { segments: openSegments(counting), reads: () => reads };
  }

  it("takes no more room than it is given", () => {
    store(anyTexts(1, 20_000));
    const room = 4 * CHUNK_BYTES;
    const small = openSegments(database, room);
    const [segment] = small.refresh();
    const listOf = (word: string) => segment?.find(word)?.list();
    const before = ["one", "w1", "w9"].map(listOf);
    expect(small.cachedBytes).toBeGreaterThan(CHUNK_BYTES);
    expect(small.cachedBytes).toBeLessThanOrEqual(room);
    expect(["one", "w1", "w9"].map(listOf)).toEqual(before);
  });

  it("is not read again after others were written or merged", () => {
    // Of several chunks, of which the reader of a segment keeps the last one itself.
    store(anyTexts(1, 20_000));
    const { segments: others, reads } = counted();
    const read = () => {
      const [segment] = others.refresh();
      for (const word of ["one", "w1", "w9", "one"]) segment?.find(word)?.list();
    };
    read();
    const before = reads();
    expect(before).toBeGreaterThan(0);
    read();
    const gone = store(["one more"]);
    read();
    for (const _ of segments.merge([gone.segment], () => false));
    read();
    expect(reads()).toBe(before);
  });
});
