import { execFileSync } from "node:child_process";
import { link, mkdir, mkdtemp, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { readWholeFile } from "./open-file.ts";

let folder: string;
let path: string;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "session-manager-open-"));
  path = join(folder, "settings.json");
});

afterEach(() => rm(folder, { recursive: true }));

describe("a whole file", () => {
  it.each([0, 1, 64 * 1024 - 1, 64 * 1024, 64 * 1024 + 1, 200_000])("of %i bytes is read", async (size) => {
    const bytes = Buffer.alloc(size, "abc");
    await writeFile(path, bytes);
    expect((await readWholeFile(path, size)).equals(bytes)).toBe(true);
    if (size > 0) await expect(readWholeFile(path, size - 1)).rejects.toMatchObject({ code: "EFBIG" });
  });

  it("is read through links, which are the user's own", async () => {
    await writeFile(join(folder, "dotfile"), "{}");
    await link(join(folder, "dotfile"), join(folder, "hard"));
    await symlink("hard", path);
    expect(String(await readWholeFile(path, 10))).toBe("{}");
  });

  it.runIf(process.platform === "linux")("is read where the file system tells no size", async () => {
    const environment = await readWholeFile("/proc/self/status", 1_000_000);
    expect(String(environment)).toContain(`Pid:\t${process.pid}`);
    await expect(readWholeFile("/proc/self/status", 100)).rejects.toMatchObject({ code: "EFBIG" });
  });
});

describe.runIf(process.platform !== "win32")("what is no file", () => {
  it.each([
    ["a pipe that nobody writes to", () => execFileSync("mkfifo", [path])],
    ["a link to one", () => symlink("pipe", path)],
    ["a device that never ends", () => symlink("/dev/zero", path)],
    ["a directory", () => mkdir(path)],
  ])("(%s) is refused at once", async (_, make) => {
    execFileSync("mkfifo", [join(folder, "pipe")]);
    await make();
    await expect(readWholeFile(path, 100)).rejects.toMatchObject({ code: "ELOOP" });
  });
});
