import fc from "fast-check";
import { expect, it } from "vitest";
import { NumberedRows } from "./numbered-rows.ts";

it("gives each number a row of its own, and all in the order of the numbers", () => {
  fc.assert(
    fc.property(fc.array(fc.integer({ min: -1_000, max: 1_000 })), (numbers) => {
      const model = new Map<number, number>();
      let rows = 0;
      const numbered = new NumberedRows(() => rows++);
      for (const number of numbers) {
        const row = model.get(number) ?? model.size;
        model.set(number, row);
        expect(numbered.at(number)).toBe(row);
      }
      expect([...numbered.inOrder()]).toEqual([...model].sort(([a], [b]) => a - b));
    }),
  );
});
