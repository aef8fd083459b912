import type { UserState } from "@sm/core/state";
import { describeUserState } from "@sm/core/state-contract.fixture";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { PostgresDatabase } from "../database/database.ts";
import { needsPostgres, type PostgresServer, startPostgres } from "../postgres-server.fixture.ts";
import { TokenDirectory } from "./token-directory.ts";
import { userStateOf } from "./user-state.ts";
import { Users } from "./users.ts";

const log = { info: () => {}, warn: () => {}, error: () => {} };

describe.runIf(needsPostgres())("the user state in PostgreSQL", () => {
  let server: PostgresServer;
  let url: string;
  let database: PostgresDatabase;
  let tokens: TokenDirectory;
  let users = 0;
  let userId: string;
  let state: UserState;

  const newUser = async () => (await new Users(database).create(`user ${++users}`, "member")).id;
  const stateOf = (id: string) => userStateOf(id, { database, tokens, log });

  const connect = async () => {
    database = await PostgresDatabase.open({ url, log });
    tokens = new TokenDirectory(database, { url, log });
    await tokens.refresh();
  };

  const disconnect = async () => {
    await tokens.close();
    await database.close();
  };

  beforeAll(async () => {
    server = await startPostgres();
    url = await server.newDatabase();
    await connect();
  });

  afterAll(async () => {
    await disconnect();
    await server.close();
  });

  // Whoever is new has nothing, whatever others have.
  beforeEach(async () => {
    userId = await newUser();
    state = stateOf(userId);
  });

  describeUserState({
    get state() {
      return state;
    },
    reopen: async () => {
      await disconnect();
      await connect();
      state = stateOf(userId);
    },
    another: async () => stateOf(await newUser()),
  });

  it("reads marks again after a change of any server, and only then", async () => {
    const session = { path: "/machines/m/a.jsonl", id: "a" };
    const { id } = await state.tags.create({ name: "found", color: "#00aa00" });
    const tagged = () => state.marks.sessionsWithTags([id]);
    const before = await tagged();
    expect(await tagged()).toBe(before);
    await stateOf(userId).tags.assign([session], id);
    expect(await tagged()).toEqual([session.path]);
  });
});
