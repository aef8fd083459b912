import { expect, it } from "vitest";
import { KnownLines } from "./known-lines.ts";

const lineOf = (length: number) => new Uint8Array(length).fill(7);
const place = (offset: number, length: number) => ({ content: 1, offset, length });

it("knows whole lines, each as long as it was read", () => {
  const lines = new KnownLines(1024 * 1024);
  lines.add(place(0, 10), lineOf(10));
  lines.add(place(10, 10), lineOf(9));
  const known = [place(0, 10), place(10, 10), place(0, 9), { ...place(0, 10), content: 2 }].map((one) =>
    lines.get(one),
  );
  expect(known).toEqual([lineOf(10), null, null, null]);
});

it("forgets the lines that were read longest ago, and keeps none that would take the room of many", () => {
  const lines = new KnownLines(1024 * 1024);
  for (let at = 0; at < 100; at++) {
    lines.get(place(0, 20_000));
    lines.add(place(at * 20_000, 20_000), lineOf(20_000));
  }
  lines.add(place(9_000_000, 300_000), lineOf(300_000));
  expect(lines.bytes).toBeLessThanOrEqual(1024 * 1024);
  const known = [place(0, 20_000), place(20_000, 20_000), place(99 * 20_000, 20_000), place(9_000_000, 300_000)];
  expect(known.map((one) => lines.get(one)?.length)).toEqual([20_000, undefined, 20_000, undefined]);
});
