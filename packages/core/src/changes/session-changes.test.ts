import { describe, expect, it } from "vitest";
import type { JsonObject } from "../json.ts";
import type { TranscriptBlock, TranscriptItem } from "../session/transcript.ts";
import { ChangesFold } from "./session-changes.ts";

let calls = 0;

/** A call of a tool, and its result. */
function call(
  name: string,
  args: JsonObject,
  { diff = null, failed = false, shown = null }: { diff?: string | null; failed?: boolean; shown?: string | null } = {},
): TranscriptItem[] {
  calls += 1;
  const id = `call${calls}`;
  const blocks: TranscriptBlock[] = [{ kind: "tool_call", id, name, arguments: args }];
  if (shown !== null) blocks.push({ kind: "text", text: shown });
  return [
    { kind: "message", id: `of ${id}`, role: "assistant", timestamp: null, blocks },
    { kind: "tool_result", call_id: id, is_error: failed, diff, blocks: [] },
  ] as unknown as TranscriptItem[];
}

function changesOf(items: readonly TranscriptItem[], files: string[] | null = null) {
  const fold = new ChangesFold();
  for (const item of items) fold.add(item);
  return fold.changes("leaf", files === null ? null : new Set(files));
}

const PATCH = `*** Begin Patch
*** Update File: src/a.ts
@@ function sum() {
 const first = 1;
-const second = 2;
+const second = 3;
 return first + second;
*** Add File: src/new.ts
+export const value = 1;
*** Delete File: src/old.ts
*** End Patch`;

const UNIFIED = `--- src/a.ts
+++ src/b.ts
@@ -10,2 +10,2 @@
 const first = 1;
-const second = 2;
+const second = 3;`;

describe("what a session changes", () => {
  it.each<[string, TranscriptItem[], object[]]>([
    [
      "by pi's edit, with the lines that it records",
      call(
        "edit",
        { path: "/p/a.ts", oldText: "second = 2", newText: "second = 3" },
        { diff: "      ...\n  10 const first = 1;\n- 11 const second = 2;\n+ 11 const second = 3;\n      ..." },
      ),
      [
        {
          path: "/p/a.ts",
          action: "edited",
          added: 1,
          removed: 1,
          diff: "@@ -10,2 +10,2 @@\n const first = 1;\n-const second = 2;\n+const second = 3;\n",
        },
      ],
    ],
    [
      "by several edits in one call, which record nothing",
      call("edit", {
        path: "/p/a.ts",
        edits: [
          { oldText: "one\n", newText: "1\n" },
          { oldText: "two\n", newText: "" },
        ],
      }),
      [{ path: "/p/a.ts", added: 1, removed: 2 }],
    ],
    [
      "by a write, and by edits of what was written",
      [
        ...call("write", { path: "/p/new.md", content: "# Title\n\ntext\n" }),
        ...call("edit", { path: "/p/new.md", oldText: "text", newText: "more text\nand more" }),
      ],
      [{ path: "/p/new.md", action: "written", added: 4, removed: 0, edits: [{ added: 3 }, { added: 2, removed: 1 }] }],
    ],
    [
      "by Claude Code's MultiEdit and Write, with a patch of the lines",
      [
        ...call("MultiEdit", { file_path: "/p/a.ts", edits: [{ old_string: "a1", new_string: "a2" }] }),
        ...call(
          "Write",
          { file_path: "/p/b.ts", content: "kept line\nnew line\n" },
          { diff: "@@ -1,1 +1,2 @@\n kept line\n+new line" },
        ),
      ],
      [
        { path: "/p/a.ts", added: 1, removed: 1 },
        { path: "/p/b.ts", action: "edited", added: 1, removed: 0 },
      ],
    ],
    [
      "by Codex's apply_patch, beside its call",
      call("apply_patch", { files: ["src/a.ts"] }, { shown: `\`\`\`diff\n${PATCH}\n\`\`\`` }),
      [
        { path: "src/a.ts", action: "edited", added: 1, removed: 1 },
        { path: "src/new.ts", action: "written", added: 1, removed: 0 },
        { path: "src/old.ts", action: "deleted", added: 0, removed: 0 },
      ],
    ],
    [
      "by a patch in a shell command",
      call("shell", { command: `apply_patch <<'EOF'\n${PATCH}\nEOF` }),
      [{ path: "src/a.ts" }, { path: "src/new.ts" }, { path: "src/old.ts" }],
    ],
    [
      "by a recorded move",
      call("apply_patch", {}, { diff: UNIFIED }),
      [{ path: "src/b.ts", moved_from: "src/a.ts", added: 1, removed: 1 }],
    ],
    [
      "by a move there and back",
      [
        ...call("apply_patch", {}, { diff: UNIFIED }),
        ...call("apply_patch", {}, { diff: "--- src/b.ts\n+++ src/a.ts\n@@ -1,1 +1,1 @@\n-text a\n+text b" }),
      ],
      [{ path: "src/a.ts", moved_from: null }],
    ],
    [
      "by a diff of git, whose path is written from another folder on",
      call("edit", { path: "/p/src/a.ts" }, { diff: "--- a/src/a.ts\n+++ b/src/a.ts\n@@ -1,1 +1,1 @@\n-one\n+two" }),
      [{ path: "/p/src/a.ts", moved_from: null, added: 1, removed: 1 }],
    ],
    [
      "by a write of a text with a patch in it",
      call("Write", { file_path: "/p/patch.md", content: `Write:\n\n${PATCH}\n` }),
      [{ path: "/p/patch.md", action: "written", added: 13 }],
    ],
    ["not by a patch in an answer", call("Read", { file_path: "/p/a.ts" }, { shown: `I would do:\n${PATCH}` }), []],
    ["not by a patch in a task", call("Task", { prompt: `Review this:\n${PATCH}` }), []],
    [
      "not by a file that is written and deleted",
      [
        ...call("write", { path: "a.ts", content: "text" }),
        ...call("apply_patch", { input: "*** Begin Patch\n*** Delete File: a.ts\n*** End Patch" }),
      ],
      [],
    ],
    ["not by a call that failed", call("write", { path: "/p/a.ts", content: "x" }, { failed: true }), []],
    ["not by a call without a result", call("write", { path: "/p/a.ts", content: "x" }).slice(0, 1), []],
    ["not by reading", call("grep", { path: "/p/a.ts", content: "x" }), []],
    [
      "not by what is taken back",
      [
        ...call("edit", { path: "/p/a.ts", oldText: "limit = 5", newText: "limit = 7" }),
        ...call("edit", { path: "/p/a.ts", oldText: "limit = 7", newText: "limit = 5" }),
      ],
      [],
    ],
  ])("%s", (_how, items, expected) => {
    const { files, added, removed } = changesOf(items);
    expect(files).toHaveLength(expected.length);
    expect(files).toMatchObject(expected);
    expect(added).toBe(files.reduce((sum, file) => sum + file.added, 0));
    expect(removed).toBe(files.reduce((sum, file) => sum + file.removed, 0));
  });

  it("has the diffs that are asked for, and tells where each edit is", () => {
    const items = [
      ...call("write", { path: "/p/a.ts", content: "a" }),
      ...call("write", { path: "/p/b.ts", content: "b" }),
    ];
    const { files } = changesOf(items, ["/p/b.ts"]);
    expect(files.map(({ diff }) => diff)).toEqual([null, "@@ -0,0 +1,1 @@\n+b\n"]);
    expect(files.map(({ edits }) => edits[0]?.entry_id)).toEqual([items[0]?.id, items[2]?.id]);
  });

  it("has a limit of files, and says so", () => {
    const items = Array.from({ length: 1_001 }, (_, n) => call("write", { path: `/p/${n}`, content: "x" })).flat();
    const again = call("edit", { path: "/p/0", oldText: "x", newText: "another text" });
    const changes = changesOf([...items, ...again]);
    expect(changes).toMatchObject({ complete: false, files: { length: 1_000 } });
    expect(changes.files[0]?.diff).toBe("@@ -0,0 +1,1 @@\n+another text\n");
  });

  it("lists no more edits than an answer has room for, and says so", () => {
    const edits = Array.from({ length: 90_000 }, (_, n) =>
      call("edit", { path: "/p/a", oldText: "", newText: `${n}` }),
    ).flat();
    const { complete, files } = changesOf(edits, []);
    expect(complete).toBe(false);
    expect(JSON.stringify(files).length).toBeLessThan(9 * 1024 * 1024);
  });

  it("leaves out files whose paths are too long for a file", () => {
    expect(changesOf(call("write", { path: "a/".repeat(3_000), content: "x" }))).toMatchObject({
      complete: false,
      files: [],
    });
  });

  it("takes no time that grows with the square of the calls of an answer", () => {
    const blocks = Array.from({ length: 100_000 }, (_, n) => ({
      kind: "tool_call",
      id: `${n}`,
      name: "edit",
      arguments: {},
    }));
    const item = { kind: "message", id: "m", role: "assistant", timestamp: null, blocks } as unknown as TranscriptItem;
    expect(changesOf([item])).toMatchObject({ files: [], complete: true });
  });
});
