import { createHmac } from "node:crypto";
import { once } from "node:events";
import { chmod, mkdtemp, rm, writeFile } from "node:fs/promises";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir, uptime } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { callService, findService } from "./find-service.ts";
import { TestService } from "./service.fixture.ts";

let folder: string;

const SECRET = "known to the owner";

const find = (env: NodeJS.ProcessEnv = {}) => findService({ SESSION_MANAGER_DATA_DIR: folder, ...env });

async function writeServerFile(fields: object, mode = 0o600): Promise<void> {
  const file = { pid: process.pid, started_at: new Date().toISOString(), secret: SECRET, token: null, ...fields };
  await writeFile(join(folder, "server.json"), JSON.stringify(file));
  await chmod(join(folder, "server.json"), mode);
}

const proofOf = (nonce: string, secret: string) => createHmac("sha256", secret).update(nonce).digest("hex");

/** Whoever has the port, and what they are asked and shown. */
async function answering(answer = (nonce: string) => JSON.stringify({ proof: proofOf(nonce, SECRET) })) {
  const asked: string[] = [];
  const server = createServer(({ method, url = "", headers }, response) => {
    asked.push(`${method} ${url} ${headers.authorization}`);
    response.end(answer(url.split("nonce=")[1] ?? ""));
  }).listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    asked,
    async [Symbol.asyncDispose]() {
      server.close();
      server.closeAllConnections();
      await once(server, "close");
    },
  };
}

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "session-manager-"));
});

afterAll(() => rm(folder, { recursive: true }));

describe("the service is found", () => {
  const url = "http://127.0.0.1:1";

  it("where the environment says", async () => {
    expect(await findService({ SESSION_MANAGER_URL: url })).toEqual({ url, token: null });
    expect(await findService({ SESSION_MANAGER_URL: url, SESSION_MANAGER_TOKEN: "sm_t" })).toEqual({
      url,
      token: "sm_t",
    });
  });

  it("by its file, and shown the token that is in it", async () => {
    await using service = await answering();
    for (const token of [null, "sm_start"]) {
      await writeServerFile({ url: service.url, token });
      expect(await find()).toEqual({ url: service.url, token });
      expect(await find({ SESSION_MANAGER_URL: service.url })).toEqual({ url: service.url, token });
      expect(await find({ SESSION_MANAGER_TOKEN: "sm_own" })).toEqual({ url: service.url, token: "sm_own" });
      // Whoever is elsewhere does not get it.
      expect(await find({ SESSION_MANAGER_URL: url })).toEqual({ url, token: null });
    }
    expect(new Set(service.asked).size).toBe(service.asked.length);
  });

  it.each([
    // Numbers of processes end far below.
    ["has been killed", { pid: 2 ** 30 }],
    ["names a group of processes", { pid: -process.pid }],
    [
      "ran before the machine was started",
      { started_at: new Date(Date.now() - (uptime() + 120) * 1_000).toISOString() },
    ],
    ["has no secret", { secret: "" }],
    ["is of another version", { secret: undefined }],
  ])("not by its file, if it %s, and nobody is asked", async (_, fields) => {
    await using service = await answering();
    await writeServerFile({ url: service.url, ...fields });
    expect(await find()).toBeNull();
    expect(service.asked).toEqual([]);
  });

  it.each([0o640, 0o604, 0o620, 0o602])("not by a file that others can read or write (mode %i)", async (mode) => {
    await using service = await answering();
    await writeServerFile({ url: service.url }, mode);
    expect(await find()).toBeNull();
    expect(service.asked).toEqual([]);
  });

  it("not by half a file", async () => {
    await writeFile(join(folder, "server.json"), "{", { mode: 0o600 });
    expect(await find()).toBeNull();
  });

  // The service was killed, another account has its port, and its number is another process's.
  it.each<[string, (nonce: string) => string]>([
    ["the health of a service", () => JSON.stringify({ status: "ok", api_version: 1 })],
    ["a proof that it has seen before", () => JSON.stringify({ proof: proofOf("0".repeat(32), SECRET) })],
    ["a proof of its own", (nonce) => JSON.stringify({ proof: proofOf(nonce, "guess") })],
    ["a proof without a key", (nonce) => JSON.stringify({ proof: proofOf(nonce, "") })],
    ["no proof", () => JSON.stringify({ proof: null })],
    ["a page", () => "<html>"],
    ["for ever", () => "x".repeat(100_000)],
  ])("not at an impostor, who answers %s and is sent nothing but the nonce", async (_, answer) => {
    await using impostor = await answering(answer);
    await writeServerFile({ url: impostor.url, token: "sm_start" });
    expect(await find({ SESSION_MANAGER_TOKEN: "sm_own" })).toBeNull();
    expect(impostor.asked).toEqual([expect.stringMatching(/^GET \/health\?nonce=[0-9a-f]{32} undefined$/)]);
  });

  it("in the user's own data directory", async () => {
    expect(await findService({ XDG_DATA_HOME: join(folder, "none"), LOCALAPPDATA: folder })).toBeNull();
  });
});

describe("a call", () => {
  const options = { signal: new AbortController().signal, timeout: 10_000 };

  it("fails as the command does", async () => {
    await using service = await TestService.start();
    service.refusal = { code: "FORBIDDEN", message: "Not you." };
    const answer = callService({ url: service.url, token: null }, "register_coding_session", "{}", options);
    await expect(answer).rejects.toThrow("FORBIDDEN: Not you.");
  });

  it("ends when it takes too long", async () => {
    await using service = await TestService.start();
    const target = { url: service.url, token: null };
    const answer = callService(target, "take_coding_session_requests", "{}", { ...options, timeout: 10 });
    await expect(answer).rejects.toThrow("The service does not respond.");
  });
});
