import { readdirSync, statSync } from "node:fs";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { openDatabase, runWriteTransaction } from "../storage/sqlite.ts";
import { openCatalog, openShard, prepareIndex, prepareSuccessor } from "./index-databases.ts";

let directory: string;

beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), "session-manager-databases-"));
});

afterEach(() => rm(directory, { recursive: true }));

function setVersion(folder: string, change: (version: number) => number): void {
  const catalog = openDatabase(join(folder, "index.db"), { durability: "normal" });
  catalog.pragma(`user_version = ${change(Number(catalog.pragma("user_version", { simple: true })))}`);
  catalog.close();
}

/** Makes an index one of a content version that lies so far back. */
function age(folder: string, by = 1): void {
  setVersion(folder, (version) => version - by * 16);
}

const successorFolder = () => join(directory, "index-successor");
const files = (folder = directory) => readdirSync(folder).filter((name) => name.endsWith(".db"));

describe("the index of a data directory", () => {
  it("is made where there is none, and found again", () => {
    const made = prepareIndex(directory, 2);
    expect(made).toEqual({ place: { directory, shards: 2 }, rebuilt: null, isOutdated: false });
    expect(prepareIndex(directory, 4)).toEqual(made);
    expect(files()).toEqual(["index-text-0.db", "index-text-1.db", "index.db"]);
  });

  it.each([
    ["of the layout before", () => 2 * 16 + 2, "other version"],
    ["of the next layout", (version: number) => version + 4096 * 16, "other version"],
    ["with fewer text databases than it says", (version: number) => version + 1, "other version"],
    ["with more text databases than there can be", (version: number) => version + 9, "other version"],
    ["that was never made", () => 0, null],
  ])("is made anew instead of one %s", (_, change, rebuilt) => {
    prepareIndex(directory, 3);
    setVersion(directory, change);
    expect(prepareIndex(directory, 1)).toEqual({ place: { directory, shards: 1 }, rebuilt, isOutdated: false });
    expect(files()).toEqual(["index-text-0.db", "index.db"]);
  });

  it("is made anew instead of a damaged one", async () => {
    prepareIndex(directory, 1);
    await writeFile(join(directory, "index.db"), "no database".repeat(1000));
    expect(prepareIndex(directory, 1).rebuilt).toBe("damaged");
  });
});

describe("an open database", () => {
  it.each([
    ["the catalog", openCatalog],
    ["a text database", (place, queryOnly, more) => openShard(place, 0, queryOnly, more)],
  ] satisfies [string, typeof openCatalog][])("can be opened and read while it is written: %s", (_, open) => {
    const { place } = prepareIndex(directory, 1);
    const writer = open(place);
    try {
      writer.exec("BEGIN IMMEDIATE");
      for (const queryOnly of [false, true]) {
        const other = open(place, queryOnly, { waitMs: 0 });
        expect(other.prepare("SELECT count(*) FROM sqlite_schema").pluck().get()).toBeGreaterThan(0);
        other.close();
      }
    } finally {
      writer.close();
    }
  });

  it("is written when the other writer is done, though SQLite's own waiting was cut short", () => {
    const { place } = prepareIndex(directory, 1);
    const writer = openCatalog(place);
    const other = openCatalog(place, false, { waitMs: 0 });
    writer.exec("BEGIN IMMEDIATE");
    let looks = 0;
    const clock = vi.spyOn(performance, "now").mockImplementation(() => {
      if (++looks === 3) writer.exec("COMMIT");
      return looks;
    });
    try {
      expect(runWriteTransaction(other, () => "written")).toBe("written");
    } finally {
      clock.mockRestore();
      writer.close();
      other.close();
    }
  });

  it("of text gives pages back to the file system", () => {
    const shard = openShard(prepareIndex(directory, 1).place, 0);
    expect(shard.pragma("auto_vacuum", { simple: true })).toBe(2);
    shard.close();
  });
});

describe("an index of another content", () => {
  beforeEach(() => {
    prepareIndex(directory, 1);
    age(directory);
  });

  it("answers until its successor is whole, whatever happens in between", () => {
    const { place, isOutdated } = prepareIndex(directory, 1);
    expect([place.directory, isOutdated]).toEqual([directory, true]);
    const successor = prepareSuccessor(directory, place, 1);
    expect(successor.directory).toBe(successorFolder());
    const { ino } = statSync(join(successorFolder(), "index.db"));
    expect(prepareIndex(directory, 1)).toEqual({ place, rebuilt: null, isOutdated: true });
    expect(prepareSuccessor(directory, place, 1)).toEqual(successor);
    expect(statSync(join(successorFolder(), "index.db")).ino).toBe(ino);
  });

  it("has its place taken by the successor when it is gone, and the next one comes to the old place", async () => {
    const successor = prepareSuccessor(directory, prepareIndex(directory, 1).place, 1);
    await rm(join(directory, "index.db"));
    expect(prepareIndex(directory, 1)).toEqual({ place: successor, rebuilt: null, isOutdated: false });
    age(successorFolder());
    const { place, isOutdated } = prepareIndex(directory, 1);
    expect([place.directory, isOutdated]).toEqual([successorFolder(), true]);
    expect(prepareSuccessor(directory, place, 1).directory).toBe(directory);
    expect(prepareIndex(directory, 1)).toMatchObject({ place, isOutdated: true });
  });

  it("loses a successor that is of another content itself", () => {
    prepareSuccessor(directory, prepareIndex(directory, 1).place, 1);
    age(directory, -5);
    age(successorFolder(), -6);
    expect(prepareIndex(directory, 1)).toMatchObject({ place: { directory }, isOutdated: true });
    expect(files(successorFolder())).toEqual([]);
  });

  it("loses what was left of a successor when it is of this version again", () => {
    prepareSuccessor(directory, prepareIndex(directory, 1).place, 1);
    age(directory, -1);
    expect(prepareIndex(directory, 1)).toMatchObject({ place: { directory }, isOutdated: false });
    expect(files(successorFolder())).toEqual([]);
  });
});
