import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { OutputOrder, type OutputStep } from "./output-order.ts";

const output = (seq: number) => ({ seq, data: `${seq};` });

describe("OutputOrder", () => {
  it("leaves out what the answer holds already", () => {
    const order = new OutputOrder();
    order.begin();
    expect([1, 2, 3].map((seq) => order.take(output(seq)).type)).toEqual(["wait", "wait", "wait"]);
    expect(order.attached(2)).toEqual([{ type: "write", output: output(3) }]);
    expect(order.take(output(3)).type).toBe("wait");
    expect(order.take(output(4))).toEqual({ type: "write", output: output(4) });
  });

  it("sees that something is missing", () => {
    const order = new OutputOrder();
    order.attached(2);
    expect(order.take(output(4))).toEqual({ type: "attach" });
  });

  it("shows each output once and in order, wherever the answer falls and whatever is lost", () => {
    const event = fc.oneof(fc.constant("output"), fc.constant("lost"), fc.constant("answer"));
    fc.assert(
      fc.property(fc.array(event), (events) => {
        const order = new OutputOrder();
        let written = 0;
        let shown = 0;
        let isAsked = true;
        const follow = (step: OutputStep) => {
          if (step.type === "write") {
            expect(step.output.seq).toBe(shown + 1);
            shown = step.output.seq;
          } else if (step.type === "attach") {
            order.begin();
            isAsked = true;
          }
        };
        for (const name of [...events, "output", "answer"]) {
          if (name !== "answer") written++;
          if (name === "output") follow(order.take(output(written)));
          if (name !== "answer" || !isAsked) continue;
          isAsked = false;
          shown = written;
          order.attached(written).map(follow);
        }
        expect(shown).toBe(written);
      }),
    );
  });
});
