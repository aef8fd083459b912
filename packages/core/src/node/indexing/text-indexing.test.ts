import { lstatSync } from "node:fs";
import { mkdir, rm, symlink, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { createSegmentBuilder } from "@sm/text-index";
import { describe, expect, it, vi } from "vitest";
import { Catalog } from "../catalog/catalog.ts";
import { openCatalog, openShard, prepareIndex } from "../catalog/index-databases.ts";
import { dumpIndex } from "../catalog/index-dump.fixture.ts";
import { jsonl, SessionText, TestHome } from "../library/library.fixture.ts";
import { stampOf } from "../session-file/file-stamp.ts";
import { work } from "../session-file/work.ts";
import { scanFiles } from "./scanner.ts";
import { TextIndex } from "./text-indexing.ts";

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
      const { sessions } = new TextIndex(shard, catalog).index(scanned);
      expect(sessions).toMatchObject([{ complete: true }, { complete: true }]);
      expect(paths.map((path) => catalog.find(path)?.indexedCount)).toEqual([0, 1]);
    } finally {
      shard.close();
      catalog.close();
    }
  });
});

describe("a text index", () => {
  function open(dataDir: string) {
    const { place } = prepareIndex(dataDir, 1);
    const catalog = new Catalog(openCatalog(place));
    const shard = openShard(place, 0);
    const text = new TextIndex(shard, catalog);
    return {
      text,
      shard,
      /** Reads records and text; gives the bytes of the text. */
      take(...paths: string[]): number {
        const scanned = scanFiles(
          paths.map((path) => ({ path, stamp: stampOf(lstatSync(path)), shard: 0 })),
          catalog,
        );
        const { sessions } = text.index(scanned);
        expect(sessions.every((session) => session.complete)).toBe(true);
        return sessions.reduce((sum, { bytes }) => sum + bytes, 0);
      },
      tidy(): void {
        while (text.tidy() !== "none");
      },
      [Symbol.dispose](): void {
        shard.close();
        catalog.close();
      },
    };
  }

  it("that has followed a session comes to a fresh one, and is without dead documents when it is merged", async () => {
    await using home = await TestHome.create();
    const session = new SessionText();
    const other = await home.write("p/b.jsonl", new SessionText().user("albatross ".repeat(20)).lines);
    const path = await home.write("p/a.jsonl", session.lines);
    {
      using index = open(home.data);
      index.take(path, other);
      for (let round = 0; round < 10; round++) {
        const written = session.lines.length;
        // The outline is kept in chunks of 256 entries.
        for (let n = 0; n < 111; n++) session.user(`question ${n} of round ${round}`);
        const target = session.leaf;
        session.label(target, "replaced").label(target, `label ${round}`);
        session.entry({ type: "session_info", name: `name ${round}` });
        const lines = session.lines.slice(written);
        await home.append(path, lines);
        // With the first entries comes the header.
        const header = round === 0 ? jsonl(session.lines.slice(0, 1)).length : 0;
        expect(index.take(path)).toBe(header + jsonl(lines).length);
      }
      await writeFile(other, jsonl(new SessionText().user("cormorant").lines));
      index.take(other);
      expect(dumpIndex(home.data).dead).toBeGreaterThan(10);
      index.text.sweep(0);
      index.tidy();
    }
    const fresh = join(home.directory, "fresh");
    {
      using index = open(fresh);
      index.take(path, other);
    }
    const [followed, expected] = [dumpIndex(home.data), dumpIndex(fresh)];
    expect(followed.files).toEqual(expected.files);
    expect(followed.documents).toEqual(expected.documents);
    expect(followed.documents).toHaveLength(10 * (111 + 1) + 1 + 1);
    expect(followed.dead).toBe(0);
  });

  it("locks nobody out while it reads files", async () => {
    await using home = await TestHome.create();
    const path = await home.write("p/a.jsonl", new SessionText().user("albatross").lines);
    using index = open(home.data);
    const builder: ReturnType<typeof createSegmentBuilder> = Object.getPrototypeOf(createSegmentBuilder());
    const { addJson } = builder;
    const isWriting: boolean[] = [];
    const run = vi.spyOn(builder, "addJson").mockImplementation(function (this: typeof builder, ...text) {
      isWriting.push(index.shard.inTransaction);
      return addJson.apply(this, text);
    });
    try {
      index.take(path);
    } finally {
      run.mockRestore();
    }
    expect(isWriting).toEqual([false]);
  });

  it("reads a short session once for its record and once for its text, with few statements", async () => {
    await using home = await TestHome.create();
    const count = 40;
    const names = Array.from({ length: count }, (_, n) => `p/${n}.jsonl`);
    const lines = (name: string) => {
      const session = new SessionText().user(`question in ${name}`).assistant("answer");
      session.entry({ type: "session_info", name });
      return session.lines;
    };
    const [first = "", ...paths] = await Promise.all(names.map((name) => home.write(name, lines(name))));
    using index = open(home.data);
    // Prepares what is prepared once.
    index.take(first);
    const statement = Object.getPrototypeOf(index.shard.prepare("SELECT 1"));
    const runs = (["run", "get", "all"] as const).map((method) => vi.spyOn(statement, method));
    const before = { ...work };
    index.take(...paths);
    const statements = runs.reduce((sum, { mock }) => sum + mock.calls.length, 0);
    for (const run of runs) run.mockRestore();
    expect(work.filesOpened - before.filesOpened).toBe(2 * paths.length);
    expect(work.reads - before.reads).toBe(2 * paths.length);
    // Rows of the session, its outline, its activity, and its progress; the rest is of the batch.
    expect(statements / paths.length).toBeLessThan(8.7);
  });

  it("keeps nothing of a task in which a program has trapped, and begins anew", async () => {
    await using home = await TestHome.create();
    const paths = await Promise.all(
      ["albatross", "cormorant"].map((word) => home.write(`p/${word}.jsonl`, new SessionText().user(word).lines)),
    );
    using index = open(home.data);
    const builder: ReturnType<typeof createSegmentBuilder> = Object.getPrototypeOf(createSegmentBuilder());
    const { addJson } = builder;
    const run = vi.spyOn(builder, "addJson");
    run.mockImplementationOnce(addJson);
    run.mockImplementationOnce(() => {
      throw new WebAssembly.RuntimeError("unreachable");
    });
    try {
      expect(() => index.take(...paths)).toThrow(WebAssembly.RuntimeError);
    } finally {
      run.mockRestore();
    }
    expect(dumpIndex(home.data).documents).toEqual([]);
    index.take(...paths);
    const fresh = join(home.directory, "fresh");
    {
      using other = open(fresh);
      other.take(...paths);
    }
    expect(dumpIndex(home.data).documents).toEqual(dumpIndex(fresh).documents);
  });
});
