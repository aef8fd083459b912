import { expect, it } from "vitest";
import { searchFor } from "../library/library.fixture.ts";
import { decodePosition, encodePosition, type SearchPosition } from "./cursor.ts";
import { ShownMatches } from "./match-page.ts";
import type { SearchTask } from "./search-tasks.ts";
import { sharePaths } from "./shared-paths.ts";

/** What the API takes for a cursor. */
const MAX_CURSOR_LENGTH = 8_192;

it("a position is read as it was written, and short enough however many sessions were shown", () => {
  const task: SearchTask = {
    ...searchFor("okapi"),
    now: 5,
    paths: null,
    tagged: [],
    named: [],
    renamed: [],
    favorite: [],
    bookmarked: [],
    live: [],
    expiring: [],
    failed: [],
    aborted: [],
    noted: [],
    withNotes: [],
    archived: "exclude",
    archivedPaths: sharePaths(new Set()),
  };
  const shown = new ShownMatches();
  for (let n = 2_000; n > 0; n--) shown.add(1 + 2_000 * n);
  shown.add(1 + 2_000 * 2_000);
  const position: SearchPosition = {
    rank: { bestValue: 1 / 3, bestTime: 1.7e12, key: 12_345, value: 1 / 7, time: 1.7e12, ordinal: 70_000, part: 3 },
    newest: 1.7e12,
    statistics: { now: 1.7e12, averageLength: 100 / 3, least: 1 / 3, weights: Array(32).fill(1 / 3) },
    shown,
  };
  const cursor = encodePosition(task, position);
  expect(cursor.length).toBeLessThan(MAX_CURSOR_LENGTH);
  const { shown: read, ...rest } = decodePosition({ ...task, cursor }) ?? { shown: null };
  expect({ ...rest, shown }).toEqual(position);
  expect(new Map(read?.counts)).toEqual(new Map(shown.counts));
  expect(read?.counts.get(1 + 2_000 * 2_000)).toBe(2);
});
