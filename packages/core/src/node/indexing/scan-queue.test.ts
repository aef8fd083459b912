import { describe, expect, it } from "vitest";
import { ScanQueue } from "./scan-queue.ts";

const MEGABYTE = 1024 * 1024;

const file = (path: string, size = 1, movedFrom?: string) => ({
  path,
  stamp: { size, mtime: 1, ctime: 1, inode: 1 },
  ...(movedFrom === undefined ? {} : { movedFrom }),
});
const pathsOf = (files: readonly { path: string }[]) => files.map(({ path }) => path);

describe("files to scan", () => {
  it("come in order, those that have changed before all others, and count until their reading has ended", () => {
    const queue = new ScanQueue();
    expect(queue.addFound([file("a", 10), file("b", 20)])).toBe(2);
    queue.addFirst(file("c", 30));
    queue.addFirst(file("a", 10));
    expect([queue.size, queue.bytes]).toEqual([3, 60]);
    const batch = queue.begin(1);
    expect(pathsOf(batch)).toEqual(["c", "a", "b"]);
    expect([queue.isEmpty, queue.size, queue.bytes, queue.isReading("a")]).toEqual([true, 3, 60, true]);
    queue.end(batch);
    expect([queue.size, queue.bytes, queue.isReading("a")]).toEqual([0, 0, false]);
  });

  it("are added once, unless they are found to be moved", () => {
    const queue = new ScanQueue();
    queue.addFound([file("a"), file("b")]);
    expect(queue.addFound([file("a"), file("b", 1, "old"), file("c")])).toBe(2);
    expect(pathsOf(queue.begin(1))).toEqual(["a", "b", "b", "c"]);
  });

  it("are read again where they have changed since their reading began", () => {
    const queue = new ScanQueue();
    queue.addFound([file("a"), file("b")]);
    const batch = queue.begin(1);
    expect(queue.addFound([file("a", 2), file("b")])).toBe(0);
    queue.end(batch);
    expect(queue.begin(1)).toEqual([file("a", 2)]);
  });

  it.each([
    ["a number of files", Array.from({ length: 3000 }, () => 1), 1, [1024, 1024, 952]],
    ["a share of the bytes", Array.from({ length: 16 }, () => 4 * MEGABYTE), 2, [2, 1, 1]],
    ["one file that is larger than all that", [100 * MEGABYTE, 1], 2, [1, 1]],
  ])("are read in batches of %s", (_, sizes, threads, expected) => {
    const queue = new ScanQueue();
    queue.addFound(sizes.map((size, place) => file(String(place), size)));
    expect(expected.map(() => queue.begin(threads).length)).toEqual(expected);
  });
});
