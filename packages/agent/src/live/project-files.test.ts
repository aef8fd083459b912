import { execFileSync } from "node:child_process";
import fs, { mkdir, mkdtemp, rm, symlink, writeFile } from "node:fs/promises";
import { syncBuiltinESMExports } from "node:module";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterAll, beforeAll, expect, it, vi } from "vitest";
import { findProjectFiles } from "./project-files.ts";

let home: string;
let project: string;

beforeAll(async () => {
  home = await mkdtemp(join(tmpdir(), "session-manager-files-"));
  project = join(home, "project");
  for (const path of [
    "project/readme.md",
    "project/src/main.ts",
    "project/src/domain/Main.test.ts",
    "project/main/other.ts",
    "project/.github/main.yml",
    "project/.git/main",
    "project/node_modules/main/index.js",
    "secret/main.key",
  ]) {
    await mkdir(dirname(join(home, path)), { recursive: true });
    await writeFile(join(home, path), "");
  }
  await symlink(join(home, "secret"), join(project, "secret"));
  await symlink(join(home, "secret/main.key"), join(project, "main.key"));
});

afterAll(() => rm(home, { recursive: true }));

it("names that begin with the text come first, then the shorter path; links lead nowhere", async () => {
  expect(await findProjectFiles(project, "MAIN")).toEqual({
    files: ["src/main.ts", ".github/main.yml", "src/domain/Main.test.ts", "main/other.ts"],
    is_complete: true,
  });
});

it.each([
  ["", 5],
  ["../secret", 0],
  ["src/", 2],
  ["nothing", 0],
])("%j finds %i files", async (text, count) => {
  expect((await findProjectFiles(project, text)).files).toHaveLength(count);
});

it("a folder with more than is looked at says so, as does one that is gone say nothing", async () => {
  expect(await findProjectFiles(project, "", { entries: 2, milliseconds: 60_000 })).toMatchObject({
    is_complete: false,
  });
  expect(await findProjectFiles(project, "", { entries: 50, milliseconds: -1 })).toEqual({
    files: [],
    is_complete: false,
  });
  expect(await findProjectFiles(join(home, "gone"), "")).toEqual({ files: [], is_complete: true });
});

it("the best of many are found wherever they are, and special files and what fails midway are no hindrance", async () => {
  const large = join(home, "large");
  await mkdir(join(large, "last"), { recursive: true });
  await Promise.all(Array.from({ length: 1_500 }, (_, at) => writeFile(join(large, `some-file-${at}`), "")));
  await writeFile(join(large, "last/file"), "");
  if (process.platform !== "win32") execFileSync("mkfifo", [join(large, "file-pipe")]);
  const whole = fs.opendir;
  vi.spyOn(fs, "opendir").mockImplementation(async (path, ...options) => {
    const entries = await whole(path, ...options);
    if (!String(path).endsWith("large")) return entries;
    return (async function* () {
      yield* entries;
      throw Object.assign(new Error("EIO"), { code: "EIO" });
    })() as never;
  });
  syncBuiltinESMExports();
  try {
    const { files, is_complete } = await findProjectFiles(large, "file");
    expect([files[0], files[1], files.length, is_complete]).toEqual(["last/file", "some-file-0", 50, true]);
  } finally {
    vi.restoreAllMocks();
    syncBuiltinESMExports();
  }
});
