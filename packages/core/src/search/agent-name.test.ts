import { expect, it } from "vitest";
import { isAgentNamed } from "./agent-name.ts";

it.each([
  ["claude", "claude-code", false, true],
  ["Claude-Code", "claude-code", false, true],
  ["claude code", "claude-code", false, true],
  ["pi", "pi", false, true],
  ["code", "claude-code", false, false],
  ["code", "codex", false, false],
  ["claude-code-viewer", "claude-code", false, false],
  ["c", "codex", false, false],
  ["c", "codex", true, true],
  ["claude-c", "claude-code", true, true],
  ["clau-code", "claude-code", true, false],
  ["-", "pi", true, false],
])("%s names %s (as a prefix: %s): %s", (typed, format, prefix, expected) => {
  expect(isAgentNamed(typed, format, prefix)).toBe(expected);
});
