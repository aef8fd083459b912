import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from "vitest";
import type { TokenStore } from "../../tokens.ts";
import { bundleScript, startScript } from "./child-script.fixture.ts";
import type { UserState } from "./ports.ts";
import { openUserState } from "./user-state.ts";

const silent = { info: () => {}, warn: () => {}, error: () => {} };
const DAY_MS = 24 * 60 * 60 * 1000;

let dataDir: string;
let state: UserState;
let tokens: TokenStore;

beforeEach(() => {
  dataDir = mkdtempSync(join(tmpdir(), "state-"));
  state = openUserState({ dataDir, log: silent });
  tokens = state.tokens;
});

afterEach(async () => {
  vi.useRealTimers();
  await state.close();
  rmSync(dataDir, { recursive: true, force: true });
});

const create = (expires_at: string | null = null) => tokens.create({ name: "n", scope: "full", expires_at });

describe("a token that is revoked by this process", () => {
  it("is told at once, once, to everybody who uses it and nobody else", async () => {
    const [{ id }, other] = [await create(), await create()];
    const listeners = [vi.fn(), vi.fn()];
    const bystander = vi.fn();
    for (const listener of listeners) tokens.onEnd(id, listener);
    tokens.onEnd(other.id, bystander);
    await tokens.revoke(id);
    await tokens.revoke(id).catch(() => {});
    for (const listener of listeners) expect(listener).toHaveBeenCalledTimes(1);
    expect(bystander).not.toHaveBeenCalled();
  });

  it("is not told to those who have gone", async () => {
    const { id } = await create();
    const listener = vi.fn();
    tokens.onEnd(id, listener);
    const stop = tokens.onEnd(id, listener);
    stop();
    stop();
    await tokens.revoke(id);
    stop();
    expect(listener).toHaveBeenCalledTimes(1);
  });
});

describe("looking for ends", () => {
  beforeEach(() => {
    vi.useFakeTimers();
  });

  it("happens only while somebody wants to know", async () => {
    const [first, second] = [await create(), await create()];
    expect(vi.getTimerCount()).toBe(0);
    const stops = [first, first, second].map(({ id }) => tokens.onEnd(id, () => {}));
    expect(vi.getTimerCount()).toBe(1);
    for (const stop of stops) stop();
    expect(vi.getTimerCount()).toBe(0);
    tokens.onEnd(first.id, () => {});
    await tokens.revoke(first.id);
    expect(vi.getTimerCount()).toBe(0);
    tokens.onEnd(second.id, () => {});
    await state.close();
    expect(vi.getTimerCount()).toBe(0);
  });

  it("notices another process within a second", async () => {
    const [revoked, kept] = [await create(), await create()];
    const [listener, bystander] = [vi.fn(), vi.fn()];
    tokens.onEnd(revoked.id, listener);
    tokens.onEnd(kept.id, bystander);
    vi.advanceTimersByTime(1_000);
    expect(listener).not.toHaveBeenCalled();

    const other = openUserState({ dataDir, log: silent });
    await other.tokens.revoke(revoked.id);
    vi.advanceTimersByTime(1_000);
    expect(listener).toHaveBeenCalledTimes(1);
    await other.tokens.create({ name: "n", scope: "full", expires_at: null });
    await other.close();
    vi.advanceTimersByTime(1_000);
    expect(bystander).not.toHaveBeenCalled();
  });

  it("notices what another process did before, between verification and listening", async () => {
    const { id, token } = await create();
    expect(tokens.verify(token)).not.toBeNull();
    const other = openUserState({ dataDir, log: silent });
    await other.tokens.revoke(id);
    await other.close();
    const listener = vi.fn();
    tokens.onEnd(id, listener);
    vi.advanceTimersByTime(1_000);
    expect(listener).toHaveBeenCalledTimes(1);
  });

  it.each([1_000, 60 * DAY_MS])("notices that a token expires after %i ms", async (lifetime) => {
    const { id } = await create(new Date(Date.now() + lifetime).toISOString());
    const listener = vi.fn();
    tokens.onEnd(id, listener);
    // No timer may be set for the whole time: beyond 2^31 ms Node would run it at once.
    vi.setSystemTime(Date.now() + lifetime - 501);
    vi.advanceTimersByTime(500);
    expect(listener).not.toHaveBeenCalled();
    vi.advanceTimersByTime(500);
    expect(listener).toHaveBeenCalledTimes(1);
    vi.advanceTimersByTime(5_000);
    expect(listener).toHaveBeenCalledTimes(1);
  });

  it("ends everything when the file is no longer the one that others see", async () => {
    const { id } = await create();
    const listener = vi.fn();
    tokens.onEnd(id, listener);
    rmSync(join(dataDir, "state.db"));
    vi.advanceTimersByTime(1_000);
    expect(listener).toHaveBeenCalledTimes(1);
  });
});

describe("two processes", { timeout: 60_000 }, () => {
  const SCRIPT = `
import { openUserState } from "./user-state.ts";

const [dataDir = "", doing, id = ""] = process.argv.slice(2);
const { tokens } = openUserState({ dataDir, log: { info() {}, warn() {}, error() {} } });
if (doing === "revoke") void tokens.revoke(id);
else tokens.onEnd(id, () => {});
`;
  let folder: string;
  let script: string;

  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), "state-"));
    script = join(folder, "script.mjs");
    await bundleScript(SCRIPT, import.meta.dirname, script);
  });

  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  it("tell each other", async () => {
    const { id, token } = await create();
    const ended = new Promise<void>((resolve) => {
      tokens.onEnd(id, resolve);
    });
    const { code, stderr } = await startScript(script, [dataDir, "revoke", id]).ended;
    expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
    expect(tokens.verify(token)).toBeNull();
    await ended;
  });

  it("do not live on only to listen", async () => {
    const { id } = await create();
    expect((await startScript(script, [dataDir, "listen", id]).ended).code).toBe(0);
  });
});
