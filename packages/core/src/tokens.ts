/** Permissions of a token: everything, or only read commands. */
export type TokenScope = "full" | "read";

/** Metadata of a token; the token itself is not stored. */
export interface TokenRecord {
  id: string;
  name: string;
  scope: TokenScope;
  /** The first six characters after `sm_`, to identify the token. */
  hint: string;
  created_at: string;
  /** Updated at most once per minute. `null`: never used. */
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
  /** Newest first, including expired ones. */
  list(): Promise<TokenRecord[]>;
  /**
   * Creates a token, which is returned only once. Rejects with AppError `INVALID_PAYLOAD` if the expiry is in the past.
   */
  create(options: TokenOptions): Promise<TokenRecord & { token: string }>;
  /** Rejects with AppError `NOT_FOUND` for an unknown token. */
  revoke(id: string): Promise<{ id: string; revoked: true }>;
  /**
   * Returns the permissions of a token; `null` if it is unknown, revoked or expired.
   *
   * @throws AppError `UNAVAILABLE` if tokens cannot be read.
   */
  verify(token: string): TokenGrant | null;
  /**
   * Calls `listener` once when this token is revoked, by any process, or expires; returns a function that stops this.
   * Changes by other processes are noticed within a second.
   */
  onEnd(id: string, listener: () => void): () => void;
}

export interface TokenGrant {
  id: string;
  scope: TokenScope;
}
