import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { OUTLINE_CHUNK, Outline, type OutlineEntry } from "./outline.ts";

const entry = fc.record<OutlineEntry>({
  offset: fc.nat(2 ** 40),
  length: fc.nat(2 ** 31),
  parent: fc.integer({ min: -1, max: 5000 }),
  timestamp: fc.oneof(fc.constant(Number.NaN), fc.integer({ min: -6.2e13, max: 2.5e14 })),
  id: fc.oneof(
    fc.string({ unit: "grapheme" }),
    fc.constantFrom("0a1b2c3d", "ffffffff", "00000000", "\ud800", 'a"b\\c\n'),
  ),
  role: fc.constantFrom("user", "assistant", "tool", "bash", "custom", "system", "name", "label", null),
  conversation: fc.boolean(),
  hasText: fc.boolean(),
  model: fc.oneof(fc.nat(2), fc.nat(2 ** 31)),
});

function outlineOf(entries: OutlineEntry[]): Outline {
  const outline = new Outline();
  for (const one of entries) outline.add(one);
  return outline;
}

function chunksOf(outline: Outline): Uint8Array[] {
  const chunks: Uint8Array[] = [];
  for (let first = 0; first < outline.count; first += OUTLINE_CHUNK) chunks.push(outline.encodeChunk(first));
  return chunks;
}

const entriesOf = (outline: Outline) => Array.from({ length: outline.count }, (_, ordinal) => outline.at(ordinal));

describe("Outline", () => {
  it("is the same after it was encoded and decoded", () => {
    fc.assert(
      fc.property(fc.array(fc.tuple(entry, fc.boolean()), { maxLength: 40 }), (drawn) => {
        const entries: OutlineEntry[] = [];
        for (const [one, follows] of drawn) {
          const before = entries.at(-1);
          const offset = before === undefined ? 0 : before.offset + before.length + 1;
          entries.push(follows ? { ...one, offset, parent: entries.length - 1 } : one);
        }
        expect(entriesOf(Outline.decode(chunksOf(outlineOf(entries))))).toEqual(entries);
      }),
    );
  });

  it("finds an entry in its chunk alone", () => {
    const entries = fc.sample(entry, { numRuns: OUTLINE_CHUNK * 2 + 7, seed: 1 });
    const chunks = chunksOf(outlineOf(entries));
    expect(chunks).toHaveLength(3);
    const ordinal = OUTLINE_CHUNK + 3;
    const alone = Outline.decodeAlone(chunks[1] ?? new Uint8Array(), OUTLINE_CHUNK);
    expect(alone.at(ordinal - OUTLINE_CHUNK)).toEqual(entries[ordinal]);
  });

  it("knows which chunks are not as they were decoded", () => {
    const ids = Array.from({ length: OUTLINE_CHUNK * 3 }, (_, ordinal) => `id ${ordinal}`);
    const entries = fc
      .sample(entry, { numRuns: ids.length, seed: 2 })
      .map((one, at) => ({ ...one, id: ids[at] ?? "" }));
    expect([...outlineOf(entries).changedChunks()]).toEqual([0, OUTLINE_CHUNK, OUTLINE_CHUNK * 2]);
    const outline = Outline.decode(chunksOf(outlineOf(entries)));
    expect([...outline.changedChunks()]).toEqual([]);
    outline.setParent(3, OUTLINE_CHUNK * 3);
    outline.add({ ...(entries[0] as OutlineEntry), id: "another" });
    expect([...outline.changedChunks()]).toEqual([0, OUTLINE_CHUNK * 3]);
    expect(outline.ordinalOf("id 300")).toBe(300);
    expect(outline.ordinalOf("another")).toBe(OUTLINE_CHUNK * 3);
  });

  it("takes some 10 bytes for an entry of an ordinary session", () => {
    const outline = new Outline();
    for (let ordinal = 0; ordinal < OUTLINE_CHUNK; ordinal++) {
      outline.add({
        offset: 200 + ordinal * 1500,
        length: 1499,
        parent: ordinal - 1,
        timestamp: 1_795_230_458_657 + ordinal * 4_321,
        id: (0xa0000000 + ordinal * 7919).toString(16),
        role: "assistant",
        conversation: true,
        hasText: true,
        model: 1,
      });
    }
    expect(outline.encodeChunk(0).length / OUTLINE_CHUNK).toBeLessThan(11);
  });
});
