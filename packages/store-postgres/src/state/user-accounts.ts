import { AppError } from "@sm/core";
import type { LibraryLog } from "@sm/core/state";
import { PostgresDatabase } from "../database/database.ts";
import { TokenDirectory } from "./token-directory.ts";
import { userStateOf } from "./user-state.ts";
import { type HubUser, type UserRole, Users } from "./users.ts";

/** Whoever knows the address of the database decides who uses the hub. */
export interface UserAccounts {
  /** By name. */
  list(): Promise<HubUser[]>;
  /** Gives the user's first token, which is not kept. Rejects with AppError `CONFLICT` for a name that there is. */
  add(name: string, role: UserRole): Promise<string>;
  /** Gives another token. Rejects with AppError `NOT_FOUND`. */
  addToken(name: string, tokenName: string): Promise<string>;
}

/** Opens the users of a hub for `use`, whether or not one of its servers runs. Rejects as `PostgresDatabase.open` does. */
export async function withUserAccounts<Result>(
  { url, log }: { url: string; log: LibraryLog },
  use: (accounts: UserAccounts) => Promise<Result>,
): Promise<Result> {
  const database = await PostgresDatabase.open({ url, log });
  const tokens = new TokenDirectory(database, { url, log });
  const users = new Users(database);
  const newToken = async (userId: string, name: string) => {
    const state = userStateOf(userId, { database, tokens, log });
    return (await state.tokens.create({ name, scope: "full", expires_at: null })).token;
  };
  try {
    await tokens.refresh();
    return await use({
      list: () => users.list(),
      add: async (name, role) => newToken((await users.create(name, role)).id, "first"),
      async addToken(name, tokenName) {
        const user = (await users.list()).find((one) => one.name === name);
        if (user === undefined) throw new AppError("NOT_FOUND", `The hub has no user named "${name}".`);
        return newToken(user.id, tokenName);
      },
    });
  } finally {
    await tokens.close();
    await database.close();
  }
}
