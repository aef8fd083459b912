import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { bytesOf, lines, MemoryFile } from "./vault.fixture.ts";
import { Vault } from "./vault.ts";
import { work } from "./work.ts";

const MB = 1024 * 1024;
const DAY = 24 * 60 * 60 * 1000;

let directory: string;
let vault: Vault;
let now: number;

beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), "vault-"));
  now = 1_700_000_000_000;
  vault = open();
});

afterEach(() => {
  vault.close();
  rmSync(directory, { recursive: true });
});

function open(): Vault {
  return Vault.open(join(directory, "vault.db"), { clock: () => now });
}

/** What `action` costs. */
function costOf(action: () => unknown): typeof work {
  const before = { ...work };
  action();
  return {
    rowsWritten: work.rowsWritten - before.rowsWritten,
    bytesRead: work.bytesRead - before.bytesRead,
    bytesPacked: work.bytesPacked - before.bytesPacked,
    bytesUnpacked: work.bytesUnpacked - before.bytesUnpacked,
  };
}

function kept(path: string): string {
  return bytesOf(vault, vault.newest(path)).toString();
}

describe("keeping", () => {
  it("keeps what a file has, with what is known of it", () => {
    const file = new MemoryFile("/s/a.jsonl", lines(1, 3 * MB));
    expect(vault.keep(file.opened())).toEqual({ addedBytes: file.content.length, isNewGeneration: true });
    expect(vault.newest("/s/a.jsonl")).toMatchObject({
      path: "/s/a.jsonl",
      owner: null,
      format: "pi",
      sessionId: "id of /s/a.jsonl",
      stamp: file.stamp,
      mode: 0o600,
      bytes: file.content.length,
      vanishedAt: null,
      replacedAt: null,
      deletedAt: null,
    });
    expect(bytesOf(vault, vault.newest("/s/a.jsonl")).equals(file.content)).toBe(true);
    expect(vault.stampsOf(["/s/a.jsonl", "/s/b.jsonl"])).toEqual(new Map([["/s/a.jsonl", file.stamp]]));
  });

  it.each(["", "{}", "no end of a line", lines(3, 200_000), "x".repeat(3 * MB)])(
    "keeps files of any size: %#",
    (text) => {
      vault.keep(new MemoryFile("/a", text).opened());
      expect(kept("/a") === text).toBe(true);
    },
  );

  it("costs nothing where nothing has changed, and the new lines where the file grew", () => {
    const file = new MemoryFile("/a", lines(1, 3 * MB));
    vault.keep(file.opened());
    expect(costOf(() => vault.keep(file.opened()))).toEqual({
      rowsWritten: 0,
      bytesRead: 0,
      bytesPacked: 0,
      bytesUnpacked: 0,
    });
    const line = `{"id":"new","text":"${"said ".repeat(200)}"}\n`;
    const cost = costOf(() => vault.keep(file.append(line).opened()));
    expect(cost).toMatchObject({ rowsWritten: 3, bytesPacked: line.length, bytesUnpacked: 0 });
    expect(cost.bytesRead).toBeLessThan(line.length + 2048);
    expect(vault.generations("/a")).toHaveLength(1);
    expect(kept("/a") === file.content.toString()).toBe(true);
  });

  it("packs lines once more when there are many of them, and not more often", () => {
    const file = new MemoryFile("/a", lines(1, 300_000));
    vault.keep(file.opened());
    let appended = 0;
    const { bytesPacked } = costOf(() => {
      for (let n = 0; n < 400; n++) {
        const line = lines(n, 1_000);
        appended += line.length;
        vault.keep(file.append(line).opened());
      }
    });
    expect(bytesPacked).toBeLessThan(4 * appended);
    expect(kept("/a") === file.content.toString()).toBe(true);
    expect(vault.generations("/a")).toHaveLength(1);
  });

  it("keeps equal content once, wherever it is in a file", () => {
    const common = lines(1, 4 * MB);
    vault.keep(new MemoryFile("/a", common).opened());
    const { bytesPacked } = costOf(() => vault.keep(new MemoryFile("/fork", `${lines(2, 10_000)}${common}`).opened()));
    expect(bytesPacked).toBeLessThan(2.5 * MB);
    expect(costOf(() => vault.keep(new MemoryFile("/copy", common).opened())).bytesPacked).toBe(0);
  });

  it("begins a generation when the beginning or the kept end of a file changes", () => {
    const first = lines(1, 2 * MB);
    const file = new MemoryFile("/a", first);
    vault.keep(file.opened());
    now += 1000;
    const second = `{"id":"other"}\n${first}`;
    expect(vault.keep(file.set(second).opened()).isNewGeneration).toBe(true);
    expect(vault.keep(file.set(first.slice(0, 1000)).opened()).isNewGeneration).toBe(true);
    const generations = vault.generations("/a");
    expect(generations.map((one) => bytesOf(vault, one).toString() === "")).toEqual([false, false, false]);
    expect(generations.map(({ bytes }) => bytes)).toEqual([1000, second.length, first.length]);
    expect(generations.map(({ replacedAt }) => replacedAt)).toEqual([null, now, now]);
  });

  it("compares a file of the same size, and sees a change in the middle", () => {
    const file = new MemoryFile("/a", lines(1, 2 * MB));
    vault.keep(file.opened());
    const same = vault.keep(file.set(file.content).opened());
    expect(same).toEqual({ addedBytes: 0, isNewGeneration: false });
    expect(vault.newest("/a")?.stamp).toEqual(file.stamp);
    const changed = Buffer.from(file.content);
    changed.write("changed", MB);
    expect(vault.keep(file.set(changed).opened()).isNewGeneration).toBe(true);
  });

  it("goes on where it was interrupted, and shows nothing before it is complete", () => {
    const file = new MemoryFile("/a", lines(1, 10 * MB));
    const opened = file.opened();
    const failing = (buffer: Uint8Array, offset: number) => {
      if (offset > 9 * MB) throw new Error("gone");
      return file.content.copy(buffer, 0, offset);
    };
    expect(() => vault.keep({ ...opened, read: failing })).toThrow("gone");
    expect(vault.newest("/a")).toBeNull();
    expect([...vault.keptSessions()]).toEqual([]);
    vault.close();
    vault = open();
    const rest = costOf(() => vault.keep(opened));
    expect(rest.bytesPacked).toBeLessThan(4 * MB);
    expect(kept("/a") === file.content.toString()).toBe(true);
  });

  it("keeps a prefix of a file that is cut off while it is read, and looks again", () => {
    const file = new MemoryFile("/a", lines(1, 2 * MB));
    const opened = file.opened();
    file.content = file.content.subarray(0, MB);
    vault.keep(opened);
    expect(kept("/a") === file.content.toString()).toBe(true);
    expect(vault.stampsOf(["/a"]).get("/a")).not.toEqual(opened.stamp);
  });
});

describe("what becomes of the original", () => {
  it("is told by lists of kept and of vanished sessions", () => {
    for (const path of ["/a", "/b", "/c"]) vault.keep(new MemoryFile(path, path).opened());
    const companion = new MemoryFile("/a/x", "x");
    companion.owner = "/a";
    vault.keep(companion.opened());
    vault.setVanished(["/b", "/none"], now);
    expect([...vault.keptSessions()].map(({ path, vanishedAt }) => [path, vanishedAt])).toEqual([
      ["/a", null],
      ["/b", now],
      ["/c", null],
    ]);
    expect([...vault.vanishedSessions()].map(({ path }) => path)).toEqual(["/b"]);
    expect(vault.companionsOf("/a").map(({ path }) => path)).toEqual(["/a/x"]);
    expect(vault.status()).toMatchObject({ sessions: 3, onlyHere: 1, originalBytes: 7, oldestAt: now });
    vault.setReturned(["/b"]);
    expect([...vault.vanishedSessions()]).toEqual([]);
  });

  it("moves with it, also to a place where something is kept", () => {
    const file = new MemoryFile("/a", "one");
    vault.keep(file.opened());
    vault.move("/a", "/b");
    expect([vault.newest("/a"), kept("/b")]).toEqual([null, "one"]);
    vault.keep(new MemoryFile("/c", "two").opened());
    vault.setVanished(["/c"]);
    vault.move("/b", "/c");
    expect(vault.generations("/c").map((one) => bytesOf(vault, one).toString())).toEqual(["one", "two"]);
    expect(vault.newest("/c")?.vanishedAt).toBeNull();
  });

  it("is deleted after a time, and comes back before", () => {
    for (const path of ["/a", "/b"]) vault.keep(new MemoryFile(path, path).opened());
    vault.markDeleted(["/a", "/b"]);
    expect([...vault.keptSessions()]).toEqual([]);
    expect(vault.deleted().map(({ path }) => path)).toEqual(["/b", "/a"]);
    expect([vault.undelete("/a"), vault.undelete("/a")]).toEqual([true, false]);
    for (let day = 0; day < 29; day++) {
      now += DAY;
      expect(vault.purge({ deletedFor: 30 * DAY }).generations).toEqual([]);
    }
    now += DAY;
    const dry = vault.purge({ deletedFor: 30 * DAY, isDryRun: true });
    expect(dry.generations).toMatchObject([{ path: "/b", reason: "deleted" }]);
    expect(vault.newest("/b")).not.toBeNull();
    expect(vault.purge({ deletedFor: 30 * DAY })).toEqual(dry);
    expect([kept("/a"), vault.newest("/b")]).toEqual(["/a", null]);
  });

  it("is not purged early by a clock that jumps", () => {
    vault.keep(new MemoryFile("/a", "a").opened());
    vault.markDeleted(["/a"]);
    for (const jump of [400 * DAY, -500 * DAY, 400 * DAY, -300 * DAY]) {
      now += jump;
      expect(vault.purge({ deletedFor: 30 * DAY }).generations).toEqual([]);
    }
  });

  it("is forgotten at once, but not what others share", () => {
    const common = lines(1, 2 * MB);
    vault.keep(new MemoryFile("/a", common).opened());
    vault.keep(new MemoryFile("/b", `${common}${lines(2, 2 * MB)}`).opened());
    const { bytes } = vault.status();
    vault.forget(["/b"]);
    expect(vault.generations("/b")).toEqual([]);
    expect(kept("/a") === common).toBe(true);
    vault.forget(["/a"]);
    vault.close();
    vault = open();
    expect(vault.status()).toMatchObject({ sessions: 0, originalBytes: 0 });
    expect(vault.status().bytes).toBeLessThan(bytes / 4);
  });

  it("makes room by the oldest of what is nowhere else", () => {
    for (const [n, path] of ["/a", "/b", "/c", "/d"].entries()) {
      vault.keep(new MemoryFile(path, lines(n, 2 * MB)).opened());
    }
    for (const path of ["/c", "/a", "/b"]) {
      now += 1000;
      vault.setVanished([path]);
    }
    const plan = vault.purge({ maxBytes: 500_000, isDryRun: true });
    expect(plan.generations.map(({ path, reason }) => [path, reason])).toContainEqual(["/c", "size"]);
    expect(plan.generations.map(({ path }) => path)).toEqual(["/c", "/a", "/b"].slice(0, plan.generations.length));
    vault.purge({ maxBytes: 0 });
    expect([...vault.keptSessions()].map(({ path }) => path)).toEqual(["/d"]);
  });
});

describe("another process", () => {
  /** Keeps a file while another connection does something after its bytes were read, and before they are written. */
  function keepWhile(file: MemoryFile, action: (other: Vault) => void): void {
    const other = open();
    let isDone = false;
    const opened = file.opened();
    const read = (buffer: Uint8Array, offset: number) => {
      // The marks are read after the content.
      if (!isDone && offset > 0 && buffer.length === 256) {
        isDone = true;
        action(other);
      }
      return file.content.copy(buffer, 0, offset);
    };
    vault.keep({ ...opened, read });
    other.close();
    expect(isDone).toBe(true);
    expect(bytesOf(vault, vault.newest(file.path)).equals(file.content)).toBe(true);
    expect(vault.generations(file.path)).toHaveLength(1);
  }

  it("may remove the chunks that are counted on", () => {
    const common = lines(1, MB);
    vault.keep(new MemoryFile("/a", common).opened());
    keepWhile(new MemoryFile("/copy", common), (other) => other.forget(["/a"]));
  });

  it("may keep the same file meanwhile", () => {
    const file = new MemoryFile("/a", lines(1, 5 * MB));
    keepWhile(file, (other) => other.keep(file.opened()));
  });

  it("may keep what was appended meanwhile", () => {
    const file = new MemoryFile("/a", lines(1, 300_000));
    vault.keep(file.opened());
    file.append(lines(2, 1_000));
    const grown = file.opened();
    file.append(lines(3, 900_000));
    const other = open();
    other.keep(grown);
    other.close();
    keepWhile(file, (third) => third.keep(grown));
  });

  it("may have opened the file later, and kept more of it", () => {
    const file = new MemoryFile("/a", lines(1, 300_000));
    const earlier = file.opened();
    file.append(lines(2, 1_000));
    vault.keep(file.opened());
    expect(vault.keep({ ...earlier, read: file.opened().read })).toEqual({ addedBytes: 0, isNewGeneration: false });
    expect(vault.stampsOf(["/a"]).get("/a")).toEqual(file.stamp);
    expect(vault.generations("/a")).toHaveLength(1);
  });

  it("may forget a file that is being kept", () => {
    const file = new MemoryFile("/a", lines(1, 5 * MB));
    vault.keep(new MemoryFile("/a", lines(2, 1_000)).opened());
    keepWhile(file, (other) => other.forget(["/a"]));
  });
});
