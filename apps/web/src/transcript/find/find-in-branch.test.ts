import type { EntriesPage, JsonObject } from "@sm/core";
import { describe, expect, it } from "vitest";
import { type Findings, findInBranch, firstMatchFrom, matchAt } from "./find-in-branch.ts";
import { findPattern } from "./pattern.ts";

function branch(texts: string[]) {
  const ids = texts.map((_, place) => `e${place}`);
  const loads: number[] = [];
  const load = async ({ leafId, limit }: { leafId: string; limit: number }): Promise<EntriesPage> => {
    const to = ids.indexOf(leafId) + 1;
    const from = Math.max(0, to - limit);
    loads.push(to - from);
    const entries = texts.slice(from, to).map((text): JsonObject => ({ text }));
    return {
      header: null,
      entries,
      leaf_id: leafId,
      leaves: [],
      labels: {},
      total: to,
      has_more_before: false,
      has_more_after: false,
    };
  };
  return { ids, loads, load };
}

async function findAll(texts: string[], query: string, expectedSize = 100) {
  const { ids, loads, load } = branch(texts);
  const pattern = findPattern(query);
  if (pattern === null) throw new Error("nothing to find");
  const told: Findings[] = [];
  const textsOf = (entry: JsonObject) => [String(entry.text)];
  const { signal } = new AbortController();
  for await (const findings of findInBranch({ ids, pattern, load, textsOf, expectedSize, signal })) told.push(findings);
  return { told, loads, last: told.at(-1) };
}

describe("findPattern", () => {
  it.each([
    ["Foo", "a foo and FOO", 2],
    ["a  b", "a\n b", 1],
    ["f(x) + [y]", "f(x) + [y]", 1],
    ["\\d", "1 \\d", 1],
    ["straße", "STRAẞE", 1],
  ])("%s is in %j %d times", (query, text, count) => {
    expect([...text.matchAll(findPattern(query) ?? /$^/g)].length).toBe(count);
  });

  it.each(["", "  "])("%j is nothing to find", (query) => {
    expect(findPattern(query)).toBeNull();
  });
});

describe("findInBranch", () => {
  it("finds everything, in the order of the branch, page by page", async () => {
    const texts = Array.from({ length: 2_500 }, (_, place) => (place % 1_000 === 7 ? "needle needle" : "hay"));
    const { told, loads, last } = await findAll(texts, "needle");
    expect(last).toEqual({
      entries: [7, 1_007, 2_007].map((place) => ({ place, id: `e${place}`, count: 2 })),
      count: 6,
      scanned: 2_500,
      isComplete: true,
    });
    expect(loads).toEqual([1_000, 1_000, 500]);
    expect(told[0]?.isComplete).toBe(false);
  });

  it("takes small pages of large entries", async () => {
    const { loads } = await findAll(new Array(6).fill("x".repeat(200_000)), "y", 200_000);
    expect(Math.max(...loads)).toBeLessThanOrEqual(2);
  });

  it("ends where there is more than anybody can look at", async () => {
    const { last } = await findAll(new Array(30).fill("a ".repeat(5_000)), "a", 200_000);
    expect(last?.scanned).toBeLessThan(30);
    expect(last?.isComplete).toBe(true);
  });

  it("says nothing after it was aborted", async () => {
    const { ids, load } = branch(["a", "a"]);
    const controller = new AbortController();
    const pattern = /a/giu;
    const finding = findInBranch({
      ids,
      pattern,
      load: async (request) => {
        controller.abort();
        return load(request);
      },
      textsOf: () => ["a"],
      expectedSize: 1,
      signal: controller.signal,
    });
    expect(await finding.next()).toEqual({ value: undefined, done: true });
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
