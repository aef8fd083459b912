import { chmod, mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { ProgramFinder } from "./agent-program.ts";

let folder: string;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "session-manager-program-"));
});

afterEach(() => rm(folder, { recursive: true }));

async function install(path: string, mode = 0o755, text = "#!/bin/sh\n"): Promise<string> {
  const file = join(folder, path);
  await mkdir(dirname(file), { recursive: true });
  await writeFile(file, text);
  await chmod(file, mode);
  return file;
}

const finder = (command: string, platform: NodeJS.Platform = "linux") =>
  new ProgramFinder({ command, env: { PATH: `relative:${folder}/a:${folder}/b` }, platform });

describe("ProgramFinder", () => {
  it("takes the first program of that name on the PATH", async () => {
    await install("a/pi", 0o644);
    const file = await install("b/pi");
    expect(await finder("pi").find()).toEqual({ file, args: [] });
  });

  it("takes a path, and starts a script with Node", async () => {
    const file = await install("some where/pi");
    expect(await finder(file).find()).toEqual({ file, args: [] });
    const script = await install("cli.js", 0o644);
    expect(await finder(script).find()).toEqual({ file: process.execPath, args: [script] });
  });

  it.each(["pi", "./pi", "/nowhere/pi", ""])("says how to install what it does not find: %s", async (command) => {
    await expect(finder(command).find()).rejects.toMatchObject({
      code: "UNAVAILABLE",
      message: expect.stringContaining("npm install -g @earendil-works/pi-coding-agent"),
    });
  });

  it("notices what comes, moves and goes", async () => {
    let now = 0;
    const pi = new ProgramFinder({ command: "pi", env: { PATH: `${folder}/a:${folder}/b` }, now: () => now });
    await expect(pi.find()).rejects.toThrow();
    const file = await install("b/pi");
    await expect(pi.find()).rejects.toThrow();
    now = 1_000;
    expect(await pi.find()).toEqual({ file, args: [] });
    await rm(file);
    const moved = await install("a/pi");
    expect(await pi.find()).toEqual({ file: moved, args: [] });
    await rm(moved);
    await expect(pi.find()).rejects.toMatchObject({ code: "UNAVAILABLE" });
  });

  it.each([
    ["npm", '"%_prog%"  "%dp0%\\node_modules\\agent\\dist\\cli.js" %*'],
    ["old npm", '  node  "%~dp0\\node_modules\\agent\\dist\\cli.js" %*'],
  ])("starts on Windows what the shim of %s would start", async (_, line) => {
    await install("b/pi.cmd", 0o755, `@ECHO off\r\n${line}\r\n`);
    const script = join(folder, "b", "node_modules", "agent", "dist", "cli.js");
    expect(await finder("pi", "win32").find()).toEqual({ file: "node", args: [script] });
  });

  it("starts on Windows no shim that it does not understand", async () => {
    await install("a/pi.cmd", 0o755, "@ECHO off\r\nsomething else\r\n");
    const file = await install("b/pi.exe");
    expect(await finder("pi", "win32").find()).toEqual({ file, args: [] });
  });
});
