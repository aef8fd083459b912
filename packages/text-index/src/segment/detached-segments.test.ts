import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { createSegmentBuilder } from "../indexing/segment-builder.ts";
import {
  CHUNK_BYTES,
  DetachedSegments,
  mergeDetached,
  type ReadSegmentBytes,
  type SegmentSize,
  storeSegment,
} from "./detached-segments.ts";
import { build, contentOf, modelOf, originsOf, type TestDocument } from "./model.fixture.ts";
import type { Segment } from "./segment.ts";

const builder = createSegmentBuilder();

/** Chunks in a map, as any store may have them. */
class ChunkMap {
  readonly #chunks = new Map<string, Uint8Array>();
  /** Chunks of dictionaries that were read at once. */
  readonly read: number[] = [];
  readonly segments: DetachedSegments;
  #last = 0;

  constructor(chunkBytes = CHUNK_BYTES) {
    const read: ReadSegmentBytes = (wanted) => {
      this.read.push(wanted.filter(({ component }) => component === "dictionary").length);
      return wanted.map(({ segment, component, offset, length }) =>
        this.#component(segment, component).subarray(offset, offset + length),
      );
    };
    this.segments = new DetachedSegments(read, { chunkBytes, cacheBytes: 16 * chunkBytes });
  }

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

  #component(segment: number, component: string): Buffer {
    const chunks: Uint8Array[] = [];
    for (;;) {
      const chunk = this.#chunks.get(`${segment} ${component} ${chunks.length}`);
      if (chunk === undefined) return Buffer.concat(chunks);
      chunks.push(chunk);
    }
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
        fc.constantFrom(7, 100, CHUNK_BYTES),
        (parts, chunkBytes) => {
          const map = new ChunkMap(chunkBytes);
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

  it.each([[4096], [CHUNK_BYTES]])("are read in chunks of %i bytes, those of a list together", (chunkBytes) => {
    const map = new ChunkMap(chunkBytes);
    const text = Array.from({ length: 60_000 }, (_, at) => `word${(at * 7_919) % 30_011}`).join(" ");
    const documents = [{ origin: { key: 1, ordinal: 0, part: 0, code: 0, timestamp: 1 }, texts: [text], fields: [] }];
    const segment = map.write(documents);
    expect(segment?.bytes).toBeGreaterThan(3 * CHUNK_BYTES);
    expect(map.largest).toBe(CHUNK_BYTES);
    expect(segment?.find("word1")?.documentCount).toBe(1);
    expect(map.read.filter((chunks) => chunks > 0)).toHaveLength(1);
  });
});
