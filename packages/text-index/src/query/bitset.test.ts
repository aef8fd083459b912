import fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  add,
  type Bitset,
  countOf,
  documentsOf,
  emptyBitset,
  fillRange,
  fullBitset,
  has,
  hasAtLeast,
  intersect,
  isEmpty,
  remove,
  subtract,
  unite,
} from "./bitset.ts";

const COUNT = 100;
const documents = fc.uniqueArray(fc.nat(COUNT - 1));

function bitsetOf(members: number[]): Bitset {
  const bits = emptyBitset(COUNT);
  for (const member of members) add(bits, member);
  return bits;
}

const ascending = (members: Iterable<number>) => [...members].sort((a, b) => a - b);

describe("a bitset", () => {
  it("holds what a set holds", () => {
    fc.assert(
      fc.property(documents, documents, (added, removed) => {
        const set = new Set(added);
        const bits = bitsetOf(added);
        for (const member of removed) {
          set.delete(member);
          remove(bits, member);
        }
        expect([...documentsOf(bits)]).toEqual(ascending(set));
        expect(countOf(bits)).toBe(set.size);
        expect(isEmpty(bits)).toBe(set.size === 0);
        for (let member = 0; member < COUNT; member++) expect(has(bits, member)).toBe(set.has(member));
      }),
    );
  });

  it("tells whether it holds so many, wherever they are", () => {
    const anyMembers = fc.uniqueArray(fc.nat(29_999), { maxLength: 40 });
    fc.assert(
      fc.property(anyMembers, fc.nat(45), (members, least) => {
        const bits = emptyBitset(30_000);
        for (const member of members) add(bits, member);
        expect(hasAtLeast(bits, least)).toBe(members.length >= least);
        expect(hasAtLeast(bits, least + 0.5)).toBe(members.length >= least + 0.5);
      }),
    );
  });

  it("is united, intersected and subtracted as sets are", () => {
    fc.assert(
      fc.property(documents, documents, (some, others) => {
        const after = (change: (bits: Bitset, other: Bitset) => void) => {
          const bits = bitsetOf(some);
          change(bits, bitsetOf(others));
          return [...documentsOf(bits)];
        };
        expect(after(unite)).toEqual(ascending(new Set([...some, ...others])));
        expect(after(intersect)).toEqual(ascending(some.filter((member) => others.includes(member))));
        expect(after(subtract)).toEqual(ascending(some.filter((member) => !others.includes(member))));
      }),
    );
  });

  it("takes ranges", () => {
    fc.assert(
      fc.property(fc.nat(COUNT), fc.nat(COUNT), (start, end) => {
        const bits = emptyBitset(COUNT);
        fillRange(bits, start, end);
        const range = Array.from({ length: Math.max(0, end - start) }, (_, place) => start + place);
        expect([...documentsOf(bits)]).toEqual(range);
      }),
    );
  });

  it.each([0, 1, 31, 32, 33, 64])("has all of %i documents and none beyond", (count) => {
    expect(countOf(fullBitset(count))).toBe(count);
    expect([...documentsOf(fullBitset(count))]).toEqual(Array.from({ length: count }, (_, member) => member));
  });
});
