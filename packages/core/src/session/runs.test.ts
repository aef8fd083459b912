import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { layOutRuns } from "./runs.ts";
import { branchTo, keptAncestors, keptEntries, withoutCycles } from "./tree.ts";

/** The runs as lists of ordinals; the parent of each, and which are shown. */
function laidOut(parents: number[], silent: number[] = []) {
  const { ordinals, runs } = layOutRuns(Int32Array.from(parents), (ordinal) => !silent.includes(ordinal));
  let start = 0;
  const lists = runs.map(({ count }) => {
    start += count;
    return [...ordinals.subarray(start - count, start)];
  });
  return { lists, parents: runs.map((run) => run.parent), shown: runs.filter((run) => run.shown).length };
}

describe("layOutRuns", () => {
  it.each<[string, number[], number[], number[][], number[], number]>([
    ["nothing", [], [], [], [], 0],
    ["a line", [-1, 0, 1], [], [[0, 1, 2]], [-1], 1],
    ["a line without conversation", [-1, 0, 1], [0, 1, 2], [[0, 1, 2]], [-1], 1],
    ["a fork, the newest branch first", [-1, 0, 1, 0, 3], [], [[0], [3, 4], [1, 2]], [-1, 0, 0], 2],
    [
      "several roots",
      [-1, 0, -1, 2],
      [],
      [
        [2, 3],
        [0, 1],
      ],
      [-1, -1],
      1,
    ],
    [
      "forks of forks, what continues a run right below it",
      [-1, 0, 1, 1, 0, 4, 4, 0],
      [],
      [[0], [7], [1], [2], [3], [4], [5], [6]],
      [-1, 0, 0, 2, 2, 0, 5, 5],
      2,
    ],
    ["a name in the middle that nothing follows", [-1, 0, 1, 1], [2], [[0, 1, 2, 3]], [-1], 1],
    ["labels at the end", [-1, 0, 1, 2], [2, 3], [[0, 1, 2, 3]], [-1], 1],
    ["a label on the run before a fork", [-1, 0, 0, 0], [3], [[0, 3], [2], [1]], [-1, 0, 0], 2],
    ["the branch that the newest label hangs on", [-1, 0, 0, 1], [3], [[0], [1, 3], [2]], [-1, 0, 0], 2],
    ["the newest branch below the newest label", [-1, 0, 1, 1, 0], [4], [[0, 1, 4], [3], [2]], [-1, 0, 0], 2],
    ["settings before the first message", [-1, 0, 1], [0], [[0, 1, 2]], [-1], 1],
    ["a name without a parent", [-1, 0, -1, 1], [2], [[0, 1, 2, 3]], [-1], 1],
    ["a name without a parent at the end", [-1, 0, -1], [2], [[0, 1, 2]], [-1], 1],
    ["a parent that stands later", [2, 0, -1], [], [[2, 0, 1]], [-1], 1],
    ["what hangs on a parent that stands later", [1, 2, -1, 1], [0, 3], [[2, 1, 0, 3]], [-1], 1],
    ["a fork below what stands later", [1, 3, 1, -1], [], [[3, 1], [2], [0]], [-1, 0, 0], 2],
  ])("gives %s", (_, parents, silent, lists, parentRuns, shown) => {
    expect(laidOut(parents, silent)).toEqual({ lists, parents: parentRuns, shown });
  });

  it("gives every entry once, in chains, whatever the tree is", () => {
    const anyTree = fc.array(fc.tuple(fc.nat(), fc.boolean()), { maxLength: 40 }).map((entries) => ({
      parents: withoutCycles(Int32Array.from(entries, ([number]) => (number % (entries.length + 1)) - 1)),
      speaks: entries.map(([, isConversation]) => isConversation),
    }));
    fc.assert(
      fc.property(anyTree, ({ parents, speaks }) => {
        const isConversation = (ordinal: number) => speaks[ordinal] === true;
        const { ordinals, runs } = layOutRuns(parents, isConversation);
        expect([...ordinals].sort((a, b) => a - b)).toEqual([...parents.keys()]);

        const kept = keptEntries(parents, isConversation);
        const anchors = keptAncestors(parents, kept);
        const lastKept: number[] = [];
        const placeOf = new Map([...ordinals].map((ordinal, place) => [ordinal, place]));
        let start = 0;
        for (const [at, run] of runs.entries()) {
          expect(run.count).toBeGreaterThan(0);
          expect(run.parent).toBeLessThan(at);
          const all = [...ordinals.subarray(start, start + run.count)];
          start += run.count;
          const chain = all.filter((ordinal) => kept[ordinal] === 1);
          for (const [place, ordinal] of chain.entries()) {
            const before = place === 0 ? (lastKept[run.parent] ?? -1) : chain[place - 1];
            expect(parents[ordinal]).toBe(before);
          }
          lastKept.push(chain.at(-1) ?? -1);
          for (const aside of all.filter((ordinal) => kept[ordinal] === 0)) {
            const anchor = anchors[aside] ?? -1;
            if (anchor < 0) expect(at).toBe(0);
            else expect(chain).toContain(anchor);
            expect(placeOf.get(anchor) ?? -1).toBeLessThan(placeOf.get(aside) ?? -1);
          }
        }
        expect(start).toBe(ordinals.length);

        // What is shown is one whole branch, and comes first.
        const shown = runs.filter((run) => run.shown);
        expect(runs.slice(0, shown.length)).toEqual(shown);
        expect(shown.map((run) => run.parent)).toEqual(shown.map((_, at) => at - 1));
        const end = lastKept[shown.length - 1] ?? -1;
        expect(parents.some((parent, ordinal) => kept[ordinal] === 1 && parent === end && end >= 0)).toBe(false);
        const newestAnchor = anchors.at(-1) ?? -1;
        if (newestAnchor >= 0) expect([...branchTo(parents, end)]).toContain(newestAnchor);
        // Two runs are two because something forks there.
        for (const [at, run] of runs.entries()) {
          const siblings = runs.filter((other) => other.parent === run.parent);
          if (run.parent >= 0) expect(siblings.length, `run ${at}`).toBeGreaterThan(1);
        }
      }),
      { numRuns: 500 },
    );
  });

  it.each<[string, (ordinal: number) => number, number]>([
    ["a chain of 500,000", (ordinal) => ordinal - 1, 1],
    ["500,000 roots", () => -1, 500_000],
    ["100,000 continuations of one entry", (ordinal) => (ordinal === 0 ? -1 : 0), 100_001],
    ["50,000 forks, one below the other", (ordinal) => (ordinal % 2 === 0 ? ordinal - 2 : ordinal - 1), 100_001],
  ])("takes %s", (name, parentOf, count) => {
    const length = name.includes("500,000") ? 500_000 : 100_001;
    const parents = Int32Array.from({ length }, (_, ordinal) => Math.max(-1, parentOf(ordinal)));
    const { ordinals, runs } = layOutRuns(parents, () => true);
    expect(runs).toHaveLength(count);
    expect(new Set(ordinals).size).toBe(length);
  });

  it("takes 200,000 names in one run", () => {
    const parents = Int32Array.from({ length: 400_000 }, (_, ordinal) => ordinal - (ordinal % 2 === 0 ? 2 : 1));
    parents[0] = -1;
    const { ordinals, runs } = layOutRuns(parents, (ordinal) => ordinal % 2 === 0);
    expect(runs).toEqual([{ parent: -1, count: 400_000, shown: true }]);
    expect([...ordinals.subarray(0, 6)]).toEqual([0, 1, 2, 3, 4, 5]);
  });
});
