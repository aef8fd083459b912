import type { TokenStore } from "@sm/core";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from "vitest";
import { PostgresDatabase } from "../database/database.ts";
import { needsPostgres, type PostgresServer, startPostgres } from "../postgres-server.fixture.ts";
import { TokenDirectory } from "./token-directory.ts";
import { userStateOf } from "./user-state.ts";
import { Users } from "./users.ts";

const log = { info: () => {}, warn: () => {}, error: () => {} };

/** One of the servers of a hub. */
class HubServer {
  readonly database: PostgresDatabase;
  readonly tokens: TokenDirectory;

  private constructor(database: PostgresDatabase, url: string) {
    this.database = database;
    this.tokens = new TokenDirectory(database, { url, log });
  }

  static async start(url: string): Promise<HubServer> {
    const one = new HubServer(await PostgresDatabase.open({ url, log }), url);
    await one.tokens.refresh();
    return one;
  }

  tokensOf(userId: string): TokenStore {
    return userStateOf(userId, { database: this.database, tokens: this.tokens, log }).tokens;
  }

  async close(): Promise<void> {
    await this.tokens.close();
    await this.database.close();
  }
}

describe.runIf(needsPostgres())("tokens on several servers", () => {
  let postgres: PostgresServer;
  let here: HubServer;
  let there: HubServer;
  let userId: string;

  beforeAll(async () => {
    postgres = await startPostgres();
  });

  beforeEach(async () => {
    const url = await postgres.newDatabase();
    [here, there] = [await HubServer.start(url), await HubServer.start(url)];
    userId = (await new Users(here.database).create("user", "member")).id;
  });

  afterEach(async () => {
    await here.close();
    await there.close();
  });

  afterAll(() => postgres.close());

  const create = () => here.tokensOf(userId).create({ name: "n", scope: "read", expires_at: null });

  it("are known there within a moment, with the user whose they are, and no longer when they are revoked", async () => {
    const { id, token } = await create();
    expect(here.tokens.verify(token)).toEqual({ id, scope: "read", userId });
    await vi.waitFor(() => expect(there.tokens.verify(token)).toEqual({ id, scope: "read", userId }), 2_000);
    const ended = vi.fn();
    there.tokens.onEnd(id, ended);
    await here.tokensOf(userId).revoke(id);
    expect(here.tokens.verify(token)).toBeNull();
    await vi.waitFor(() => expect(there.tokens.verify(token)).toBeNull(), 2_000);
    await vi.waitFor(() => expect(ended).toHaveBeenCalledOnce(), 2_000);
  });

  it("are not revoked, nor listed, by others", async () => {
    const { id } = await create();
    const other = (await new Users(here.database).create("other", "owner")).id;
    await expect(there.tokensOf(other).revoke(id)).rejects.toMatchObject({ code: "NOT_FOUND" });
    expect(await there.tokensOf(other).list()).toEqual([]);
    expect(await here.tokensOf(userId).list()).toHaveLength(1);
  });

  it("that were revoked while the database was away are noticed when it is back", async () => {
    const { id, token } = await create();
    const kept = await create();
    await vi.waitFor(() => expect(there.tokens.verify(kept.token)).not.toBeNull(), 2_000);
    await postgres.kill();
    await postgres.start();
    // The other server may not hear of this: its connection is made anew.
    await here.tokensOf(userId).revoke(id);
    await vi.waitFor(() => expect(there.tokens.verify(token)).toBeNull(), 10_000);
    expect(there.tokens.verify(kept.token)).toMatchObject({ userId });
  });

  it("let nobody in while nothing is heard of revocations", async () => {
    const { token } = await create();
    await postgres.kill();
    try {
      await vi.waitFor(() => expect(() => here.tokens.verify(token)).toThrow(/does not answer/), 15_000);
    } finally {
      await postgres.start();
    }
    await vi.waitFor(() => expect(here.tokens.verify(token)).toMatchObject({ userId }), 15_000);
  });
});
