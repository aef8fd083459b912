import type { LibraryLog } from "@sm/core/state";
import { PostgresDatabase } from "../database/database.ts";
import { TokenDirectory } from "./token-directory.ts";
import { userStateOf } from "./user-state.ts";
import { type HubUserDetails, type OwnedByUser, type UserRole, Users } from "./users.ts";

/** Whoever knows the address of the database decides who uses the hub. */
export interface UserAccounts {
  /** By name. */
  list(): Promise<HubUserDetails[]>;
  /** Gives the user's first token, which is not kept. Rejects with AppError `CONFLICT` for a name that there is. */
  add(name: string, role: UserRole): Promise<string>;
  /** Gives another token. Rejects with AppError `NOT_FOUND`. */
  addToken(name: string, tokenName: string): Promise<string>;
  /** Rejects with AppError `NOT_FOUND`, and `CONFLICT` for the last owner. */
  setRole(name: string, role: UserRole): Promise<void>;
  /** What would go with a user. Rejects with AppError `NOT_FOUND`. */
  owned(name: string): Promise<OwnedByUser>;
  /** Removes a user and all that is theirs. Rejects with AppError `NOT_FOUND`, and `CONFLICT` for the last owner. */
  remove(name: string): Promise<void>;
  /** Revokes the tokens of a user, also those of machines, and gives how many. Rejects with AppError `NOT_FOUND`. */
  revokeTokens(name: string): Promise<number>;
  /**
   * Whoever signed in as `from` does so as `to` from now on. Rejects with AppError `NOT_FOUND`, and `CONFLICT` if
   * nobody did.
   */
  link(from: string, to: string): Promise<void>;
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
      list: () => users.details(),
      add: async (name, role) => newToken((await users.create(name, role)).id, "first"),
      addToken: async (name, tokenName) => newToken((await users.named(name)).id, tokenName),
      setRole: async (name, role) => users.setRole(await users.named(name), role),
      owned: async (name) => users.owned(await users.named(name)),
      remove: async (name) => users.remove(await users.named(name)),
      revokeTokens: async (name) => users.revokeTokens(await users.named(name)),
      link: async (from, to) => users.link(await users.named(from), await users.named(to)),
    });
  } finally {
    await tokens.close();
    await database.close();
  }
}
