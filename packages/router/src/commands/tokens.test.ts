import { inspect } from "node:util";
import { AppError, type TokenScope, type TokenStore } from "@sm/core";
import { describe, expect, it } from "vitest";
import { createDispatcher } from "../dispatcher.ts";
import type { Services } from "../services.ts";

const TOKEN = `sm_${"Ab3-".repeat(10)}xyz`;

const RECORD = {
  id: "t1",
  name: "Laptop",
  scope: "full",
  hint: "Ab3-Ab",
  created_at: "2026-01-01T00:00:00.000Z",
  last_used_at: null,
  expires_at: null,
} as const;

/** Sends requests to a store that does as it is told, and keeps everything that leaves the dispatcher but the data. */
function setUp(store: Partial<TokenStore> = {}) {
  const tokens: Partial<TokenStore> = {
    list: async () => [RECORD],
    create: async () => ({ ...RECORD, token: TOKEN }),
    revoke: async (id) => ({ id, revoked: true }),
    ...store,
  };
  const told: unknown[] = [];
  const dispatcher = createDispatcher({ tokens } as Services, {
    log: { error: (...values) => told.push(values) },
    onCommand: (done) => told.push(done),
  });
  async function call(command: string, payload: object, scope: TokenScope = "full") {
    const caller = { local: false, scope, tokenId: "t0" };
    const response = await dispatcher.dispatch({ command, payload }, caller);
    told.push(response.error);
    return response;
  }
  return { call, told };
}

describe("commands about tokens", () => {
  it.each<[string, object, TokenScope, string | null]>([
    ["list_tokens", {}, "full", null],
    ["list_tokens", {}, "read", null],
    ["create_token", { name: "n" }, "full", null],
    ["create_token", { name: "n", scope: "read" }, "read", "FORBIDDEN"],
    ["revoke_token", { id: "t1" }, "full", null],
    ["revoke_token", { id: "t0" }, "read", "FORBIDDEN"],
  ])("%s %j is for scope %s: %s", async (command, payload, scope, code) => {
    const { error } = await setUp().call(command, payload, scope);
    expect(error?.code ?? null).toBe(code);
  });

  it("show the token to the one who makes it, once, and to nobody else", async () => {
    const { call, told } = setUp();
    expect((await call("create_token", { name: "n" })).data).toMatchObject({ token: TOKEN });
    expect(JSON.stringify(await call("list_tokens", {}))).not.toContain(TOKEN);
    expect(told).not.toEqual([]);
    expect(inspect(told, { depth: null })).not.toContain(TOKEN.slice(9));
  });
});

describe("a token", () => {
  const defect = async () => {
    throw new Error("broken");
  };

  it.each<[string, string, object, Partial<TokenStore>]>([
    ["a defect after it was made", "create_token", { name: TOKEN }, { create: defect }],
    ["a defect while it is looked for", "revoke_token", { id: TOKEN }, { revoke: defect }],
    [
      "a full disk",
      "create_token",
      { name: TOKEN },
      { create: () => Promise.reject(new AppError("UNAVAILABLE", "The disk is full.")) },
    ],
    ["a wrong name", "create_token", { name: `${TOKEN}\n${TOKEN}` }, {}],
    ["a wrong scope", "create_token", { name: "n", scope: TOKEN }, {}],
    ["a wrong time", "create_token", { name: "n", expires_at: TOKEN }, {}],
    ["a wrong field", "create_token", { name: "n", token: TOKEN }, {}],
    ["a wrong id", "revoke_token", { id: [TOKEN] }, {}],
  ])("is in no log, metric and error of %s", async (_, command, payload, store) => {
    const { call, told } = setUp(store);
    expect((await call(command, payload)).success).toBe(false);
    expect(told.length).toBeGreaterThan(1);
    expect(inspect(told, { depth: null })).not.toContain(TOKEN.slice(9));
  });
});
