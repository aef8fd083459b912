import type { FindPage } from "@sm/core";
import { describe, expect, it } from "vitest";
import { type Findings, findInBranch, findTogether, firstMatchFrom, matchAt } from "./find-in-branch.ts";

/** Pages of two entries each, of a branch in which the entries at these places have been found, once each. */
function answers(places: readonly number[], total: number, count = 1) {
  const asked: (string | null)[] = [];
  const ask = async (cursor: string | null): Promise<FindPage> => {
    asked.push(cursor);
    const end = cursor === null ? total : Number(cursor);
    const found = places.filter((place) => place < end).slice(-2);
    const from = found.length < 2 ? 0 : (found[0] ?? 0);
    return {
      entries: found.toReversed().map((place) => ({ entry_id: `e${place}`, place, count })),
      leaf_id: "leaf",
      total,
      scanned: total - from,
      next_cursor: from === 0 ? null : String(from),
    };
  };
  return { asked, ask };
}

async function findAll(ask: (cursor: string | null) => Promise<FindPage>, signal = new AbortController().signal) {
  const told: Findings[] = [];
  for await (const findings of findInBranch(ask, signal)) told.push(findings);
  return told;
}

describe("findInBranch", () => {
  it("tells everything in the order of the branch, page by page", async () => {
    const { ask, asked } = answers([7, 20, 33], 40);
    const told = await findAll(ask);
    expect(asked).toEqual([null, "20"]);
    expect(told[0]).toMatchObject({
      entries: [{ id: "e20" }, { id: "e33" }],
      count: 2,
      scanned: 20,
      isComplete: false,
    });
    expect(told[1]).toEqual({
      entries: [7, 20, 33].map((place) => ({ place, id: `e${place}`, count: 1 })),
      count: 3,
      scanned: 40,
      total: 40,
      isComplete: true,
    });
  });

  it("ends where there is more than anybody can look at", async () => {
    const { ask, asked } = answers([1, 2, 3, 4, 5], 10, 6_000);
    expect((await findAll(ask)).at(-1)).toMatchObject({ count: 12_000, isComplete: true });
    expect(asked).toHaveLength(1);
  });

  it("says nothing after it was aborted", async () => {
    const controller = new AbortController();
    const { ask } = answers([1], 10);
    const told = findAll((cursor) => {
      controller.abort();
      return ask(cursor);
    }, controller.signal);
    expect(await told).toEqual([]);
  });
});

it("finds several texts together", async () => {
  const asks = [answers([7, 20, 33], 40), answers([3, 20], 40, 2)].map(({ ask }) => ask);
  const told: Findings[] = [];
  for await (const findings of findTogether(asks, new AbortController().signal)) told.push(findings);
  expect(told[0]).toMatchObject({ count: 6, scanned: 20, isComplete: false });
  expect(told.at(-1)).toEqual({
    entries: [
      { place: 3, id: "e3", count: 2 },
      { place: 7, id: "e7", count: 1 },
      { place: 20, id: "e20", count: 3 },
      { place: 33, id: "e33", count: 1 },
    ],
    count: 7,
    scanned: 40,
    total: 40,
    isComplete: true,
  });
});

describe("matchAt and firstMatchFrom", () => {
  const findings: Findings = {
    entries: [
      { place: 3, id: "e3", count: 2 },
      { place: 9, id: "e9", count: 1 },
    ],
    count: 3,
    scanned: 10,
    total: 10,
    isComplete: true,
  };

  it.each([
    [0, "e3", 0],
    [1, "e3", 1],
    [2, "e9", 0],
  ])("match %d is in %s", (index, id, nth) => {
    expect(matchAt(findings, index)).toMatchObject({ entry: { id }, nth });
  });

  it("begins where somebody looks, and goes round", () => {
    expect([0, 4, 9, 10].map((place) => firstMatchFrom(findings, place))).toEqual([0, 2, 2, 0]);
    expect(matchAt(findings, 3)).toBeNull();
  });
});
