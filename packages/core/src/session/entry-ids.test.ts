import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { EntryIds } from "./entry-ids.ts";
import { ByteReader, ByteWriter } from "./varint.ts";

const hexId = fc.nat(2 ** 32 - 1).map((value) => value.toString(16).padStart(8, "0"));
const anyId = fc.oneof(
  hexId,
  fc.uuid(),
  fc.uuid().map((id) => id.toUpperCase()),
  fc.string({ unit: "grapheme", maxLength: 12 }),
  fc.nat().map((place) => `@${place}`),
  fc.constantFrom(
    "",
    "__proto__",
    "0A1B2C3D",
    "0a1b2c3",
    "\ud800",
    "\udc00",
    'a"b\\c\n',
    "00000000",
    "ffffffff",
    "\u007f",
    "@",
    "@01",
    "@1a",
    "@4294967296",
  ),
);

function idsOf(ids: readonly string[], capacity = 1): EntryIds {
  const made = new EntryIds(capacity);
  for (const id of ids) made.add(id);
  return made;
}

describe("EntryIds", () => {
  it("finds every id, and no other, as often as it is asked", () => {
    fc.assert(
      fc.property(fc.uniqueArray(anyId, { maxLength: 60 }), fc.array(anyId), (ids, others) => {
        const made = idsOf(ids);
        for (let round = 0; round < 3; round++) {
          expect(ids.map((id) => made.ordinalOf(id))).toEqual([...ids.keys()]);
          for (const other of others) expect(made.ordinalOf(other)).toBe(ids.indexOf(other));
        }
        expect(ids.map((_, ordinal) => made.at(ordinal))).toEqual(ids);
      }),
    );
  });

  it("finds what is added later too", () => {
    fc.assert(
      fc.property(fc.uniqueArray(anyId, { maxLength: 60 }), (ids) => {
        const made = new EntryIds(1);
        ids.forEach((id, ordinal) => {
          expect(made.ordinalOf(id)).toBe(-1);
          made.add(id);
          expect(made.ordinalOf(ids[ordinal >> 1] ?? "")).toBe(ordinal >> 1);
        });
      }),
    );
  });

  it("takes 17 bytes and their length for a UUID", () => {
    const out = new ByteWriter(8);
    idsOf(["01a0b36c-e7b0-791e-800d-970ad534e611"]).write(0, out);
    expect(out.bytes()).toHaveLength(18);
  });

  it("is the same after it was written and read", () => {
    fc.assert(
      fc.property(fc.uniqueArray(anyId, { maxLength: 20 }), (ids) => {
        const made = idsOf(ids);
        const out = new ByteWriter(1);
        for (const ordinal of ids.keys()) made.write(ordinal, out);
        const input = new ByteReader(out.bytes());
        const read = new EntryIds(1);
        for (const ordinal of ids.keys()) read.read(input, made.isHex(ordinal));
        expect(input.atEnd).toBe(true);
        expect(ids.map((_, ordinal) => read.at(ordinal))).toEqual(ids);
      }),
    );
  });

  it("takes hundreds of thousands of ids that differ in their high digits only", () => {
    const ids = Array.from({ length: 200_000 }, (_, place) => `${place.toString(16).padStart(5, "0")}000`);
    const made = idsOf(ids);
    const asked = ids.map((id) => made.ordinalOf(id));
    expect(asked.every((ordinal, place) => ordinal === place)).toBe(true);
    expect(made.ordinalOf("fffff000")).toBe(-1);
  });

  it("refuses what it cannot have written", () => {
    expect(() => new EntryIds(1).read(new ByteReader(Uint8Array.of(200, 1, 65)), false)).toThrow(RangeError);
  });
});
