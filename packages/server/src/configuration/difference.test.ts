import { isDeepStrictEqual } from "node:util";
import type { JsonObject, JsonValue } from "@sm/core";
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
    // One more tag before the others.
    [
      {
        tags: [
          { id: "b", name: "sea" },
          { id: "c", name: "tide" },
        ],
      },
      {
        tags: [
          { id: "a", name: "air" },
          { id: "b", name: "sea" },
          { id: "c", name: "tide" },
        ],
      },
      [{ path: "/tags/0", kind: "added", from: null, to: { id: "a", name: "air" } }],
    ],
    // One less, and another with a new name.
    [
      {
        tags: [
          { id: "a", name: "air" },
          { id: "b", name: "sea", color: 1 },
        ],
      },
      { tags: [{ id: "b", name: "ocean" }] },
      [
        { path: "/tags/0", kind: "removed", from: { id: "a", name: "air" }, to: null },
        { path: "/tags/0/name", kind: "changed", from: "sea", to: "ocean" },
        { path: "/tags/1/color", kind: "removed", from: 1, to: null },
      ],
    ],
    // One for another.
    [
      [{ id: 1 }],
      [{ id: 2 }],
      [
        { path: "/0", kind: "removed", from: { id: 1 }, to: null },
        { path: "/0", kind: "added", from: null, to: { id: 2 } },
      ],
    ],
    // Another order alone.
    [
      [{ id: 1 }, { id: 2 }],
      [{ id: 2 }, { id: 1 }],
      [{ path: "", kind: "changed", from: [{ id: 1 }, { id: 2 }], to: [{ id: 2 }, { id: 1 }] }],
    ],
    // Ids that tell nothing apart.
    [
      [
        { id: 1, a: 1 },
        { id: 1, a: 2 },
      ],
      [
        { id: 1, a: 1 },
        { id: 1, a: 3 },
      ],
      [{ path: "/1/a", kind: "changed", from: 2, to: 3 }],
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

  it("points to what was removed in the one, and to everything else in the other", () => {
    const lists = fc.uniqueArray(
      fc.record({ id: fc.integer({ min: 0, max: 5 }), a: fc.array(fc.integer({ min: 0, max: 1 }), { maxLength: 2 }) }),
      { selector: ({ id }) => id, maxLength: 5 },
    );
    fc.assert(
      fc.property(lists, lists, (from, to) => {
        const differences = differencesBetween(from, to);
        expect(differences.length === 0).toBe(isDeepStrictEqual(from, to));
        for (const difference of differences) {
          if (difference.kind === "removed") expect(valueAt(from, difference.path)).toEqual(difference.from);
          else expect(valueAt(to, difference.path)).toEqual(difference.to);
        }
        const places = differences.map(({ kind, path }) => `${kind} ${path}`);
        expect(new Set(places).size).toBe(places.length);
      }),
    );
  });
});

function valueAt(value: JsonValue, path: string): JsonValue | undefined {
  const keys = path.split("/").slice(1);
  return keys.reduce<JsonValue | undefined>((within, key) => (within as JsonObject | undefined)?.[key], value);
}
