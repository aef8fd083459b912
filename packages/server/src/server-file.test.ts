import { chmod, mkdtemp, readdir, readFile, rm, stat, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { createLog } from "./log.ts";
import { type ServerFile, writeServerFile } from "./server-file.ts";

let folder: string;
let path: string;
let lines: string[];

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "session-manager-data-"));
  path = join(folder, "server.json");
  lines = [];
});

afterEach(() => rm(folder, { recursive: true }));

const OWN: ServerFile = {
  url: "http://127.0.0.1:1",
  pid: process.pid,
  version: "1.2.3",
  started_at: "2026-01-01T00:00:00.000Z",
};

/** No system gives out numbers as high as this one. */
const NO_PROCESS = 2 ** 31 - 1;

const write = (server = OWN) =>
  writeServerFile(folder, server, createLog("info", { write: (line) => lines.push(line) }));

const read = async () => JSON.parse(await readFile(path, "utf8")) as unknown;

describe("writeServerFile", () => {
  it("writes where the server is, for its own user only, and removes it at the end", async () => {
    const remove = await write();
    expect(await read()).toEqual(OWN);
    expect((await stat(path)).mode & 0o777).toBe(0o600);
    await remove();
    expect(await readdir(folder)).toEqual([]);
    expect(lines).toEqual([]);
  });

  it.each([
    ["a server that was killed", JSON.stringify({ ...OWN, pid: NO_PROCESS, url: "http://127.0.0.1:2" })],
    ["nothing that can be read", "{"],
    ["something else", "[1]"],
  ])("replaces what %s has left", async (_case, text) => {
    await writeFile(path, text);
    await chmod(path, 0o666);
    await write();
    expect(await read()).toEqual(OWN);
    expect((await stat(path)).mode & 0o777).toBe(0o600);
    expect(lines).toEqual([]);
  });

  it("warns of another server on the same directory", async () => {
    await write({ ...OWN, pid: process.ppid });
    await write();
    expect(lines.map((line) => JSON.parse(line))).toMatchObject([
      { level: "warn", msg: expect.stringContaining("Another server"), other: { pid: process.ppid } },
    ]);
  });

  it("leaves the file of a server that has come later", async () => {
    const remove = await write();
    const later = { ...OWN, url: "http://127.0.0.1:2" };
    await write(later);
    await remove();
    expect(await read()).toEqual(later);
  });

  it("lets the service work where the file cannot be written", async () => {
    await rm(folder, { recursive: true });
    const remove = await write();
    await remove();
    expect(lines.map((line) => JSON.parse(line))).toMatchObject([{ level: "warn", path }]);
    folder = await mkdtemp(join(tmpdir(), "session-manager-data-"));
  });
});
