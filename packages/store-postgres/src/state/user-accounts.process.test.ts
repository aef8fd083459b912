import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { PostgresDatabase } from "../database/database.ts";
import { needsPostgres, type PostgresServer, startPostgres } from "../postgres-server.fixture.ts";
import { TokenDirectory } from "./token-directory.ts";
import { withUserAccounts } from "./user-accounts.ts";

const log = { info: () => {}, warn: () => {}, error: () => {} };

describe.runIf(needsPostgres())("users of a hub", () => {
  let server: PostgresServer;
  let url: string;

  beforeAll(async () => {
    server = await startPostgres();
    url = await server.newDatabase();
  });

  afterAll(() => server.close());

  it("get tokens from whoever has the database, each of them their own", async () => {
    const given = await withUserAccounts({ url, log }, async (accounts) => ({
      ada: await accounts.add("ada", "member"),
      other: await accounts.addToken("ada", "laptop"),
      ben: await accounts.add("ben", "reader"),
      names: (await accounts.list()).map(({ name, role }) => [name, role]),
    }));
    expect(given.names).toEqual([
      ["ada", "member"],
      ["ben", "reader"],
    ]);
    const database = await PostgresDatabase.open({ url, log });
    const tokens = new TokenDirectory(database, { url, log });
    await tokens.refresh();
    const [ada, other, ben] = [given.ada, given.other, given.ben].map((token) => tokens.verify(token));
    expect(ada?.userId).toBe(other?.userId);
    expect(ben?.userId).not.toBe(ada?.userId);
    expect(tokens.ownerOf(ben?.id ?? "")).toEqual({ userId: ben?.userId, role: "reader" });
    await tokens.close();
    await database.close();
  });

  it("have names of their own, and tokens only if they are known", async () => {
    await withUserAccounts({ url, log }, async (accounts) => {
      await expect(accounts.add("ada", "member")).rejects.toMatchObject({ code: "CONFLICT" });
      await expect(accounts.addToken("nobody", "laptop")).rejects.toMatchObject({ code: "NOT_FOUND" });
    });
  });

  const names = () =>
    withUserAccounts({ url, log }, async (accounts) => (await accounts.list()).map(({ name }) => name));

  it("change their roles, lose tokens and go, on all servers at once, but never the last owner", async () => {
    const database = await PostgresDatabase.open({ url, log });
    const tokens = new TokenDirectory(database, { url, log });
    try {
      const token = await withUserAccounts({ url, log }, (accounts) => accounts.add("cy", "owner"));
      await tokens.refresh();
      const id = tokens.verify(token)?.id ?? "";
      expect(tokens.ownerOf(id)?.role).toBe("owner");
      await withUserAccounts({ url, log }, async (accounts) => {
        for (const refused of [() => accounts.setRole("cy", "reader"), () => accounts.remove("cy")]) {
          await expect(refused()).rejects.toMatchObject({
            code: "CONFLICT",
            message: expect.stringMatching(/last owner/),
          });
        }
        await accounts.setRole("ada", "owner");
        await accounts.setRole("cy", "reader");
      });
      await vi.waitFor(() => expect(tokens.ownerOf(id)?.role).toBe("reader"), 2_000);
      await withUserAccounts({ url, log }, async (accounts) => {
        expect(await accounts.owned("cy")).toEqual({ sessions: 0, machines: 0, tokens: 1 });
        expect(await accounts.revokeTokens("cy")).toBe(1);
      });
      await vi.waitFor(() => expect(tokens.verify(token)).toBeNull(), 2_000);
      const other = await withUserAccounts({ url, log }, (accounts) => accounts.addToken("cy", "n"));
      await vi.waitFor(() => expect(tokens.verify(other)).not.toBeNull(), 2_000);
      await withUserAccounts({ url, log }, (accounts) => accounts.remove("cy"));
      await vi.waitFor(() => expect(tokens.verify(other)).toBeNull(), 2_000);
      expect(await names()).toEqual(["ada", "ben"]);
    } finally {
      await tokens.close();
      await database.close();
    }
  });

  it("of which two owners do not leave it at the same time", async () => {
    await withUserAccounts({ url, log }, (accounts) => accounts.setRole("ben", "owner"));
    const outcomes = await Promise.allSettled(
      ["ada", "ben"].map((name) => withUserAccounts({ url, log }, (accounts) => accounts.setRole(name, "member"))),
    );
    expect(outcomes.map(({ status }) => status).sort()).toEqual(["fulfilled", "rejected"]);
  });
});
