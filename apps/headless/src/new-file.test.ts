import { mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { writeNewFile } from "./new-file.ts";

let folder: string;
let path: string;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "session-cli-"));
  path = join(folder, "export.md");
});

afterEach(() => rm(folder, { recursive: true }));

async function* pieces(...texts: string[]): AsyncGenerator<Uint8Array> {
  for (const text of texts) yield Buffer.from(text);
}

describe("writeNewFile", () => {
  it("writes all pieces", async () => {
    await writeNewFile(path, pieces("one ", "two"), { replace: false });
    expect(await readFile(path, "utf8")).toBe("one two");
    expect(await readdir(folder)).toEqual(["export.md"]);
  });

  it("replaces a file only where that is wanted", async () => {
    await writeFile(path, "old");
    const refused = writeNewFile(path, pieces("new"), { replace: false });
    await expect(refused).rejects.toMatchObject({ exitCode: 4, message: expect.stringContaining("--force") });
    expect(await readFile(path, "utf8")).toBe("old");
    await writeNewFile(path, pieces("new"), { replace: true });
    expect(await readFile(path, "utf8")).toBe("new");
    expect(await readdir(folder)).toEqual(["export.md"]);
  });

  it("says that a folder is missing", async () => {
    const missing = join(folder, "none");
    const refused = writeNewFile(join(missing, "a.md"), pieces("new"), { replace: false });
    await expect(refused).rejects.toMatchObject({
      exitCode: 4,
      message: expect.stringContaining(`${missing} does not`),
    });
  });

  it("does not replace a file that appears meanwhile", async () => {
    async function* slow(): AsyncGenerator<Uint8Array> {
      yield Buffer.from("mine");
      await writeFile(path, "theirs");
    }
    await expect(writeNewFile(path, slow(), { replace: false })).rejects.toMatchObject({ exitCode: 4 });
    expect(await readFile(path, "utf8")).toBe("theirs");
    expect(await readdir(folder)).toEqual(["export.md"]);
  });

  it("leaves nothing where the content breaks off", async () => {
    async function* broken(): AsyncGenerator<Uint8Array> {
      yield Buffer.from("half");
      throw new Error("broken off");
    }
    await expect(writeNewFile(path, broken(), { replace: false })).rejects.toThrow("broken off");
    await expect(writeNewFile(path, broken(), { replace: true })).rejects.toThrow("broken off");
    expect(await readdir(folder)).toEqual([]);
  });
});
