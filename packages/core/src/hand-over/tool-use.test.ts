import { describe, expect, it } from "vitest";
import { filesOf, useOf } from "./tool-use.ts";

describe("what calls do to files", () => {
  it.each([
    ["Edit", "wrote"],
    ["apply_patch", "wrote"],
    ["Read", "read"],
    ["bash", "used"],
    [null, "used"],
  ])("%s: %s", (name, use) => {
    expect(useOf(name)).toBe(use);
  });

  it("finds paths in arguments, and in patches", () => {
    expect(filesOf({ file_path: "/a.ts", notebookPath: "b.ipynb", content: "path", limit: 3 })).toEqual([
      "/a.ts",
      "b.ipynb",
    ]);
    const patch = "*** Begin Patch\n*** Update File: src/a.ts\n@@\n*** Add File: b.ts\n+x\n*** End Patch";
    expect(filesOf({ files: ["c.ts", "", 3] })).toEqual(["c.ts"]);
    expect(filesOf({ input: patch })).toEqual(["src/a.ts", "b.ts"]);
  });
});
