/** What a token may do: everything, or only commands that read. */
export type TokenScope = "full" | "read";

/** What is known of a token; the token itself is not kept. */
export interface TokenRecord {
  id: string;
  name: string;
  scope: TokenScope;
  /** The first six characters after `sm_`, to tell tokens apart. */
  hint: string;
  created_at: string;
  /** To the minute: not every request is worth a write. `null`: never used. */
  last_used_at: string | null;
  /** `null`: does not expire. */
  expires_at: string | null;
}

export interface TokenOptions {
  name: string;
  scope: TokenScope;
  /** RFC 3339, in the future. */
  expires_at: string | null;
}

/** The API tokens of a service. Implemented by `@sm/core/node`. */
export interface TokenStore {
  /** The newest first, expired ones too. */
  list(): Promise<TokenRecord[]>;
  /**
   * Makes a token; it can be read from this answer and never again. Rejects with AppError `INVALID_PAYLOAD` where it
   * would have expired already.
   */
  create(options: TokenOptions): Promise<TokenRecord & { token: string }>;
  /** Rejects with AppError `NOT_FOUND` where there is no such token. */
  revoke(id: string): Promise<{ id: string; revoked: true }>;
  /**
   * Tells what a token may do; `null` for one that is unknown, revoked or expired.
   *
   * @throws AppError `UNAVAILABLE` when the tokens cannot be read any more.
   */
  verify(token: string): TokenGrant | null;
  /**
   * Calls back once, when this token is revoked or expires, by whatever process; returns a function that stops that.
   * Other processes are noticed within a second.
   */
  onEnd(id: string, listener: () => void): () => void;
}

export interface TokenGrant {
  id: string;
  scope: TokenScope;
}
