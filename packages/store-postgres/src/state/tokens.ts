import type { TokenGrant, TokenOptions, TokenRecord, TokenStore } from "@sm/core";
import { newToken, refusePast, unknownToken } from "@sm/core/state";
import { desc, eq } from "drizzle-orm";
import { tokens } from "./schema.ts";
import type { TokenDirectory } from "./token-directory.ts";
import { tellOfTokens } from "./token-notice.ts";
import { isUuid, storable, type UserConnection } from "./user-connection.ts";

const RECORD = {
  id: tokens.id,
  name: tokens.name,
  scope: tokens.scope,
  hint: tokens.hint,
  created_at: tokens.createdAt,
  last_used_at: tokens.lastUsedAt,
  expires_at: tokens.expiresAt,
};

/** The tokens of one user. */
export class PostgresTokens implements TokenStore {
  readonly #connection: UserConnection;
  readonly #directory: TokenDirectory;

  constructor(connection: UserConnection, directory: TokenDirectory) {
    this.#connection = connection;
    this.#directory = directory;
  }

  list(): Promise<TokenRecord[]> {
    return this.#connection.read((db) => db.select(RECORD).from(tokens).orderBy(desc(tokens.sequence)));
  }

  async create({ name, scope, expires_at }: TokenOptions): Promise<TokenRecord & { token: string }> {
    refusePast(expires_at);
    const { token, hash, hint } = newToken();
    const [record] = await this.#connection.write(async (db) => {
      await db.execute(tellOfTokens());
      const values = {
        name: storable(name),
        scope,
        hash,
        hint,
        createdAt: new Date().toISOString(),
        expiresAt: expires_at,
      };
      return db.insert(tokens).values(values).returning(RECORD);
    });
    await this.#directory.refresh();
    return { ...(record as TokenRecord), token };
  }

  async revoke(id: string): Promise<{ id: string; revoked: true }> {
    const revoked = isUuid(id)
      ? await this.#connection.write(async (db) => {
          await db.execute(tellOfTokens());
          return db.delete(tokens).where(eq(tokens.id, id)).returning({ id: tokens.id });
        })
      : [];
    if (revoked.length === 0) throw unknownToken();
    await this.#directory.refresh();
    return { id, revoked: true };
  }

  verify(token: string): TokenGrant | null {
    const grant = this.#directory.verify(token);
    return grant === null ? null : { id: grant.id, scope: grant.scope };
  }

  onEnd(id: string, listener: () => void): () => void {
    return this.#directory.onEnd(id, listener);
  }
}
