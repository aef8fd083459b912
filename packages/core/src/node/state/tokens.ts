import { randomUUID, timingSafeEqual } from "node:crypto";
import { desc, eq, sql } from "drizzle-orm";
import type { LibraryLog } from "../../library-log.ts";
import type { TokenGrant, TokenOptions, TokenRecord, TokenStore } from "../../tokens.ts";
import type { StateConnection } from "./connection.ts";
import { tokens } from "./schema.ts";
import { TokenEnds } from "./token-ends.ts";
import { digestOf, newToken, refusePast, USE_INTERVAL_MS, unknownToken } from "./token-text.ts";

const RECORD = {
  id: tokens.id,
  name: tokens.name,
  scope: tokens.scope,
  hint: tokens.hint,
  created_at: tokens.createdAt,
  last_used_at: tokens.lastUsedAt,
  expires_at: tokens.expiresAt,
};

/** The tokens in `state.db`. The session-cli of another process may change them at any time. */
export class SqliteTokenStore implements TokenStore {
  readonly #connection: StateConnection;
  readonly #log: LibraryLog;
  readonly #ends: TokenEnds;
  readonly #findByHint: ReturnType<typeof prepareFindByHint>;
  #noteUseFrom = 0;

  constructor(connection: StateConnection, log: LibraryLog) {
    this.#connection = connection;
    this.#log = log;
    this.#ends = new TokenEnds(connection, log);
    this.#findByHint = prepareFindByHint(connection);
  }

  async list(): Promise<TokenRecord[]> {
    return this.#connection.read((db) => db.select(RECORD).from(tokens).orderBy(desc(tokens.key)).all());
  }

  async create({ name, scope, expires_at }: TokenOptions): Promise<TokenRecord & { token: string }> {
    refusePast(expires_at);
    const { token, ...digest } = newToken();
    const record = this.#connection.write((db) =>
      db
        .insert(tokens)
        .values({
          id: randomUUID(),
          name,
          scope,
          ...digest,
          createdAt: new Date().toISOString(),
          expiresAt: expires_at,
        })
        .returning(RECORD)
        .get(),
    );
    return { ...record, token };
  }

  async revoke(id: string): Promise<{ id: string; revoked: true }> {
    const { changes } = this.#connection.write((db) => db.delete(tokens).where(eq(tokens.id, id)).run());
    if (changes === 0) throw unknownToken();
    this.#ends.end(id);
    return { id, revoked: true };
  }

  verify(token: string): TokenGrant | null {
    const digest = digestOf(token);
    if (digest === null) return null;
    this.#connection.checkInPlace();
    // The lookup uses a prefix that is not secret, so its duration reveals nothing of the hash.
    const candidates = this.#connection.read(() => this.#findByHint.all({ hint: digest.hint }));
    const found = candidates.find((candidate) => timingSafeEqual(candidate.hash, digest.hash));
    const now = Date.now();
    if (found === undefined || (found.expiresAt !== null && Date.parse(found.expiresAt) <= now)) return null;
    this.#noteUse(found, now);
    return { id: found.id, scope: found.scope };
  }

  onEnd(id: string, listener: () => void): () => void {
    return this.#ends.watch(id, listener);
  }

  close(): void {
    this.#ends.close();
  }

  #noteUse({ id, lastUsedAt }: { id: string; lastUsedAt: string | null }, now: number): void {
    if (now < this.#noteUseFrom || (lastUsedAt !== null && now - Date.parse(lastUsedAt) < USE_INTERVAL_MS)) return;
    try {
      const use = { lastUsedAt: new Date(now).toISOString() };
      this.#connection.write((db) => db.update(tokens).set(use).where(eq(tokens.id, id)).run());
    } catch (error) {
      // Whoever has a token gets in on a full disk too.
      this.#noteUseFrom = now + USE_INTERVAL_MS;
      this.#log.warn({ err: error }, "Could not record the last use of an API token.");
    }
  }
}

function prepareFindByHint({ db }: StateConnection) {
  return db
    .select()
    .from(tokens)
    .where(eq(tokens.hint, sql.placeholder("hint")))
    .prepare();
}
