import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { DocumentSets } from "./document-sets.ts";

describe("sets of documents", () => {
  it("gives way to those that were asked for later", () => {
    const sets = new DocumentSets(12);
    for (const name of ["a", "b", "c"]) sets.keep(name, new Uint32Array(1));
    sets.find("a");
    sets.keep("d", new Uint32Array(1));
    expect(["a", "b", "c", "d"].map((name) => sets.find(name) !== null)).toEqual([true, false, true, true]);
    sets.keep("e", new Uint32Array(3));
    expect(["a", "c", "d", "e"].map((name) => sets.find(name) !== null)).toEqual([false, false, false, true]);
    sets.keep("f", new Uint32Array(4));
    expect(["e", "f"].map((name) => sets.find(name) !== null)).toEqual([true, false]);
    sets.clear();
    expect(sets.find("e")).toBeNull();
  });

  it("never takes more bytes than it may", () => {
    const anySizes = fc.array(fc.nat(40), { maxLength: 50 });
    fc.assert(
      fc.property(fc.nat(200), anySizes, (mostBytes, sizes) => {
        const sets = new DocumentSets(mostBytes);
        for (const [name, size] of sizes.entries()) sets.keep(`${name}`, new Uint32Array(size));
        const kept = sizes.map((_, name) => sets.find(`${name}`)?.byteLength ?? 0);
        expect(kept.reduce((sum, bytes) => sum + bytes, 0)).toBeLessThanOrEqual(mostBytes);
      }),
    );
  });
});
