import { CostBudget, documentsOf, type FastFields, fullBitset, SegmentView } from "@sm/text-index";
import { memorySegment } from "@sm/text-index/memory-segment.fixture";
import { describe, expect, it } from "vitest";
import { UnwantedError } from "../threads/unwanted.ts";
import { documentOf } from "./search.fixture.ts";
import type { FoundText, TextReader } from "./texts.ts";
import { Verifier } from "./verify.ts";

/** Documents of these ages, each of a session of its own, with texts of `size` bytes, of which some are waited for. */
function verifier(times: readonly (number | null)[], size: number, mostWanted = Number.POSITIVE_INFINITY) {
  const documents = times.map((timestamp, key) => documentOf("x", { key, timestamp }));
  const views = [documents.slice(0, 100), documents.slice(100)].map(
    (some, id) => new SegmentView(memorySegment(id, some)),
  );
  const read: number[] = [];
  const texts: TextReader = {
    expect: () => undefined,
    sizeOf: () => size,
    read({ keys }: FastFields, document: number) {
      read.push(keys[document] ?? -1);
      // The verifier looks at nothing else.
      return { text: `${keys[document]}` } as FoundText;
    },
  };
  const budget = new CostBudget(1);
  const current = {
    check() {
      if (read.length === mostWanted) throw new UnwantedError();
    },
  };
  const { verify } = new Verifier(views, texts, budget, current);
  const all = views.map((view) => fullBitset(view.documents.count));
  const keysOf = (passes: (text: string) => boolean, others: "in" | "out" = "out") =>
    verify(all, (text) => passes(String(text)), others).flatMap((bits, place) =>
      [...documentsOf(bits)].map((document) => place * 100 + document),
    );
  return { keysOf, read, budget };
}

describe("what the index cannot tell", () => {
  it("is read no further when nobody waits any more", () => {
    const { keysOf, read } = verifier(Array(150).fill(5), 1000, 7);
    expect(() => keysOf(() => true)).toThrow(UnwantedError);
    expect(read).toHaveLength(7);
  });

  it("is read, each text once", () => {
    const { keysOf, read, budget } = verifier(Array(150).fill(5), 1000);
    expect(keysOf((text) => text.endsWith("7"))).toEqual([
      7, 17, 27, 37, 47, 57, 67, 77, 87, 97, 107, 117, 127, 137, 147,
    ]);
    expect(new Set(read).size).toBe(150);
    expect(budget.isComplete).toBe(true);
  });

  it("is read of the newest documents where they are too many, and then no more", () => {
    const times = Array.from({ length: 5000 }, (_, n) => (n % 10 === 3 ? null : n));
    const { keysOf, read, budget } = verifier(times, 1000);
    const newest = times.flatMap((time, key) => (time === null ? [] : [key])).slice(-4000);
    expect(keysOf(() => true)).toEqual(newest);
    expect(read).toHaveLength(4000);
    expect(keysOf(() => true)).toEqual([]);
    expect(read).toHaveLength(4000);
    expect(budget.isComplete).toBe(false);
  });

  it("is taken for a match where it was not read and is to be excluded", () => {
    const { keysOf, read, budget } = verifier(
      Array.from({ length: 4050 }, (_, n) => n),
      1000,
    );
    expect(keysOf(() => false, "in")).toEqual(Array.from({ length: 50 }, (_, n) => n));
    expect(read).toHaveLength(4000);
    expect(budget.isComplete).toBe(false);
  });

  it("is not read where it is too much", () => {
    const { keysOf, read, budget } = verifier(Array(50).fill(5), 1024 * 1024);
    expect(keysOf(() => true)).toHaveLength(16);
    expect(read).toHaveLength(16);
    expect(budget.isComplete).toBe(false);
  });
});
