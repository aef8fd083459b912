import type { JsonValue } from "@sm/core";
import type { ConfigDifference } from "@sm/router";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { differencesBetween } from "./difference.ts";

/** Does to a value what the differences tell. Arrays differ in length at their ends only. */
function applied(value: JsonValue, differences: ConfigDifference[]): JsonValue {
  const root: Record<string, JsonValue> = { "": structuredClone(value) };
  const removals = differences.filter(({ kind }) => kind === "removed").reverse();
  for (const { path, kind, to } of [...removals, ...differences.filter(({ kind }) => kind !== "removed")]) {
    const keys = path.split("/").map((key) => key.replaceAll("~1", "/").replaceAll("~0", "~"));
    const last = keys.pop() ?? "";
    let parent = root;
    for (const key of keys) parent = parent[key] as Record<string, JsonValue>;
    if (kind !== "removed") parent[last] = to;
    else if (Array.isArray(parent)) parent.pop();
    else delete parent[last];
  }
  return root[""] ?? null;
}

describe("differencesBetween", () => {
  it.each<[JsonValue, JsonValue, ConfigDifference[]]>([
    [{ a: 1 }, { a: 1 }, []],
    [1, 2, [{ path: "", kind: "changed", from: 1, to: 2 }]],
    [
      { a: 1 },
      { b: null },
      [
        { path: "/a", kind: "removed", from: 1, to: null },
        { path: "/b", kind: "added", from: null, to: null },
      ],
    ],
    [{ "a/b": { "~": 1 } }, { "a/b": { "~": 2 } }, [{ path: "/a~1b/~0", kind: "changed", from: 1, to: 2 }]],
    [
      { a: [1, 2] },
      { a: [1, 3, 4] },
      [
        { path: "/a/1", kind: "changed", from: 2, to: 3 },
        { path: "/a/2", kind: "added", from: null, to: 4 },
      ],
    ],
    [{ a: [1] }, { a: { 0: 1 } }, [{ path: "/a", kind: "changed", from: [1], to: { 0: 1 } }]],
  ])("from %j to %j", (from, to, expected) => {
    expect(differencesBetween(from, to)).toEqual(expected);
  });

  it("tells all that it takes to make one of the other", () => {
    const value = fc.letrec((tie) => ({
      any: fc.oneof({ maxDepth: 3 }, fc.integer({ min: 0, max: 3 }), fc.constant(null), tie("list"), tie("object")),
      list: fc.array(tie("any"), { maxLength: 3 }),
      object: fc.dictionary(fc.constantFrom("a", "b", "~", "/", "a/b"), tie("any"), { maxKeys: 3 }),
    })).object as fc.Arbitrary<JsonValue>;
    fc.assert(
      fc.property(value, value, (from, to) => {
        expect(applied(from, differencesBetween(from, to))).toEqual(to);
      }),
    );
  });
});
