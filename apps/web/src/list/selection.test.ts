import fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  clearSelection,
  extendTo,
  focusRow,
  moveBy,
  NO_SELECTION,
  pruneSelection,
  type Selection,
  selectAll,
  toggleRow,
  toggleTo,
} from "./selection.ts";

const PATHS = ["a", "b", "c", "d", "e"];

const at = (active: string | null, anchor = active, selected: string[] = []): Selection => ({
  active,
  anchor,
  selected: new Set(selected),
});

describe("moving", () => {
  it.each([
    [null, 1, "a"],
    [null, -1, "e"],
    ["b", 1, "c"],
    ["b", -1, "a"],
    ["a", -1, "a"],
    ["e", 1, "e"],
    ["b", 100, "e"],
    ["gone", 1, "a"],
  ])("from %s by %d is at %s", (from, by, to) => {
    expect(moveBy(at(from), PATHS, by, false)).toEqual(at(to));
  });

  it("goes nowhere in an empty list", () => {
    expect(moveBy(NO_SELECTION, [], 1, true)).toBe(NO_SELECTION);
  });

  it("with shift chooses from the anchor on, and fewer on the way back", () => {
    const three = moveBy(moveBy(at("b"), PATHS, 1, true), PATHS, 1, true);
    expect(three).toEqual(at("d", "b", ["b", "c", "d"]));
    expect(moveBy(three, PATHS, -3, true)).toEqual(at("a", "b", ["a", "b"]));
  });
});

describe("choosing", () => {
  it("toggles single rows, and extends from the last one", () => {
    const two = toggleRow(toggleRow(NO_SELECTION, "a"), "d");
    expect(two).toEqual(at("d", "d", ["a", "d"]));
    expect(toggleRow(two, "a")).toEqual(at("a", "a", ["d"]));
    expect(extendTo(two, PATHS, "b")).toEqual(at("b", "d", ["b", "c", "d"]));
  });

  it("toggles all rows from the last one on, and leaves those beyond", () => {
    const far = toggleRow(toggleRow(NO_SELECTION, "e"), "a");
    expect(toggleTo(far, PATHS, "c")).toEqual(at("c", "a", ["e", "a", "b", "c"]));
    const all = selectAll(focusRow(NO_SELECTION, "b"), PATHS);
    expect(toggleTo(all, PATHS, "d")).toEqual(at("d", "b", ["a", "e"]));
    expect(toggleTo(NO_SELECTION, PATHS, "c")).toEqual(at("c", "c", ["c"]));
  });

  it("extends from the row itself where the anchor is gone", () => {
    expect(extendTo(at("x", "x"), PATHS, "c")).toEqual(at("c", "c", ["c"]));
  });

  it("chooses all and none", () => {
    const all = selectAll(focusRow(NO_SELECTION, "b"), PATHS);
    expect([...all.selected]).toEqual(PATHS);
    expect(clearSelection(all)).toEqual(at("b"));
  });
});

it("forgets what is gone, and nothing else", () => {
  expect(pruneSelection(at("a", "b", ["a", "c"]), (path) => path !== "a")).toEqual(at(null, "b", ["c"]));
  expect(pruneSelection(at("b"), (path) => path !== "b", PATHS)).toEqual(at("c"));
  expect(pruneSelection(at("e"), (path) => path < "d", PATHS)).toEqual(at("c"));
  const kept = at("a", "b", ["c"]);
  expect(pruneSelection(kept, () => true)).toBe(kept);
});

it("whatever is done, what is chosen is a part of the list", () => {
  const path = fc.constantFrom(...PATHS, "gone");
  const step = fc.oneof(
    fc.tuple(fc.integer({ min: -9, max: 9 }), fc.boolean()).map(
      ([by, extend]) =>
        (now: Selection) =>
          moveBy(now, PATHS, by, extend),
    ),
    path.map((to) => (now: Selection) => extendTo(now, PATHS, to)),
    fc.constantFrom(...PATHS).map((to) => (now: Selection) => toggleRow(now, to)),
  );
  fc.assert(
    fc.property(fc.array(step), (steps) => {
      const end = steps.reduce((now, apply) => apply(now), NO_SELECTION);
      expect(PATHS).toEqual(expect.arrayContaining([...end.selected].filter((one) => one !== "gone")));
    }),
  );
});
