import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import type { StateUnderTest } from "./state-under-test.fixture.ts";

const MINUTE_MS = 60_000;
const NOW = Date.parse("2026-03-01T12:00:00.000Z");
const at = (ms: number) => new Date(NOW + ms).toISOString();

/** What holds of API tokens, wherever they are kept. */
export function describeTokens(under: StateUnderTest): void {
  beforeEach(() => {
    vi.useFakeTimers({ now: NOW, toFake: ["Date"] });
  });

  afterEach(() => {
    vi.useRealTimers();
  });

  const create = (fields: { scope?: "full" | "read"; expires_at?: string } = {}) =>
    under.state.tokens.create({ name: "Laptop", scope: "full", expires_at: null, ...fields });

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
      expect(await under.state.tokens.list()).toEqual([record]);
    });

    it.each([at(0), at(-1), "2020-01-01T00:00:00.000Z", "never"])(
      "refuses to let it expire at %s",
      async (expires_at) => {
        await expect(create({ expires_at })).rejects.toMatchObject({
          code: "INVALID_PAYLOAD",
          details: [{ path: "expires_at" }],
        });
        expect(await under.state.tokens.list()).toEqual([]);
      },
    );
  });

  describe("list", () => {
    it("has the newest first, whatever the clock says, expired ones too, also after a restart", async () => {
      const first = await create({ expires_at: at(1) });
      vi.setSystemTime(NOW - MINUTE_MS);
      const second = await create();
      vi.setSystemTime(NOW + MINUTE_MS);
      await under.reopen();
      expect((await under.state.tokens.list()).map(({ id }) => id)).toEqual([second.id, first.id]);
    });
  });

  describe("verify", () => {
    it.each(["full", "read"] as const)("tells the scope %s", async (scope) => {
      const { id, token } = await create({ scope });
      await create();
      expect(under.state.tokens.verify(token)).toEqual({ id, scope });
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
      expect(under.state.tokens.verify(change(token))).toBeNull();
      expect(under.state.tokens.verify(token)).not.toBeNull();
    });

    it("ends when the token expires, to the millisecond", async () => {
      const { token } = await create({ expires_at: at(MINUTE_MS) });
      vi.setSystemTime(NOW + MINUTE_MS - 1);
      expect(under.state.tokens.verify(token)).not.toBeNull();
      vi.setSystemTime(NOW + MINUTE_MS);
      expect(under.state.tokens.verify(token)).toBeNull();
    });
  });

  describe("revoke", () => {
    it("takes effect at once and for good", async () => {
      const { id, token } = await create();
      const kept = await create();
      expect(await under.state.tokens.revoke(id)).toEqual({ id, revoked: true });
      expect(under.state.tokens.verify(token)).toBeNull();
      expect(under.state.tokens.verify(kept.token)).not.toBeNull();
      await under.reopen();
      expect(under.state.tokens.verify(token)).toBeNull();
      expect((await under.state.tokens.list()).map((record) => record.id)).toEqual([kept.id]);
    });

    it("does not know a token that was revoked", async () => {
      const { id } = await create();
      await under.state.tokens.revoke(id);
      await expect(under.state.tokens.revoke(id)).rejects.toMatchObject({ code: "NOT_FOUND" });
    });

    it("does not repeat a token that was given in place of its id", async () => {
      const { token } = await create();
      const error = await under.state.tokens.revoke(token).catch((reason: unknown) => reason);
      expect(error).toMatchObject({ code: "NOT_FOUND" });
      expect(String(error)).not.toContain(token.slice(3));
    });
  });
}
