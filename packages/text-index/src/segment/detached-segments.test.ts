import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { createSegmentBuilder } from "../indexing/segment-builder.ts";
import { CHUNK_BYTES, DetachedSegments, mergeDetached, type SegmentSize, storeSegment } from "./detached-segments.ts";
import { build, contentOf, modelOf, originsOf, type TestDocument } from "./model.fixture.ts";
import type { Segment } from "./segment.ts";

const builder = createSegmentBuilder();

/** Chunks in a map, as any store may have them. */
class ChunkMap {
  readonly #chunks = new Map<string, Uint8Array>();
  readonly announced: number[] = [];
  readonly segments = new DetachedSegments(({ segment, component, chunk }, following) => {
    if (component === "dictionary") this.announced.push(following);
    const bytes = this.#chunks.get(`${segment} ${component} ${chunk}`);
    if (bytes === undefined) throw new Error("There is no such chunk.");
    return bytes;
  });
  #last = 0;

  get largest(): number {
    return Math.max(...[...this.#chunks.values()].map(({ length }) => length));
  }

  write(documents: readonly TestDocument[]): Segment | null {
    build(builder, documents);
    return this.#opened((store) => storeSegment(builder, store));
  }

  merge(segments: readonly Segment[], isAlive: (segment: Segment, document: number) => boolean): Segment | null {
    return this.#opened((store) => {
      const steps = mergeDetached(segments, isAlive, store);
      for (;;) {
        const { done, value } = steps.next();
        if (done === true) return value;
      }
    });
  }

  #opened(write: (store: Parameters<typeof storeSegment>[1]) => SegmentSize | null): Segment | null {
    const segment = ++this.#last;
    const size = write(({ component, chunk }, bytes) => {
      this.#chunks.set(`${segment} ${component} ${chunk}`, Uint8Array.from(bytes));
    });
    return size === null ? null : this.segments.open(segment, size);
  }
}

const anyDocument = fc
  .record({
    words: fc.array(fc.constantFrom("one", "two", "getUser", "中文", "é"), { maxLength: 6 }),
    tool: fc.option(fc.constantFrom("bash", "edit")),
    ordinal: fc.nat(9),
  })
  .map(
    ({ words, tool, ordinal }): TestDocument => ({
      origin: { key: 1, ordinal, part: 0, code: 2, timestamp: ordinal === 0 ? null : ordinal },
      texts: [words.join(" ")],
      fields: tool === null ? [] : [["tool", tool]],
    }),
  );

describe("segments that are stored elsewhere", () => {
  it("have what was built, and after a merge what is alive of it", () => {
    fc.assert(
      fc.property(
        fc.array(fc.array(anyDocument, { minLength: 1, maxLength: 4 }), { minLength: 1, maxLength: 4 }),
        (parts) => {
          const map = new ChunkMap();
          const segments = parts.map((documents) => map.write(documents) as Segment);
          for (const [place, segment] of segments.entries()) {
            expect(contentOf(segment)).toEqual(modelOf(parts[place] ?? []));
            expect(originsOf(segment)).toEqual((parts[place] ?? []).map(({ origin }) => origin));
          }
          const merged = map.merge(segments, (segment, document) => segment.documents.ordinals[document] !== 5);
          const alive = parts.flat().filter(({ origin }) => origin.ordinal !== 5);
          expect(merged === null ? [] : originsOf(merged)).toEqual(alive.map(({ origin }) => origin));
          expect(merged?.lengths ?? new Uint32Array()).toEqual(Uint32Array.from(modelOf(alive).lengths));
        },
      ),
    );
  });

  it("are none without documents", () => {
    expect(new ChunkMap().write([])).toBeNull();
  });

  it("come in chunks, and those of a list together", () => {
    const map = new ChunkMap();
    const text = Array.from({ length: 60_000 }, (_, at) => `word${(at * 7_919) % 30_011}`).join(" ");
    const documents = [{ origin: { key: 1, ordinal: 0, part: 0, code: 0, timestamp: 1 }, texts: [text], fields: [] }];
    const segment = map.write(documents);
    expect(segment?.bytes).toBeGreaterThan(3 * CHUNK_BYTES);
    expect(map.largest).toBe(CHUNK_BYTES);
    expect(segment?.find("word1")?.documentCount).toBe(1);
    expect(map.announced).toEqual([0]);
  });
});
