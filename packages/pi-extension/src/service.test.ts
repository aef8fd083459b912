import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { TestService } from "./service.fixture.ts";
import { call, findService } from "./service.ts";

let folder: string;

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

  it.each([
    ["runs", JSON.stringify({ url, pid: process.pid }), { url, token: null }],
    // Numbers of processes end far below.
    ["has been killed", JSON.stringify({ url, pid: 2 ** 30 }), null],
    ["has written half of its file", "{", null],
  ])("by its file, if it %s", async (_, content, found) => {
    await writeFile(join(folder, "server.json"), content);
    expect(await findService({ SESSION_MANAGER_DATA_DIR: folder })).toEqual(found);
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
    const answer = call({ url: service.url, token: null }, "register_coding_session", "{}", options);
    await expect(answer).rejects.toThrow("FORBIDDEN: Not you.");
  });

  it("ends when it takes too long", async () => {
    await using service = await TestService.start();
    const target = { url: service.url, token: null };
    const answer = call(target, "take_coding_session_requests", "{}", { ...options, timeout: 10 });
    await expect(answer).rejects.toThrow("The service does not answer.");
  });
});
