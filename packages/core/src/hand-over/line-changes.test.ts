import { expect, it } from "vitest";
import { changesOf, lineChanges } from "./line-changes.ts";

it.each<[string, string, Record<string, [number, number]>]>([
  ["of one file, without heads", "@@ -1,2 +1,2 @@\n a\n-b\n+c\n+d", { "": [2, 1] }],
  ["with numbered lines", "  1 a\n- 2 b\n+ 2 c", { "": [1, 1] }],
  ["of several files", "--- a.ts\n+++ a.ts\n-x\n--- /dev/null\n+++ b.ts\n+y\n+z", { "a.ts": [0, 1], "b.ts": [2, 0] }],
  ["of a deleted file", "--- a.ts\n+++ /dev/null\n-x\n-y", { "a.ts": [0, 2] }],
  ["of a patch", "*** Begin Patch\n*** Update File: src/a.ts\n@@\n-x\n+y\n*** End Patch", { "src/a.ts": [1, 1] }],
  ["with a removed line like a head", "--- a.sql\n+++ a.sql\n--- a comment\n+b", { "a.sql": [1, 1] }],
  ["of a moved file", "--- a.ts\n+++ b.ts\n-x\n+y", { "a.ts": [1, 1], "b.ts": [1, 1] }],
  ["of git", "diff --git a/a.ts b/a.ts\n--- a/a.ts\n+++ b/a.ts\n@@ -1 +1,2 @@\n x\n+y", { "a.ts": [1, 0] }],
  ["without changes", "", {}],
])("counts the lines of a diff %s", (_, diff, counts) => {
  const found = [...lineChanges(diff)].map(([path, { added, removed }]) => [path, [added, removed]]);
  expect(Object.fromEntries(found)).toEqual(counts);
});

it("finds a file whose path is written from another folder on", () => {
  const changes = lineChanges("--- /w/src/a.ts\n+++ /w/src/a.ts\n+x");
  expect(changesOf("src/a.ts", changes)).toEqual({ added: 1, removed: 0 });
  expect(changesOf("/w/src/a.ts", changes)).toEqual({ added: 1, removed: 0 });
  expect(changesOf("rc/a.ts", changes)).toBeNull();
});

it.each([
  ["blanks in a path", (length: number) => `*** Update File: a${" ".repeat(length)}b\n+x`],
  ["tabs behind a path", (length: number) => `--- a${"\t".repeat(length)}\u2028b\n+++ a\n+x`],
])("takes no time that grows with the square of %s", (_, diffOf) => {
  expect([...lineChanges(diffOf(900_000)).values()]).toContainEqual({ added: 1, removed: 0 });
});
