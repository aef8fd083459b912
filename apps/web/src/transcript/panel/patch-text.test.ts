import { expect, it } from "vitest";
import { patchText } from "./patch-text.ts";

const FILE = {
  path: "/p/a.ts",
  moved_from: null,
  action: "edited" as const,
  added: 1,
  removed: 1,
  edits: [],
  diff: "@@ -1,1 +1,1 @@\n-a\n+b\n",
  truncated: false,
};

it("a patch has a head for each file, and none for those without a diff", () => {
  const files = [
    FILE,
    { ...FILE, path: "new.ts", action: "written" as const, diff: "@@ -0,0 +1,1 @@\n+n\n" },
    { ...FILE, path: "/p/again.ts", action: "written" as const },
    { ...FILE, path: "old.ts", action: "deleted" as const, diff: "@@ -1,1 +0,0 @@\n-o\n" },
    { ...FILE, path: "c.ts", moved_from: "b.ts" },
    { ...FILE, path: "empty.ts", diff: "" },
    { ...FILE, path: "left out.ts", diff: null },
  ];
  expect(patchText(files, null)).toBe(
    [
      "--- a/p/a.ts\n+++ b/p/a.ts\n@@ -1,1 +1,1 @@\n-a\n+b\n",
      "--- /dev/null\n+++ b/new.ts\n@@ -0,0 +1,1 @@\n+n\n",
      "--- a/p/again.ts\n+++ b/p/again.ts\n@@ -1,1 +1,1 @@\n-a\n+b\n",
      "--- a/old.ts\n+++ /dev/null\n@@ -1,1 +0,0 @@\n-o\n",
      "--- a/b.ts\n+++ b/c.ts\n@@ -1,1 +1,1 @@\n-a\n+b\n",
    ].join(""),
  );
});

it("a patch is for the directory of the session", () => {
  const files = [FILE, { ...FILE, path: "/other/b.ts" }, { ...FILE, path: "src/c.ts" }];
  const heads = patchText(files, "/p").match(/^\+{3} .*/gm);
  expect(heads).toEqual(["+++ b/a.ts", "+++ b/other/b.ts", "+++ b/src/c.ts"]);
});
