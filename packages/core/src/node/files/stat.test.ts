import { execFileSync } from "node:child_process";
import { closeSync, constants, openSync } from "node:fs";
import { mkdir, mkdtemp, realpath, rm, symlink, writeFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { openFileSync } from "./open-file.ts";
import { statDescriptor, statPath } from "./stat.ts";

let folder: string;
let pipe: string;

beforeEach(async () => {
  folder = await realpath(await mkdtemp(join(tmpdir(), "session-manager-stat-")));
  pipe = join(folder, "pipe");
});

afterEach(() => rm(folder, { recursive: true }));

/** A module that lies elsewhere, as package managers install them. */
async function linkedModule(name: string): Promise<string> {
  const file = join(folder, "store", name, "index.js");
  await mkdir(join(folder, "store", name), { recursive: true });
  await mkdir(join(folder, "node_modules"), { recursive: true });
  await writeFile(file, "");
  await symlink(join(folder, "store", name), join(folder, "node_modules", name));
  return file;
}

describe.runIf(process.platform !== "win32")("a pipe that was looked at", () => {
  const descriptor = () => openSync(pipe, constants.O_RDONLY | constants.O_NONBLOCK);

  it.each([
    ["by its path", () => expect(statPath(pipe)?.isFIFO()).toBe(true)],
    [
      "by its descriptor",
      () => {
        const opened = descriptor();
        expect(statDescriptor(opened).isFIFO()).toBe(true);
        closeSync(opened);
      },
    ],
    ["when it was opened for a file", () => expect(() => openFileSync(pipe, () => true)).toThrow("ELOOP")],
  ])("(%s) leaves modules to be found as before", async (_, look) => {
    execFileSync("mkfifo", [pipe]);
    const modules = createRequire(join(folder, "main.js"));
    const [first, second] = [await linkedModule("first"), await linkedModule("second")];
    // What leads to the folder is known to Node from here on.
    expect(modules.resolve("first")).toBe(first);
    look();
    expect(modules.resolve("second")).toBe(second);
  });

  it("is told from what is not there", () => {
    expect(statPath(join(folder, "nothing"))).toBeUndefined();
  });
});
