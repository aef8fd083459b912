import { expect, it } from "vitest";
import type { FileStamp } from "../session-file/file-stamp.ts";
import { matchMoves } from "./moved-files.ts";

function stamp(inode: number, size = 10, mtime = 1.5): FileStamp {
  return { inode, size, mtime, ctime: Math.random() };
}

const at = (path: string, one: FileStamp) => ({ path, stamp: one });

it.each([
  ["a file that was moved", [at("b", stamp(1))], [["a", stamp(1)]], ["a"], []],
  ["a new file", [at("b", stamp(2))], [["a", stamp(1)]], [undefined], ["a"]],
  [
    "a new file in place of a removed one, with its inode",
    [at("b", stamp(1, 11))],
    [["a", stamp(1)]],
    [undefined],
    ["a"],
  ],
  ["a file written to after its move", [at("b", stamp(1, 10, 2.5))], [["a", stamp(1)]], [undefined], ["a"]],
  [
    "files that were exchanged for others",
    [at("b", stamp(1)), at("c", stamp(2))],
    [
      ["x", stamp(2)],
      ["y", stamp(1)],
    ],
    ["y", "x"],
    [],
  ],
  [
    "two names of one file that are gone",
    [at("b", stamp(1))],
    [
      ["x", stamp(1)],
      ["y", stamp(1)],
    ],
    ["y"],
    ["x"],
  ],
  [
    "two new names of one file that is gone",
    [at("b", stamp(1)), at("c", stamp(1))],
    [["a", stamp(1)]],
    ["a", undefined],
    [],
  ],
  ["nothing gone", [at("b", stamp(1))], [], [undefined], []],
] as [string, { path: string; stamp: FileStamp }[], [string, FileStamp][], (string | undefined)[], string[]][])(
  "tells %s",
  (_, found, gone, movedFrom, removed) => {
    const matched = matchMoves(found, new Map(gone));
    expect(matched.found.map((file) => file.path)).toEqual(found.map((file) => file.path));
    expect(matched.found.map((file) => file.movedFrom)).toEqual(movedFrom);
    expect(matched.removed).toEqual(removed);
  },
);
