import { afterEach, expect, it, vi } from "vitest";
import { loadNodePty } from "./node-pty.ts";
import { openTerminals } from "./terminals.ts";

function open(enabled: boolean) {
  return openTerminals({
    enabled,
    idleMs: 1_000,
    env: {},
    home: "/",
    serviceUrl: "http://127.0.0.1:52131",
    dataDir: "/data",
    output: { publish: () => {}, watch: () => () => {} },
    log: { info: () => {}, warn: () => {} },
  });
}

afterEach(() => {
  vi.doUnmock("node-pty");
});

it.each([
  ["is missing", { code: "ERR_MODULE_NOT_FOUND" }, /not installed: run `npm install node-pty`/],
  ["does not load", { message: "Failed to load native module: pty.node" }, /does not load: run `npm rebuild node-pty`/],
])("says what to do where node-pty %s", async (_, problem, message) => {
  const refusal = { code: "UNAVAILABLE", message: expect.stringMatching(message) };
  await expect(loadNodePty(() => Promise.reject(problem))).rejects.toMatchObject(refusal);
});

it("is said before anything about what was asked for", async () => {
  vi.doMock("node-pty", () => {
    throw new Error("Failed to load native module: pty.node");
  });
  await expect(open(true).checkAvailable()).rejects.toMatchObject({ code: "UNAVAILABLE" });
  const created = open(true).create({ cwd: "relative", cols: 0, rows: 0 });
  await expect(created).rejects.toMatchObject({ code: "UNAVAILABLE" });
});

it("is not even loaded where terminals are turned off", async () => {
  vi.doMock("node-pty", () => {
    throw new Error("It was loaded.");
  });
  const refusal = { code: "FORBIDDEN", message: expect.stringContaining("terminals_enabled") };
  await expect(open(false).checkAvailable()).rejects.toMatchObject(refusal);
  await expect(open(false).create({ cwd: "relative", cols: 0, rows: 0 })).rejects.toMatchObject(refusal);
});
