import { chmod, mkdir, mkdtemp, readdir, rm, utimes } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { lock } from "proper-lockfile";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { withFileLock } from "./file-lock.ts";

let folder: string;
let path: string;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "session-manager-lock-"));
  path = join(folder, "settings.json");
});

afterEach(() => rm(folder, { recursive: true }));

describe("withFileLock", () => {
  it("lets one after the other write, and leaves nothing", async () => {
    const told: string[] = [];
    const write = (name: string) =>
      withFileLock(path, async () => {
        told.push(`${name} begins`);
        await delay(5);
        told.push(`${name} ends`);
        return name;
      });
    expect(await Promise.all([write("a"), write("b")])).toEqual(["a", "b"]);
    expect(told.map((text) => text.split(" ")[1])).toEqual(["begins", "ends", "begins", "ends"]);
    expect(await readdir(folder)).toEqual([]);
  });

  it("waits for the agent, which locks in the same way, and gives up with a word", async () => {
    const release = await lock(path, { realpath: false, update: 1_000 });
    await expect(withFileLock(path, async () => "written")).rejects.toMatchObject({
      code: "CONFLICT",
      message: expect.stringContaining(path),
    });
    const waiting = withFileLock(path, async () => "written");
    await release();
    expect(await waiting).toBe("written");
  });

  it.each([
    ["long ago", 60_000],
    ["just now", 0],
  ])("takes the lock of a process that was killed %s", async (_, ago) => {
    await mkdir(`${path}.lock`);
    const then = new Date(Date.now() - ago);
    await utimes(`${path}.lock`, then, then);
    expect(await withFileLock(path, async () => "written")).toBe("written");
  });

  it("lets go when the action fails", async () => {
    await expect(withFileLock(path, () => Promise.reject(new Error("no")))).rejects.toThrow("no");
    expect(await readdir(folder)).toEqual([]);
  });

  it("says that a folder cannot be written", async () => {
    await chmod(folder, 0o555);
    const isRoot = process.geteuid?.() === 0;
    // Root may write everywhere.
    if (isRoot) process.seteuid?.("nobody");
    try {
      await expect(withFileLock(path, async () => "written")).rejects.toMatchObject({ code: "READ_ONLY" });
    } finally {
      if (isRoot) process.seteuid?.(0);
      await chmod(folder, 0o755);
    }
  });
});
