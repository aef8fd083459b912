import { chmod, mkdtemp, readdir, readFile, rm, stat, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { createLog } from "./log.ts";
import { createProof, newSecrets, type ServerFile, writeServerFile } from "./server-file.ts";

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
  secret: "own-secret",
  token: "sm_own-token",
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
    ["something that is too large", " ".repeat(100_000)],
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
    expect(lines.join()).not.toMatch(/own-secret|own-token/);
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

describe("the secrets of a start", () => {
  it("are of this start alone", () => {
    const [one, another] = [newSecrets(true), newSecrets(true)];
    for (const secrets of [one, another]) {
      expect(secrets).toEqual({
        secret: expect.stringMatching(/^[\w-]{43}$/),
        token: expect.stringMatching(/^sm_[\w-]{43}$/),
      });
    }
    expect(new Set([one.secret, one.token, another.secret, another.token]).size).toBe(4);
    expect(newSecrets(false).token).toBeNull();
  });

  it("prove who wrote the file, to each nonce in another way (RFC 4231, test case 2)", () => {
    const proof = createProof("Jefe");
    expect(proof("what do ya want for nothing?")).toBe(
      "5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843",
    );
    expect(createProof("other")("what do ya want for nothing?")).not.toBe(proof("what do ya want for nothing?"));
  });
});
