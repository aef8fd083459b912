import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import type { TokenStore } from "../../tokens.ts";
import { openDatabase } from "../storage/sqlite.ts";
import type { UserState } from "./ports.ts";
import { openUserState } from "./user-state.ts";

const MINUTE_MS = 60_000;
const NOW = Date.parse("2026-03-01T12:00:00.000Z");

let dataDir: string;
let state: UserState;
let tokens: TokenStore;
let said: string[];

beforeEach(() => {
  vi.useFakeTimers({ now: NOW });
  dataDir = mkdtempSync(join(tmpdir(), "state-"));
  said = [];
  open();
});

afterEach(async () => {
  vi.useRealTimers();
  await state.close();
  rmSync(dataDir, { recursive: true, force: true });
});

function open(): void {
  const say = (fields: object, message: string) => said.push(`${message} ${JSON.stringify(fields)}`);
  state = openUserState({ dataDir, log: { info: say, warn: say, error: say } });
  tokens = state.tokens;
}

const create = (fields: { scope?: "full" | "read"; expires_at?: string } = {}) =>
  tokens.create({ name: "Laptop", scope: "full", expires_at: null, ...fields });

const at = (ms: number) => new Date(NOW + ms).toISOString();

/** Executes SQL on a connection of its own, as another process would. */
function executeElsewhere(sql: string): void {
  const client = openDatabase(join(dataDir, "state.db"), { durability: "full" });
  client.exec(sql);
  client.close();
}

describe("create", () => {
  it("writes nothing that the token could be read from", async () => {
    const { token } = await create();
    tokens.verify(token);
    for (const name of readdirSync(dataDir)) {
      expect(readFileSync(join(dataDir, name)).includes(token.slice(9)), name).toBe(false);
    }
  });
});

describe("verify", () => {
  it("does not take what is stored for the token", async () => {
    await create();
    const client = openDatabase(join(dataDir, "state.db"), { durability: "full" });
    const hash = client.prepare("SELECT hash FROM tokens").pluck().get() as Buffer;
    client.close();
    expect(tokens.verify(`sm_${hash.toString("base64url")}`)).toBeNull();
  });

  it("sees at once what another process does", async () => {
    const other = openUserState({ dataDir, log: { info() {}, warn() {}, error() {} } });
    const { id, token } = await other.tokens.create({ name: "n", scope: "full", expires_at: null });
    expect(tokens.verify(token)).toEqual({ id, scope: "full" });
    await other.tokens.revoke(id);
    expect(tokens.verify(token)).toBeNull();
    await other.close();
  });

  it("trusts no file but the one that others see", async () => {
    const { token } = await create();
    rmSync(join(dataDir, "state.db"));
    expect(() => tokens.verify(token)).toThrow(expect.objectContaining({ code: "UNAVAILABLE" }));
  });
});

describe("last_used_at", () => {
  const lastUse = async () => (await tokens.list())[0]?.last_used_at;

  it("is written at most once a minute", async () => {
    const { token } = await create();
    tokens.verify(token);
    expect(await lastUse()).toBe(at(0));
    vi.setSystemTime(NOW + MINUTE_MS - 1);
    tokens.verify(token);
    expect(await lastUse()).toBe(at(0));
    vi.setSystemTime(NOW + MINUTE_MS);
    tokens.verify(token);
    expect(await lastUse()).toBe(at(MINUTE_MS));
  });

  it("is not touched by a token that is refused", async () => {
    const { token } = await create({ expires_at: at(1) });
    vi.setSystemTime(NOW + 1);
    tokens.verify(token);
    expect(await lastUse()).toBeNull();
  });

  it("that cannot be written keeps nobody out, and is said once a minute", async () => {
    const { id, token } = await create();
    executeElsewhere("CREATE TRIGGER refuse BEFORE UPDATE ON tokens BEGIN SELECT RAISE(ABORT, 'refused'); END");
    const grant = { id, scope: "full" };
    expect(tokens.verify(token)).toEqual(grant);
    expect(tokens.verify(token)).toEqual(grant);
    expect(said).toEqual([expect.stringMatching(/last use/i)]);
    executeElsewhere("DROP TRIGGER refuse");
    vi.setSystemTime(NOW + MINUTE_MS);
    tokens.verify(token);
    expect(await lastUse()).toBe(at(MINUTE_MS));
  });
});

it("no token is ever logged", async () => {
  const { id, token } = await create();
  tokens.onEnd(id, () => {});
  executeElsewhere("CREATE TRIGGER refuse BEFORE UPDATE ON tokens BEGIN SELECT RAISE(ABORT, 'refused'); END");
  tokens.verify(token);
  await tokens.revoke(token).catch(() => {});
  rmSync(join(dataDir, "state.db"));
  vi.advanceTimersByTime(1_000);
  expect(said).toHaveLength(2);
  expect(said.join()).not.toContain(token.slice(3));
});
