import { expect, it } from "vitest";
import { previewText } from "./preview-text.ts";

it.each([
  ["message", "user", "Fix **this**", "Fix this"],
  ["message", "tool", "**/*.ts `x`", "**/*.ts `x`"],
  ["message", "bash", "$ echo `date`", "$ echo `date`"],
  ["compaction", null, "## Goal", "Goal"],
  ["session_info", null, "`name`", "`name`"],
])("%s of %s: %j reads %j", (type, role, preview, text) => {
  expect(previewText({ type, role, preview })).toBe(text);
});
