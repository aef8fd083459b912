import type { JsonValue } from "@sm/core";
import type { ConfigDifference } from "@sm/router";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { differencesBetween } from "./difference.ts";

/** Does to a value what the differences tell, last ones first, so that elements of arrays keep their places. */
function applied(value: JsonValue, differences: ConfigDifference[]): JsonValue {
  const root = { value: structuredClone(value) };
  for (const { path, kind, to } of [...differences].reverse()) {
    const keys = path.split("/").map((key) => key.replaceAll("~1", "/").replaceAll("~0", "~"));
    const last = keys.length === 1 ? "value" : (keys.pop() ?? "");
    let at = root as unknown as Record<string, JsonValue>;
    for (const [depth, key] of keys.entries()) at = at[depth === 0 ? "value" : key] as never;
    if (keys.length === 1 && last === "value" && path === "") at = root as never;
    if (kind === "removed" && Array.isArray(at)) at.splice(Number(last), 1);
    else if (kind === "removed") delete at[last];
    else if (Array.isArray(at)) at.splice(Number(last), kind === "added" ? 0 : 1, to);
    else at[last] = to;
  }
  return root.value;
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
        const after = applied(
          from,
          differencesBetween(from, to).sort((a, b) => (a.kind === "added" ? 1 : 0) - (b.kind === "added" ? 1 : 0)),
        );
        expect(differencesBetween(after, to)).toEqual([]);
      }),
    );
  });
});
