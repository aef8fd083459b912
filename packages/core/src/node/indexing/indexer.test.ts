import { once } from "node:events";
import { lstat, rm } from "node:fs/promises";
import { createServer } from "node:net";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { Catalog } from "../catalog/catalog.ts";
import { openCatalog, openShard, prepareIndex } from "../catalog/index-databases.ts";
import { SessionText, TestHome, until } from "../library/library.fixture.ts";
import { stampOf } from "../session-file/file-stamp.ts";
import type { IndexPlace } from "../storage/index-place.ts";
import { Indexer, type IndexerOptions } from "./indexer.ts";
import { ScanQueue } from "./scan-queue.ts";
import { scanFiles } from "./scanner.ts";
import { TextIndex } from "./text-indexing.ts";

/** More than are indexed at once. */
const MANY = 300;

const original = ScanQueue.prototype.addFound;

let home: TestHome;
let indexer: Indexer | null;
beforeEach(async () => {
  home = await TestHome.create();
});
afterEach(async () => {
  await indexer?.stop();
  await home[Symbol.asyncDispose]();
});

function open(more: Partial<IndexerOptions> = {}): Indexer {
  const place: IndexPlace = prepareIndex(home.data, 1).place;
  const ignore = () => undefined;
  const opened = new Indexer({
    place,
    log: { info: ignore, warn: ignore, error: ignore },
    shardBytes: [0],
    unindexed: [],
    droppedShards: [],
    onProgress: ignore,
    onListChanges: ignore,
    onFilesRead: ignore,
    onRelated: ignore,
    onSearchable: ignore,
    onIndexed: ignore,
    onIndexError: ignore,
    ...more,
  });
  indexer = opened;
  return opened;
}

async function writeSessions(count: number): Promise<void> {
  const names = Array.from({ length: count }, (_, n) => `p/${n}.jsonl`);
  await Promise.all(names.map((name) => home.write(name, new SessionText().user(`question in ${name}`).lines)));
}

describe("a comparison that finds many files", () => {
  it("tells them in pieces, and all of them are read", async () => {
    await writeSessions(MANY);
    const found: number[] = [];
    const addFound = vi.spyOn(ScanQueue.prototype, "addFound").mockImplementation(function (this: ScanQueue, files) {
      found.push(files.length);
      return original.call(this, files);
    });
    const searchable: string[] = [];
    const indexer = open({ filesAtOnce: 100, onSearchable: (paths) => searchable.push(...paths) });
    expect(await indexer.refresh([home.sessions])).toMatchObject({ changed: MANY, removed: 0, isWhole: true });
    addFound.mockRestore();
    // The first page is read at once.
    expect(found).toEqual([100, 100, 50]);
    await until(() => indexer.pendingTexts === 0);
    expect(new Set(searchable).size).toBe(MANY);
  });
});

describe("the text of sessions", () => {
  it("waits, where there is much of it, for those who wait for all records", async () => {
    await writeSessions(MANY);
    const indexer = open();
    const releases = [indexer.holdText(), indexer.holdText()];
    expect(await indexer.refresh([home.sessions])).toMatchObject({ changed: MANY, removed: 0 });
    for (const release of releases) {
      // Each thread counts after what it was given before.
      await indexer.work();
      expect(indexer.pendingTexts).toBe(MANY);
      release();
    }
    await until(() => indexer.pendingTexts === 0);
  });

  it("waits for nobody where there is little of it", async () => {
    await writeSessions(3);
    const indexer = open();
    indexer.holdText();
    await indexer.refresh([home.sessions]);
    await until(() => indexer.pendingTexts === 0);
  });
});

describe("what a former run has left to merge", () => {
  /** Each with a segment of its own: as many small ones are merged. */
  async function indexOneByOne(count: number): Promise<void> {
    const { place } = prepareIndex(home.data, 1);
    const catalog = new Catalog(openCatalog(place));
    const shard = openShard(place, 0);
    try {
      const text = new TextIndex(shard, catalog);
      for (let n = 0; n < count; n++) {
        const path = join(home.sessions, `p/${n}.jsonl`);
        text.index(scanFiles([{ path, stamp: stampOf(await lstat(path)), shard: 0 }], catalog));
      }
    } finally {
      shard.close();
      catalog.close();
    }
  }

  it("waits for those who wait for all records", async () => {
    const count = 16;
    await writeSessions(count);
    await indexOneByOne(count);
    const indexer = open({ shardBytes: [1] });
    const [scout, thread] = indexer.threads;
    const release = indexer.holdText();
    expect(await indexer.refresh([home.sessions])).toMatchObject({ changed: 0 });
    // With its end work is assigned; whoever looks for segments to merge then has looked before the scout looks again.
    await indexer.work();
    for (let round = 0; round < 2; round++) await scout?.run("mergeNeed", { shard: 0 });
    expect(thread?.started).toBe(false);
    release();
    await until(() => thread?.started === true);
  });
});

describe("a session whose text cannot be indexed", () => {
  it("stops no other one, not even of the same task, and is given up", async () => {
    await writeSessions(MANY);
    const searchable: string[] = [];
    const failed: unknown[] = [];
    const ignore = () => undefined;
    const indexer = open({
      log: { info: ignore, warn: ignore, error: (details) => failed.push(details) },
      onSearchable: (paths) => searchable.push(...paths),
    });
    const release = indexer.holdText();
    await indexer.refresh([home.sessions]);
    const broken = [7, 11, 200].map((n) => join(home.sessions, `p/${n}.jsonl`));
    // Nothing can be opened there, and that is no refusal and no absence.
    const servers = await Promise.all(
      broken.map(async (path) => {
        await rm(path);
        const server = createServer().listen(path);
        await once(server, "listening");
        return server;
      }),
    );
    try {
      release();
      await until(() => indexer.pendingTexts === 0);
      expect(new Set(searchable).size).toBe(MANY - broken.length);
      expect(failed).toHaveLength(broken.length);
      expect(failed).toEqual(expect.arrayContaining(broken.map((path) => expect.objectContaining({ path }))));
    } finally {
      for (const server of servers) server.close();
    }
  });
});

describe("files that somebody waits for", () => {
  const changed = async (path: string) => ({ path, stamp: stampOf(await lstat(path)) });

  it("keep no comparison waiting, however many they are", async () => {
    await writeSessions(20);
    const files = await Promise.all(Array.from({ length: 20 }, (_, n) => changed(join(home.sessions, `p/${n}.jsonl`))));
    const indexer = open();
    let scanned = 0;
    const scans = files.map((file) => indexer.scanNow([file]).then(() => (scanned += 1)));
    expect(await indexer.refresh([home.sessions])).toMatchObject({ changed: 19 });
    expect(scanned).toBeLessThan(5);
    await Promise.all(scans);
  });

  it("are read once for all that wait", async () => {
    const file = await changed(await home.write("p/a.jsonl", new SessionText().user("question").lines));
    const indexer = open();
    await Promise.all(Array.from({ length: 100 }, () => indexer.scanNow([file])));
    const [scout] = await indexer.work();
    // One scan was under way when the others came.
    expect(scout?.filesOpened).toBe(2);
  });
});

describe("the first files that are read", () => {
  it("are as many as a page has, and no other thread starts before they are read", async () => {
    await writeSessions(MANY);
    const batches: number[] = [];
    const threads: Promise<unknown[]>[] = [];
    const indexer = open({
      onRelated: () => {},
      onListChanges(changes) {
        batches.push(changes.size);
        threads.push(indexer.work());
      },
    });
    await indexer.refresh([home.sessions]);
    expect(batches[0]).toBe(50);
    expect(await threads[0]).toHaveLength(1);
    expect(batches.reduce((sum, size) => sum + size, 0)).toBe(MANY);
  });
});
