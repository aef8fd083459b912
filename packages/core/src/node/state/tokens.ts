import { createHash, randomBytes, randomUUID, timingSafeEqual } from "node:crypto";
import { desc, eq, sql } from "drizzle-orm";
import { AppError } from "../../errors.ts";
import type { LibraryLog } from "../../library-log.ts";
import type { TokenGrant, TokenOptions, TokenRecord, TokenStore } from "../../tokens.ts";
import type { StateConnection } from "./connection.ts";
import { tokens } from "./schema.ts";
import { TokenEnds } from "./token-ends.ts";

const PREFIX = "sm_";
const TOKEN = /^sm_[\w-]{43}$/;
/** At most once in this time it is written down that a token is used; also the wait after that has failed. */
const USE_INTERVAL_MS = 60_000;

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
    if (expires_at !== null && !(Date.parse(expires_at) > Date.now())) {
      const issue = { path: "expires_at", message: "Must be a time in the future." };
      throw new AppError("INVALID_PAYLOAD", "A token cannot expire in the past.", { details: [issue] });
    }
    const token = PREFIX + randomBytes(32).toString("base64url");
    const record = this.#connection.write((db) =>
      db
        .insert(tokens)
        .values({
          id: randomUUID(),
          name,
          scope,
          hash: hashOf(token),
          hint: hintOf(token),
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
    // Without the id: somebody may have sent the token itself.
    if (changes === 0) throw new AppError("NOT_FOUND", "There is no token with this id; list_tokens lists all.");
    this.#ends.end(id);
    return { id, revoked: true };
  }

  verify(token: string): TokenGrant | null {
    if (!TOKEN.test(token)) return null;
    this.#connection.checkInPlace();
    const hash = hashOf(token);
    // The lookup uses a prefix that is not secret, so its duration reveals nothing of the hash.
    const candidates = this.#connection.read(() => this.#findByHint.all({ hint: hintOf(token) }));
    const found = candidates.find((candidate) => timingSafeEqual(candidate.hash, hash));
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

function hashOf(token: string): Buffer {
  return createHash("sha256").update(token).digest();
}

function hintOf(token: string): string {
  return token.slice(PREFIX.length, PREFIX.length + 6);
}
