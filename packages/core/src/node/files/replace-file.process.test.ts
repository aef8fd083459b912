import { spawn } from "node:child_process";
import { once } from "node:events";
import { chmod, lstat, mkdir, mkdtemp, readdir, readFile, rm, stat, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { build } from "esbuild";
import fc from "fast-check";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { replaceFile } from "./replace-file.ts";

const KILLS = Math.ceil(20 * Number(process.env.SESSION_MANAGER_TEST_SCALE ?? 1));

/** So many replacements each process has made when it is killed in a later one. */
const REPLACED_BEFORE = 2;

let folder: string;
let path: string;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "session-manager-file-"));
  path = join(folder, "file.json");
});

afterEach(() => rm(folder, { recursive: true }));

const modeOf = async (file: string) => (await stat(file)).mode & 0o777;

describe("replaceFile", () => {
  it("makes a file with the mode of new ones", async () => {
    await replaceFile(path, "new", 0o600);
    expect(await readFile(path, "utf8")).toBe("new");
    expect(await modeOf(path)).toBe(0o600);
  });

  it.each([0o600, 0o644, 0o666])("keeps the mode %o of a file", async (mode) => {
    await writeFile(path, "old");
    await chmod(path, mode);
    await replaceFile(path, "new", 0o600);
    expect(await readFile(path, "utf8")).toBe("new");
    expect(await modeOf(path)).toBe(mode);
  });

  it("gives a reader of the old file the old text to its end", async () => {
    await writeFile(path, "old");
    const before = await stat(path);
    await replaceFile(path, "new", 0o600);
    expect((await stat(path)).ino).not.toBe(before.ino);
  });

  it.each([
    ["a file", "elsewhere/file.json", "old"],
    ["a file that is missing", "elsewhere/file.json", null],
    ["another link", "link.json", "old"],
  ])("leaves a link to %s as it is and replaces what it leads to", async (_case, target, text) => {
    const real = join(folder, "elsewhere", "file.json");
    await mkdir(join(folder, "elsewhere"));
    if (text !== null) await writeFile(real, text);
    await symlink("elsewhere/file.json", join(folder, "link.json"));
    await symlink(target, path);
    await replaceFile(path, "new", 0o600);
    expect((await lstat(path)).isSymbolicLink()).toBe(true);
    expect((await lstat(real)).isFile()).toBe(true);
    expect(await readFile(real, "utf8")).toBe("new");
  });

  it("leaves nothing behind where it fails", async () => {
    await mkdir(join(path, "full"), { recursive: true });
    await expect(replaceFile(path, "new", 0o600)).rejects.toThrow();
    expect(await readdir(folder)).toEqual(["file.json"]);
  });
});

/** Gives a file numbered contents until it is killed, and prints the number of each when it is there. */
const WRITER = `
import { writeSync } from "node:fs";
import { replaceFile } from "./replace-file.ts";

const [path, first, filling] = process.argv.slice(2);
for (let number = Number(first); ; number++) {
  await replaceFile(path, JSON.stringify({ number, filling: filling.repeat(100_000), end: number }), 0o600);
  writeSync(1, number + "\\n");
}
`;

describe("a process that is killed", () => {
  it("leaves the old text or the new one, never a part", async () => {
    const script = join(folder, "writer.mjs");
    await build({
      stdin: { contents: WRITER, resolveDir: import.meta.dirname, loader: "ts" },
      outfile: script,
      bundle: true,
      platform: "node",
      format: "esm",
    });
    let number = -1;
    for (const delayMs of fc.sample(fc.nat(10), { numRuns: KILLS, unbiased: true })) {
      const writer = spawn(process.execPath, [script, path, `${number + 1}`, "ab"], {
        stdio: ["ignore", "pipe", "inherit"],
      });
      let acknowledged = number;
      writer.stdout.on("data", (lines) => {
        acknowledged = Number(lines.toString().trim().split("\n").at(-1));
      });
      const last = number + REPLACED_BEFORE;
      while (acknowledged < last) await once(writer.stdout, "data");
      await delay(delayMs);
      writer.kill("SIGKILL");
      await once(writer, "close");
      const found = JSON.parse(await readFile(path, "utf8")) as { number: number; end: number };
      expect(found.end).toBe(found.number);
      expect([acknowledged, acknowledged + 1]).toContain(found.number);
      number = found.number;
    }
    expect(number).toBeGreaterThanOrEqual(KILLS * REPLACED_BEFORE - 1);
  });
});
