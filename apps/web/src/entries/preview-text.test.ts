import type { TreeEntry } from "@sm/core";
import { expect, it } from "vitest";
import { previewText } from "./preview-text.ts";

it.each<[TreeEntry["kind"], string | null, string, string]>([
  ["message", "user", "Fix **this**", "Fix this"],
  ["message", null, "of an *extension*", "of an extension"],
  ["message", "system", "`tools`", "`tools`"],
  ["tool_result", "tool", "**/*.ts `x`", "**/*.ts `x`"],
  ["bash", "bash", "$ echo `date`", "$ echo `date`"],
  ["summary", null, "## Goal", "Goal"],
  ["name", null, "`name`", "`name`"],
])("%s of %s: %j reads %j", (kind, role, preview, text) => {
  expect(previewText({ kind, role, preview })).toBe(text);
});
