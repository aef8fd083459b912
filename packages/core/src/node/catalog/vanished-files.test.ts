import { expect, it } from "vitest";
import type { KnownStamp } from "./known-file.ts";
import { findVanished } from "./vanished-files.ts";

const stamp = (size: number) => ({ size, mtime: 1, ctime: 1, inode: 1 });
const known = (size: number, was: Partial<KnownStamp> = {}): KnownStamp => ({
  ...stamp(size),
  ...{ status: "session", isAway: false, fromVault: false, ...was },
});

function find(before: Record<string, KnownStamp>, kept: Record<string, number>, found: string[] = []) {
  const stamps = new Map(Object.entries(kept).map(([path, size]) => [path, stamp(size)]));
  const { changed, removed } = findVanished(
    { stampsOf: (paths) => new Map([...stamps].filter(([path]) => paths.includes(path))), gone: () => stamps },
    {
      removed: Object.keys(before),
      known: new Map(Object.entries(before)),
      found: found.map((path) => ({ path, stamp: stamp(1) })),
      directories: ["/sessions"],
    },
  );
  return { changed: changed.map((file) => [file.path, file.stamp.size]), removed };
}

it.each<[what: string, ...Parameters<typeof find>, expected: ReturnType<typeof find>]>([
  ["one that is kept is read there", { "/sessions/a": known(5) }, { "/sessions/a": 5 }, [], kept(["/sessions/a", 5])],
  [
    "one that was read there is as it was",
    { "/sessions/a": known(5, { fromVault: true }) },
    { "/sessions/a": 5 },
    [],
    kept(),
  ],
  [
    "one that was read there and was kept anew since is read again",
    { "/sessions/a": known(5, { fromVault: true }) },
    { "/sessions/a": 6 },
    [],
    kept(["/sessions/a", 6]),
  ],
  [
    "one that left the lists with its directory comes back",
    { "/sessions/a": known(5, { fromVault: true, isAway: true }) },
    { "/sessions/a": 5 },
    [],
    kept(["/sessions/a", 5]),
  ],
  ["one that is not kept is gone", { "/sessions/a": known(5) }, {}, [], { changed: [], removed: ["/sessions/a"] }],
  ["one that a new index does not know is found", {}, { "/sessions/a": 5 }, [], kept(["/sessions/a", 5])],
  ["one that is back is not", {}, { "/sessions/a": 5 }, ["/sessions/a"], kept()],
  [
    "one outside of the directories leaves the list",
    { "/elsewhere/a": known(5) },
    { "/elsewhere/a": 5 },
    [],
    { changed: [], removed: ["/elsewhere/a"] },
  ],
  ["one outside of the directories is not", {}, { "/elsewhere/a": 5 }, [], kept()],
])("of files that are gone, %s", (_, before, stamps, found, expected) => {
  expect(find(before, stamps, found)).toEqual(expected);
});

function kept(...changed: [string, number][]): ReturnType<typeof find> {
  return { changed, removed: [] };
}
