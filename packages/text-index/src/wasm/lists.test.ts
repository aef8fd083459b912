import { expect, it } from "vitest";
import { instantiate } from "./lists.ts";

it.each([2 ** 29, 2 ** 30, 2 ** 31 - 1, -1])("traps when %i terms would take two gigabytes", (termCount) => {
  const { memory, reserve } = instantiate({ lists: { takePostings: () => undefined, takePositions: () => undefined } });
  const before = memory.buffer.byteLength;
  expect(() => reserve(termCount)).toThrow(WebAssembly.RuntimeError);
  expect(memory.buffer.byteLength).toBe(before);
});
