import { lstatSync } from "node:fs";
import { mkdir, rm, symlink, writeFile } from "node:fs/promises";
import { dirname } from "node:path";
import { describe, expect, it } from "vitest";
import { SessionText, TestHome } from "../library.fixture.ts";
import { stampOf } from "../session-file.ts";
import { Catalog } from "./catalog.ts";
import { openCatalog, openShard, prepareIndex } from "./databases.ts";
import { scanFiles } from "./scanner.ts";
import { TextIndex } from "./text-index.ts";

describe("a file that is gone when its text is read", () => {
  it.each([
    ["", (path: string) => rm(path)],
    [
      ", with a directory in its place",
      async (path: string) => {
        await rm(path);
        await mkdir(path);
      },
    ],
    [
      ", with a link to itself in its place",
      async (path: string) => {
        await rm(path);
        await symlink(path, path);
      },
    ],
    [
      ", with a file in place of its folder",
      async (path: string) => {
        await rm(dirname(path), { recursive: true });
        await writeFile(dirname(path), "");
      },
    ],
  ])("leaves the text of others to be indexed%s", async (_, change) => {
    await using home = await TestHome.create();
    const lines = () => new SessionText().user("dugong").lines;
    const paths = [await home.write("p/a.jsonl", lines()), await home.write("q/b.jsonl", lines())];
    const { place } = prepareIndex(home.data, 1);
    const catalog = new Catalog(openCatalog(place));
    const shard = openShard(place, 0);
    try {
      const found = paths.map((path) => ({ path, stamp: stampOf(lstatSync(path)), shard: 0 }));
      const scanned = scanFiles(found, catalog);
      await change(paths[0] ?? "");
      expect(new TextIndex(shard, catalog).index(scanned)).toMatchObject([{ complete: true }, { complete: true }]);
      expect(paths.map((path) => catalog.find(path)?.indexedCount)).toEqual([0, 1]);
    } finally {
      shard.close();
      catalog.close();
    }
  });
});
