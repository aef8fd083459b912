import { expect, it } from "vitest";
import { Expiry } from "./expiry.ts";

const NOW = Date.parse("2026-03-31T00:00:00.000Z");
const expiry = new Expiry([
  { prefix: "/a/projects/", days: 30 },
  { prefix: "/never/", days: 1e9 },
  { prefix: "/at-once/", days: 0 },
]);

it.each([
  ["one of a month ago goes today", "/a/projects/x/1.jsonl", "2026-03-01", false, "2026-03-31T00:00:00.000Z"],
  [
    "one that is overdue goes at the next start",
    "/a/projects/x/1.jsonl",
    "2026-01-01",
    false,
    "2026-01-31T00:00:00.000Z",
  ],
  ["in a week", "/a/projects/x/1.jsonl", "2026-03-08", false, "2026-04-07T00:00:00.000Z"],
  ["later than that nobody is warned", "/a/projects/x/1.jsonl", "2026-03-09", false, null],
  ["what is gone already does not go", "/a/projects/x/1.jsonl", "2026-03-01", true, null],
  ["directories that nobody cleans keep all", "/a/projects-2/1.jsonl", "2026-03-01", false, null],
  ["so do settings beyond all times", "/never/1.jsonl", "2026-03-01", false, null],
  ["zero days keep nothing", "/at-once/1.jsonl", "2026-03-30", false, "2026-03-30T00:00:00.000Z"],
])("%s", (_, path, written, fromVault, expected) => {
  expect(expiry.warning({ path, mtime: Date.parse(written), fromVault }, NOW)).toBe(expected);
});
