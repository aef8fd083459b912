import { afterEach, beforeEach, expect, it } from "vitest";
import { Catalog } from "../catalog/catalog.ts";
import type { FoundFile, WalkResult } from "../catalog/found-files.ts";
import { openCatalog, prepareIndex } from "../catalog/index-databases.ts";
import { SessionText, TestHome } from "../library/library.fixture.ts";
import { readFirstPage } from "./first-page.ts";

const MEGABYTE = 1024 * 1024;

let home: TestHome;
let catalog: Catalog;
beforeEach(async () => {
  home = await TestHome.create();
  catalog = new Catalog(openCatalog(prepareIndex(home.data, 2).place));
});
afterEach(async () => {
  catalog.close();
  await home[Symbol.asyncDispose]();
});

/** Files as a comparison tells of them, the newest first; how large they are is said, not written. */
async function found(megabytes: readonly number[]): Promise<WalkResult> {
  const changed: FoundFile[] = [];
  for (const [place, size] of megabytes.entries()) {
    const path = await home.write(`p/${place}.jsonl`, new SessionText().user(`question ${place}`).lines);
    changed.push({ path, stamp: { size: size * MEGABYTE, mtime: -place, ctime: 0, inode: place } });
  }
  return {
    changed,
    removed: [],
    expired: [],
    left: [],
    returned: [],
    missing: [],
    problems: [],
    misnamed: { count: 0, example: null },
  };
}

const numberOf = ({ path }: { path: string }) => Number(/(\d+)\.jsonl$/.exec(path)?.[1]);
const numbers = (from: number, to: number) => Array.from({ length: to - from }, (_, index) => from + index);

it.each<[what: string, megabytes: number[], read: number[], others: number[]]>([
  ["as many as a page has", Array<number>(60).fill(0), numbers(0, 50), numbers(50, 60)],
  ["no large one, which come next", [0, 3, 0, 5, 0], [0, 2, 4], [1, 3]],
  ["as much as is read in a moment", [1.5, ...Array<number>(11).fill(1.5), 3, 0], numbers(0, 10), [10, 11, 13, 12]],
  ["none where there is none", [], [], []],
])("reads of the newest files %s", async (_, megabytes, read, others) => {
  const page = readFirstPage(await found(megabytes), catalog, 2, true);
  expect({ read: page.read.map(numberOf), others: page.changed.map(numberOf) }).toEqual({ read, others });
  expect(page.read.map(({ status }) => status)).toEqual(read.map(() => "session"));
});

it("spreads them over the text databases, and keeps them", async () => {
  const page = readFirstPage(await found([1, 1, 1, 1]), catalog, 2, true);
  expect(page.read.map(({ shard }) => shard)).toEqual([0, 1, 0, 1]);
  expect([...catalog.stamps().keys()].map((path) => numberOf({ path })).sort()).toEqual([0, 1, 2, 3]);
});

it("leaves all to others where it is told so", async () => {
  const page = readFirstPage(await found([0, 3, 0]), catalog, 2, false);
  expect({ read: page.read, others: page.changed.map(numberOf) }).toEqual({ read: [], others: [0, 2, 1] });
});
