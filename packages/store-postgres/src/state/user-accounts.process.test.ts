import { afterAll, beforeAll, describe, expect, it } from "vitest";
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
});
