import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { branchEnds, branchTo, isOnBranch, withoutCycles } from "./tree.ts";

const anyParents = fc
  .array(fc.nat(), { maxLength: 30 })
  .map((numbers) => Int32Array.from(numbers, (number) => (number % (numbers.length + 1)) - 1));

describe("withoutCycles", () => {
  it.each([
    ["a line", [-1, 0, 1], [-1, 0, 1]],
    ["several roots", [-1, -1, 0], [-1, -1, 0]],
    ["a parent that comes later", [1, -1], [1, -1]],
    ["its own parent", [0], [-1]],
    ["two in a circle", [1, 0], [-1, 0]],
    ["a circle with a tail", [-1, 2, 3, 1, 3], [-1, -1, 3, 1, 3]],
  ])("opens %s", (_, parents, expected) => {
    expect([...withoutCycles(Int32Array.from(parents))]).toEqual(expected);
  });

  it("always ends at a root and changes nothing else", () => {
    fc.assert(
      fc.property(anyParents, (parents) => {
        const opened = withoutCycles(parents);
        for (let start = 0; start < opened.length; start++) {
          expect(branchTo(opened, start).length).toBeLessThanOrEqual(opened.length);
          if (opened[start] !== parents[start]) expect(opened[start]).toBe(-1);
        }
      }),
    );
  });

  it("takes a circle of 300,000 entries", () => {
    const parents = Int32Array.from({ length: 300_000 }, (_, ordinal) => (ordinal + 1) % 300_000);
    expect([...branchTo(withoutCycles(parents), 299_999)]).toEqual([0, 299_999]);
  });
});

describe("isOnBranch", () => {
  it("agrees with the branch", () => {
    fc.assert(
      fc.property(anyParents, fc.nat(30), (anything, wanted) => {
        const parents = withoutCycles(anything);
        for (let leaf = -1; leaf < parents.length; leaf++) {
          expect(isOnBranch(parents, leaf, wanted)).toBe(branchTo(parents, leaf).includes(wanted));
        }
      }),
    );
  });
});

describe("branchEnds", () => {
  const ends = (parents: number[], silent: number[] = []) =>
    branchEnds(Int32Array.from(parents), (ordinal) => !silent.includes(ordinal));

  it.each([
    ["nothing", [], [], []],
    ["a line", [-1, 0, 1], [], [2]],
    ["a fork", [-1, 0, 0], [], [1, 2]],
    ["a label at the end", [-1, 0, 1], [2], [2]],
    ["labels only", [-1, 0], [0, 1], []],
    ["a label in the middle of a branch", [-1, 0, 0], [2], [1]],
    ["a setting before each of two branches", [-1, 0, 0, 1, 2], [0, 1, 2], [3, 4]],
    ["two labels at one end: the newest names the branch", [-1, 0, 0], [1, 2], [2]],
    ["two roots", [-1, -1], [], [0, 1]],
  ])("finds the ends of %s", (_, parents, silent, expected) => {
    expect(ends(parents, silent)).toEqual(expected);
  });

  it("agrees with a plain search for leaves", () => {
    fc.assert(
      fc.property(anyParents, fc.func(fc.boolean()), (anything, isConversation) => {
        const parents = withoutCycles(anything);
        const talks = (ordinal: number) => isConversation(ordinal);
        const below = (ordinal: number): number[] =>
          [...parents.keys()].filter((other) => branchTo(parents, other).includes(ordinal));
        const leaves = [...parents.keys()].filter(
          (ordinal) => talks(ordinal) && !below(ordinal).some((other) => other !== ordinal && talks(other)),
        );
        expect(branchEnds(parents, talks)).toHaveLength(leaves.length);
      }),
      { numRuns: 60 },
    );
  });
});
