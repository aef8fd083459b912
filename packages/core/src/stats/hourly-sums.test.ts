import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { NumberRoom } from "./hourly-sums.ts";

describe("NumberRoom", () => {
  it("keeps arrays apart, whatever their lengths", () => {
    fc.assert(
      fc.property(fc.array(fc.array(fc.double(), { maxLength: 12 })), fc.nat(20), (arrays, size) => {
        const room = new NumberRoom(size);
        const given = new Float64Array(12);
        const kept = arrays.map((numbers) => {
          given.set(numbers);
          return room.keep(given.subarray(0, numbers.length));
        });
        given.fill(0);
        expect(kept.map((numbers) => [...numbers])).toEqual(arrays);
      }),
    );
  });
});
