import { timingSafeEqual } from "node:crypto";
import { AppError, type TokenGrant } from "@sm/core";
import { digestOf, type LibraryLog, USE_INTERVAL_MS } from "@sm/core/state";
import { eq } from "drizzle-orm";
import type { PostgresDatabase } from "../database/database.ts";
import { Listener } from "../database/listener.ts";
import { tokens, users } from "./schema.ts";
import { TOKEN_CHANNEL } from "./token-notice.ts";
import type { UserRole } from "./users.ts";

/** Without word from the database, revocations are not known; nobody gets in then. */
const MOST_DEAF_MS = 5_000;
/** Twice within the second that an expiry may take to be noticed. */
const LOOK_INTERVAL_MS = 500;

/** What a token permits on a hub, and to whom. */
export interface UserGrant extends TokenGrant {
  userId: string;
}

interface KnownToken extends UserGrant {
  role: UserRole;
  hash: Buffer;
  /** Milliseconds since 1970; Infinity: it does not expire. */
  endsAt: number;
  lastUsedAt: number;
}

/**
 * The tokens of all users, in memory: each request has one, and it is decided upon before anything is awaited. Changes are
 * told by the database. 100,000 tokens take about 30 MB.
 */
export class TokenDirectory {
  readonly #database: PostgresDatabase;
  readonly #log: LibraryLog;
  readonly #listener: Listener;
  #byHint: ReadonlyMap<string, readonly KnownToken[]> = new Map();
  #byId: ReadonlyMap<string, KnownToken> = new Map();
  readonly #watched = new Map<string, Set<() => void>>();
  #timer: NodeJS.Timeout | null = null;
  /** Reads one after the other, so that the last one stays. */
  #reading: Promise<void> = Promise.resolve();
  /** Has not begun yet, so it sees whatever has changed until now. */
  #nextReading: Promise<void> | null = null;

  constructor(database: PostgresDatabase, { url, log }: { url: string; log: LibraryLog }) {
    this.#database = database;
    this.#log = log;
    const onNotice = () =>
      void this.refresh().catch((error: unknown) => log.warn({ err: error }, "Could not read the tokens."));
    this.#listener = new Listener([TOKEN_CHANNEL], { url, log, onNotice });
  }

  /** Reads all tokens. */
  refresh(): Promise<void> {
    if (this.#nextReading !== null) return this.#nextReading;
    const reading = this.#reading.then(() => {
      this.#nextReading = null;
      return this.#read();
    });
    this.#nextReading = reading;
    this.#reading = reading.catch(() => undefined);
    return reading;
  }

  /** @throws AppError `UNAVAILABLE` while the database does not tell of revocations. */
  verify(token: string): UserGrant | null {
    const digest = digestOf(token);
    if (digest === null) return null;
    if (this.#listener.deafMs > MOST_DEAF_MS) {
      throw new AppError("UNAVAILABLE", "The database does not answer; try again in a moment.", {
        details: { retry_after_ms: 1_000 },
      });
    }
    // The lookup uses a prefix that is not secret, so its duration reveals nothing of the hash.
    const found = this.#byHint.get(digest.hint)?.find((known) => timingSafeEqual(known.hash, digest.hash));
    const now = Date.now();
    if (found === undefined || found.endsAt <= now) return null;
    this.#noteUse(found, now);
    return { id: found.id, scope: found.scope, userId: found.userId };
  }

  /** Whose token has this id, and what they may do; `null` for one that is revoked. */
  ownerOf(id: string): { userId: string; role: UserRole } | null {
    const known = this.#byId.get(id);
    return known === undefined ? null : { userId: known.userId, role: known.role };
  }

  /** Calls `listener` once when the token is revoked, on any server, or expires. */
  onEnd(id: string, listener: () => void): () => void {
    const listeners = this.#watched.get(id) ?? new Set();
    this.#watched.set(id, listeners);
    // One function may be given twice.
    const tell = () => listener();
    listeners.add(tell);
    this.#timer ??= setInterval(() => this.#endExpired(), LOOK_INTERVAL_MS).unref();
    return () => {
      listeners.delete(tell);
      if (listeners.size === 0 && this.#watched.get(id) === listeners) this.#watched.delete(id);
    };
  }

  async close(): Promise<void> {
    if (this.#timer !== null) clearInterval(this.#timer);
    await this.#listener.close();
    await this.#reading;
  }

  async #read(): Promise<void> {
    const { id, scope, userId, hash, hint, expiresAt, lastUsedAt } = tokens;
    const rows = await this.#database.asService((db) =>
      db
        .select({ id, scope, userId, role: users.role, hash, hint, expiresAt, lastUsedAt })
        .from(tokens)
        .innerJoin(users, eq(users.id, userId)),
    );
    const byHint = new Map<string, KnownToken[]>();
    const byId = new Map<string, KnownToken>();
    for (const { hint, expiresAt, lastUsedAt, ...token } of rows) {
      const known: KnownToken = {
        ...token,
        endsAt: expiresAt === null ? Number.POSITIVE_INFINITY : Date.parse(expiresAt),
        lastUsedAt: Math.max(
          lastUsedAt === null ? 0 : Date.parse(lastUsedAt),
          this.#byId.get(token.id)?.lastUsedAt ?? 0,
        ),
      };
      byId.set(known.id, known);
      const others = byHint.get(hint);
      if (others === undefined) byHint.set(hint, [known]);
      else others.push(known);
    }
    this.#byHint = byHint;
    this.#byId = byId;
    this.#endExpired();
  }

  #endExpired(): void {
    const now = Date.now();
    for (const [id, listeners] of [...this.#watched]) {
      if ((this.#byId.get(id)?.endsAt ?? 0) > now) continue;
      this.#watched.delete(id);
      for (const listener of listeners) listener();
    }
  }

  #noteUse(token: KnownToken, now: number): void {
    if (now - token.lastUsedAt < USE_INTERVAL_MS) return;
    token.lastUsedAt = now;
    const use = { lastUsedAt: new Date(now).toISOString() };
    this.#database
      .asService((db) => db.update(tokens).set(use).where(eq(tokens.id, token.id)))
      // Whoever has a token gets in on a full disk too.
      .catch((error: unknown) => this.#log.warn({ err: error }, "Could not record the last use of an API token."));
  }
}
