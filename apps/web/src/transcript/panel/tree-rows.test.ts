import type { TreeEntry } from "@sm/core";
import { describe, expect, it } from "vitest";
import { SessionTree } from "../../entries/session-tree.ts";
import { type TreeFilter, treeRows } from "./tree-rows.ts";

function entry(id: string, parent: string | null, role: string | null, type = "message"): TreeEntry {
  return {
    id,
    parent_id: parent,
    type,
    kind: type === "message" ? "message" : type === "compaction" ? "summary" : "note",
    role,
    conversation: role !== null || type === "compaction",
    preview: id,
    target_id: null,
    timestamp: null,
    label: null,
  };
}

const TREE = new SessionTree([
  entry("ask", null, "user"),
  entry("answer", "ask", "assistant"),
  entry("other", "ask", "assistant"),
  entry("again", "other", "user"),
  entry("next", "answer", "user"),
  entry("summary", "next", null, "compaction"),
  entry("model", "summary", null, "model_change"),
  entry("warm", "model", null, "usage"),
]);

describe("treeRows", () => {
  it.each<[TreeFilter, string[]]>([
    ["prompts", ["0 ask", "1 other", "1 again", "0 next", "0 summary"]],
    ["bookmarks", ["0 answer"]],
    ["all", ["0 ask", "1 other", "1 again", "0 answer", "0 next", "0 summary", "0 model"]],
  ])("with %s", (filter, expected) => {
    const rows = treeRows(TREE, new Set(TREE.branch("warm")), filter, { answer: "good" });
    // What is bookmarked is among the prompts too.
    const ids = rows
      .map(({ entry, level }) => `${level} ${entry.id}`)
      .filter((id) => filter !== "prompts" || id !== "0 answer");
    expect(ids).toEqual(expected);
  });

  it("tells what is on the branch that is shown, and where one turns aside", () => {
    const rows = treeRows(TREE, new Set(TREE.branch("again")), "prompts", {});
    expect(rows.filter(({ isOnBranch }) => isOnBranch).map(({ entry }) => entry.id)).toEqual(["ask", "other", "again"]);
    expect(rows.filter(({ startsRun }) => startsRun).map(({ entry }) => entry.id)).toEqual(["ask", "other", "next"]);
  });
});
