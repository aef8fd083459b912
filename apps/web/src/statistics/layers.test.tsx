import { beforeAll, expect, it } from "vitest";
import { withTexts } from "../i18n/locale.ts";
import { projectName } from "../projects/project-name.ts";
import { bucketsOf } from "./buckets.ts";
import { amountAt, amountTextAt, layersOf, partsTextAt, stackedLayers } from "./layers.ts";
import { dayOfUse, sumOf } from "./usage.fixture.ts";

beforeAll(async () => void (await withTexts(async () => null)()));

const DAYS = [dayOfUse("2026-03-01", 300, 3), dayOfUse("2026-03-02", 30, null)];
const GRID = {
  ...bucketsOf(DAYS, { first: "2026-03-01", last: "2026-03-02" }, "2026-03-02"),
  projectOf: projectName,
};

function stack(name: string | null, amounts: Record<string, [tokens: number, cost: number | null]>, is_rest = false) {
  const by_day = Object.entries(amounts).map(([date, [tokens, cost]]) => ({ date, ...sumOf(tokens, cost) }));
  return { name, is_rest, by_day };
}

it("tokens are told apart by their kinds, other measures are one", () => {
  const kinds = layersOf(GRID.buckets, "tokens");
  expect(kinds.map(({ key }) => key)).toEqual(["cache_read", "cache_write", "input", "output"]);
  expect(kinds[2]?.amounts).toEqual([300, 30]);
  expect(layersOf(GRID.buckets, "cost").map(({ amounts }) => amounts)).toEqual([[3, null]]);
});

it("what is left out counts for nothing", () => {
  const kinds = layersOf(GRID.buckets, "tokens");
  expect(amountTextAt(kinds, 0, "tokens")).toBe("300 tokens");
  expect(
    amountTextAt(
      kinds.filter(({ key }) => key !== "input"),
      0,
      "tokens",
    ),
  ).toBe("0 tokens");
  expect(amountAt([], 0)).toBe(0);
});

it("the largest are shown by name, in the measure that is chosen, and the others as one", () => {
  const day = "2026-03-01";
  const stacks = [
    ...Array.from({ length: 8 }, (_, place) => stack(`/p${place}`, { [day]: [100 - place, place] })),
    stack(null, { [day]: [1, 0.5] }, true),
  ];
  const names = (measure: "tokens" | "cost") =>
    stackedLayers(stacks, "project", { ...GRID, measure }).map(({ name, amounts }) => [name, amounts[0]]);
  expect(names("tokens")).toEqual([
    ...["p0", "p1", "p2", "p3", "p4", "p5"].map((name, place) => [name, 100 - place]),
    ["Others", 94 + 93 + 1],
  ]);
  expect(names("cost")).toEqual([
    ...["p7", "p6", "p5", "p4", "p3", "p2"].map((name, place) => [name, 7 - place]),
    ["Others", 1 + 0 + 0.5],
  ]);
});

it("what has no name is no other", () => {
  const stacks = [stack(null, { "2026-03-01": [1, 1] }), stack("/others", { "2026-03-01": [1, 1] })];
  const layers = stackedLayers(stacks, "project", { ...GRID, measure: "cost" });
  expect(layers.map(({ key, name }) => [key, name])).toEqual([
    ["none", "No directory"],
    ["=/others", "others"],
  ]);
  expect(stackedLayers([stack("codex", {})], "agent", { ...GRID, measure: "cost" })[0]?.name).toBe("Codex");
});

it("an unknown cost is none, and stays unknown where nothing else is known", () => {
  const stacks = [
    stack("a", { "2026-03-01": [10, 2], "2026-03-02": [10, null] }),
    stack("b", { "2026-03-01": [10, null] }),
  ];
  const layers = stackedLayers(stacks, "model", { ...GRID, measure: "cost" });
  expect(amountAt(layers, 0)).toBe(2);
  expect(amountTextAt(layers, 0, "cost")).toBe("$2.00");
  expect(amountAt(layers.slice(0, 1), 1)).toBeNull();
  expect(partsTextAt(layers, 0, "cost")).toBe("a $2.00");
});
