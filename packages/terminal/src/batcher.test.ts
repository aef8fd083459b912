import fc from "fast-check";
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { OutputBatcher } from "./batcher.ts";

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

function openBatcher() {
  const batches: string[] = [];
  const states: string[] = [];
  const batcher = new OutputBatcher((data, state) => {
    batches.push(data);
    states.push(state);
  });
  return { batcher, batches, states };
}

it("hands on what comes after a pause at once, and what comes next in batches of five milliseconds", () => {
  const { batcher, batches } = openBatcher();
  batcher.write("a");
  batcher.write("b");
  vi.advanceTimersByTime(1);
  expect(batches).toEqual(["ab"]);
  batcher.write("c");
  vi.advanceTimersByTime(3);
  batcher.write("d");
  expect(batches).toEqual(["ab"]);
  vi.advanceTimersByTime(1);
  expect(batches).toEqual(["ab", "cd"]);
  vi.advanceTimersByTime(5);
  batcher.write("e");
  vi.advanceTimersByTime(1);
  expect(batches).toEqual(["ab", "cd", "e"]);
});

it("hands on much at once", () => {
  const { batcher, batches } = openBatcher();
  const piece = "x".repeat(40_000);
  for (let written = 0; written < 5; written++) batcher.write(piece);
  expect(batches.map(({ length }) => length)).toEqual([80_000, 80_000]);
  batcher.end();
  expect(batches.join("")).toHaveLength(200_000);
});

it("hands on what is complete when it is asked to", () => {
  const { batcher, batches } = openBatcher();
  batcher.flush();
  batcher.write("red\x1b[3");
  batcher.flush();
  batcher.flush();
  expect(batches).toEqual(["red"]);
  batcher.write("1m");
  vi.advanceTimersByTime(5);
  expect(batches).toEqual(["red", "\x1b[31m"]);
});

it("keeps what is not complete until it is, or until nothing more comes", () => {
  const { batcher, batches } = openBatcher();
  batcher.write("red\x1b[3");
  vi.advanceTimersByTime(1_000);
  expect(batches).toEqual(["red"]);
  batcher.write("1mtext\x1b]0;ti");
  vi.advanceTimersByTime(1_000);
  expect(batches).toEqual(["red", "\x1b[31mtext"]);
  batcher.end();
  expect(batches).toEqual(["red", "\x1b[31mtext", "\x1b]0;ti"]);
  expect(vi.getTimerCount()).toBe(0);
});

it("hands on a long sequence in parts, and says so", () => {
  const { batcher, batches, states } = openBatcher();
  const part = "#".repeat(40_000);
  for (const piece of ["\x1bPq", part, part, part, part, "\x1b\\text"]) batcher.write(piece);
  batcher.end();
  expect(batches.map(({ length }) => length)).toEqual([80_003, 80_000, 6]);
  expect(states).toEqual(["text", "dcs string", "dcs string"]);
});

it("loses and reorders nothing", () => {
  const piece = fc.oneof(
    fc.string({ unit: fc.constantFrom("a", "\x1b", "[", "1", "m", "]", "\x07", "\\") }),
    fc.constantFrom("x".repeat(50_000), "\x1b]0;", "\x1bP"),
  );
  const step = fc.tuple(piece, fc.nat({ max: 8 }));
  fc.assert(
    fc.property(fc.array(step), (steps) => {
      const { batcher, batches } = openBatcher();
      for (const [text, milliseconds] of steps) {
        batcher.write(text);
        vi.advanceTimersByTime(milliseconds);
      }
      batcher.end();
      expect(batches.join("")).toBe(steps.map(([text]) => text).join(""));
      expect(batches).not.toContain("");
    }),
  );
});
