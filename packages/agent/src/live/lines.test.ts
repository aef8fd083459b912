import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { BoundedLines } from "./lines.ts";

const LONGEST = 40;
const HEAD = 7;

/** The lines of a text that comes in pieces of some sizes, each with its whole length. */
function cut(text: Buffer, sizes: readonly number[], isEnough = (_: Buffer) => false): [string, number][] {
  const lines: [string, number][] = [];
  const splitter = new BoundedLines({
    longest: LONGEST,
    head: HEAD,
    isEnough,
    onLine: ({ bytes, length }) => lines.push([bytes.toString("latin1"), length]),
  });
  let start = 0;
  for (let index = 0; start < text.length; index += 1) {
    const size = sizes[index % sizes.length] ?? 1;
    splitter.push(Buffer.from(text.subarray(start, start + size)));
    start += size;
  }
  splitter.end();
  return lines;
}

const text = fc
  .array(fc.oneof(fc.string({ unit: "binary", maxLength: 80 }), fc.constant("\u2028\r"), fc.constant("")))
  .map((lines) => Buffer.from(lines.join("\n")));
const sizes = fc.array(fc.integer({ min: 1, max: 100 }), { minLength: 1 });

describe("BoundedLines", () => {
  it("finds the same lines however the output is cut, and keeps the beginning of a long one", () => {
    fc.assert(
      fc.property(text, sizes, (bytes, pieces) => {
        const lines = bytes.toString("latin1").split("\n");
        if (lines.at(-1) === "") lines.pop();
        const expected = lines.map((line) => [line.length > LONGEST ? line.slice(0, HEAD) : line, line.length]);
        expect(cut(bytes, pieces)).toEqual(expected);
      }),
    );
  });

  it("keeps no more of a line than is enough", () => {
    const bytes = Buffer.from("enough: and more\nnot: all of it\nenough");
    const isEnough = (beginning: Buffer) => beginning.toString().startsWith("enough");
    expect(cut(bytes, [10], isEnough)).toEqual([
      ["enough: an", 16],
      ["not: all of it", 14],
      ["enough", 6],
    ]);
  });

  it("holds no more than the beginning of a line without end", () => {
    const held: number[] = [];
    const lines = new BoundedLines({
      longest: LONGEST,
      head: HEAD,
      isEnough: () => false,
      onLine: ({ bytes, length }) => held.push(bytes.buffer.byteLength, length),
    });
    for (let count = 0; count < 1_000; count += 1) lines.push(Buffer.alloc(1_000, "x"));
    lines.push(Buffer.from("\n"));
    // What the pool of small buffers has beside it does not count.
    expect(held[0]).toBeLessThanOrEqual(Buffer.poolSize);
    expect(held[1]).toBe(1_000_000);
  });
});
