import { expect, it } from "vitest";
import { failureLine } from "./failure-line.ts";

it.each([
  ["", null],
  ["\n \n", null],
  ["ENOENT: no such file or directory", "ENOENT: no such file or directory"],
  ["one\ntwo\n\nCommand exited with code 1", "two"],
  ["(no output)\n\nCommand exited with code 1", "Command exited with code 1"],
  ["building\nerror TS2322: wrong\n12 files\n\nCommand exited with code 2", "error TS2322: wrong"],
  [`${"line\n".repeat(100_000)}fatal: not a git repository`, "fatal: not a git repository"],
  ["x".repeat(1_000), "x".repeat(300)],
])("takes the line that says why a call has failed: %#", (output, line) => {
  expect(failureLine(output)).toBe(line);
});
