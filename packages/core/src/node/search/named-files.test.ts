import { fullBitset, remove, SegmentView } from "@sm/text-index";
import { memorySegment } from "@sm/text-index/memory-segment.fixture";
import { describe, expect, it } from "vitest";
import { CurrentTask, noneUnwanted } from "../threads/unwanted.ts";
import { namedFiles } from "./named-files.ts";
import { documentOf } from "./search.fixture.ts";

const task = new CurrentTask(noneUnwanted(), 1);

/** Each path is that of a session of its own; those that are `gone` have left the catalog. */
function segmentOf(paths: readonly string[], gone: readonly number[] = []) {
  const documents = paths.map((path, key) => documentOf("", { key }, [["file", path]]));
  const view = new SegmentView(memorySegment(0, documents));
  const living = fullBitset(view.documents.count);
  for (const document of gone) remove(living, document);
  return { view, living };
}

const found = (prefix: string, paths: readonly string[], gone: readonly number[] = [], hidden = -1) =>
  namedFiles({ prefix, limit: 10 }, [segmentOf(paths, gone)], (key) => key !== hidden, task).map(
    ({ name, session_count }) => [name, session_count],
  );

describe("namedFiles", () => {
  it.each<[what: string, prefix: string, paths: string[], expected: [string, number][]]>([
    ["the last piece of a path", "ap", ["app/main.ts", "src/app.ts", "app.ts", "map.ts"], [["app.ts", 2]]],
    ["any case", "APP.T", ["src/App.TS"], [["app.ts", 1]]],
    ["both separators", "ap", ["C:\\src\\app.ts", "/src/app.ts"], [["app.ts", 2]]],
    [
      "folders before it",
      "lib/a",
      ["x/lib/a.ts", "lib/ab.ts", "lib/b/a.ts", "xlib/a.ts"],
      [
        ["lib/a.ts", 1],
        ["lib/ab.ts", 1],
      ],
    ],
    [
      "all files of a folder",
      "lib/",
      ["lib/a.ts", "x\\lib\\b.ts", "lib/"],
      [
        ["lib/a.ts", 1],
        ["lib/b.ts", 1],
      ],
    ],
    ["nothing for separators alone", "//", ["a//b"], []],
  ])("finds %s", (_what, prefix, paths, expected) => {
    expect(found(prefix, paths)).toEqual(expected);
  });

  it("counts only sessions that are there and shown", () => {
    const paths = ["a/app.ts", "b/app.ts", "c/app.ts", "apart.ts"];
    expect(found("ap", paths, [0, 3], 1)).toEqual([["app.ts", 1]]);
  });

  it("says so where there are too many to look at", () => {
    const paths = Array.from({ length: 21_000 }, (_, n) => `src/app-${n}.ts`);
    const some = found("ap", paths);
    expect(some).toHaveLength(10);
    expect(some.every(([, count]) => count === null)).toBe(true);
    expect(found("app-20999", paths)).toEqual([["app-20999.ts", 1]]);
  });
});
