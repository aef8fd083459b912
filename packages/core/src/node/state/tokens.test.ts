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
  it("gives the record and, this once, the token", async () => {
    const { token, ...record } = await create({ scope: "read", expires_at: at(MINUTE_MS) });
    expect(token).toMatch(/^sm_[A-Za-z0-9_-]{43}$/);
    expect(Buffer.from(token.slice(3), "base64url")).toHaveLength(32);
    expect(record).toEqual({
      id: expect.stringMatching(/^[0-9a-f-]{36}$/),
      name: "Laptop",
      scope: "read",
      hint: token.slice(3, 9),
      created_at: at(0),
      last_used_at: null,
      expires_at: at(MINUTE_MS),
    });
    expect(await tokens.list()).toEqual([record]);
  });

  it("writes nothing that the token could be read from", async () => {
    const { token } = await create();
    tokens.verify(token);
    for (const name of readdirSync(dataDir)) {
      expect(readFileSync(join(dataDir, name)).includes(token.slice(9)), name).toBe(false);
    }
  });

  it.each([at(0), at(-1), "2020-01-01T00:00:00.000Z", "never"])(
    "refuses to let it expire at %s",
    async (expires_at) => {
      await expect(create({ expires_at })).rejects.toMatchObject({
        code: "INVALID_PAYLOAD",
        details: [{ path: "expires_at" }],
      });
      expect(await tokens.list()).toEqual([]);
    },
  );
});

describe("list", () => {
  it("has the newest first, whatever the clock says, expired ones too, also after a restart", async () => {
    const first = await create({ expires_at: at(1) });
    vi.setSystemTime(NOW - MINUTE_MS);
    const second = await create();
    vi.setSystemTime(NOW + MINUTE_MS);
    await state.close();
    open();
    expect((await tokens.list()).map(({ id }) => id)).toEqual([second.id, first.id]);
  });
});

describe("verify", () => {
  it.each(["full", "read"] as const)("tells the scope %s", async (scope) => {
    const { id, token } = await create({ scope });
    await create();
    expect(tokens.verify(token)).toEqual({ id, scope });
  });

  it.each<[string, (token: string) => string]>([
    ["none", () => ""],
    ["the prefix", () => "sm_"],
    ["a token without its prefix", (token) => token.slice(3)],
    ["another prefix", (token) => `sk_${token.slice(3)}`],
    ["another letter in its end", (token) => token.slice(0, -1) + (token.endsWith("A") ? "E" : "A")],
    ["a letter that no token has", (token) => `${token.slice(0, -1)}.`],
    ["another token with the same hint", (token) => token.slice(0, 9) + "x".repeat(37)],
    ["the token in capitals", (token) => token.toUpperCase()],
    ["a token and more", (token) => `${token}A`],
    ["a token and a new line", (token) => `${token}\n`],
    ["a token and NUL", (token) => `${token}\0`],
    ["what finds every hint in SQL", () => "sm_%' OR '1'='1"],
  ])("does not know %s", async (_, change) => {
    const { token } = await create();
    expect(tokens.verify(change(token))).toBeNull();
    expect(tokens.verify(token)).not.toBeNull();
  });

  it("does not take what is stored for the token", async () => {
    await create();
    const client = openDatabase(join(dataDir, "state.db"), { durability: "full" });
    const hash = client.prepare("SELECT hash FROM tokens").pluck().get() as Buffer;
    client.close();
    expect(tokens.verify(`sm_${hash.toString("base64url")}`)).toBeNull();
  });

  it("ends when the token expires, to the millisecond", async () => {
    const { token } = await create({ expires_at: at(MINUTE_MS) });
    vi.setSystemTime(NOW + MINUTE_MS - 1);
    expect(tokens.verify(token)).not.toBeNull();
    vi.setSystemTime(NOW + MINUTE_MS);
    expect(tokens.verify(token)).toBeNull();
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

describe("revoke", () => {
  it("takes effect at once and for good", async () => {
    const { id, token } = await create();
    const kept = await create();
    expect(await tokens.revoke(id)).toEqual({ id, revoked: true });
    expect(tokens.verify(token)).toBeNull();
    expect(tokens.verify(kept.token)).not.toBeNull();
    await state.close();
    open();
    expect(tokens.verify(token)).toBeNull();
    expect((await tokens.list()).map((record) => record.id)).toEqual([kept.id]);
  });

  it("does not know a token that was revoked", async () => {
    const { id } = await create();
    await tokens.revoke(id);
    await expect(tokens.revoke(id)).rejects.toMatchObject({ code: "NOT_FOUND" });
  });

  it("does not repeat a token that was given in place of its id", async () => {
    const { token } = await create();
    const error = await tokens.revoke(token).catch((reason: unknown) => reason);
    expect(error).toMatchObject({ code: "NOT_FOUND" });
    expect(String(error)).not.toContain(token.slice(3));
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
