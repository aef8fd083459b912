import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { Fifo } from "./fifo.ts";

const action = fc.oneof(
  { weight: 3, arbitrary: fc.record({ type: fc.constant("push" as const), item: fc.nat({ max: 9 }) }) },
  { weight: 2, arbitrary: fc.record({ type: fc.constant("shift" as const) }) },
  { weight: 1, arbitrary: fc.record({ type: fc.constant("keep" as const), below: fc.nat({ max: 9 }) }) },
);

describe("Fifo", () => {
  it("is what an array is", () => {
    fc.assert(
      fc.property(fc.array(action), (actions) => {
        const fifo = new Fifo<number>();
        let model: number[] = [];
        for (const step of actions) {
          if (step.type === "push") {
            fifo.push(step.item);
            model.push(step.item);
          } else if (step.type === "shift") {
            expect(fifo.shift()).toBe(model.shift());
          } else {
            fifo.keep((item) => item < step.below);
            model = model.filter((item) => item < step.below);
          }
          expect([...fifo]).toEqual(model);
          expect([fifo.length, fifo.first]).toEqual([model.length, model[0]]);
        }
      }),
    );
  });
});
