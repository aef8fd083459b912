import { mkdir, mkdtemp, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
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
  expect(await findProjectFiles(project, "", 2)).toMatchObject({ is_complete: false });
  expect(await findProjectFiles(join(home, "gone"), "")).toEqual({ files: [], is_complete: true });
});
