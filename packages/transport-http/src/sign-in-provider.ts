/** Signing in with a provider, in a browser: what the pages at `/auth/` need. Errors are AppErrors, and shown. */
export interface SignIn {
  /** Name of the provider, for people. */
  readonly provider: string;
  /**
   * Sends a browser to the provider. `setCookie` is what it has to show when it comes back.
   *
   * Rejects with `UNAVAILABLE` if the provider does not answer.
   */
  begin(request: { host: string; returnTo: string | null }): Promise<{ location: string; setCookie: string | null }>;
  /**
   * Takes a browser back from the provider. `query` is that of the address, with the question mark.
   *
   * Rejects with `INVALID_REQUEST` for one that did not begin here, `FORBIDDEN` for whoever may not come in, and
   * `UNAVAILABLE`.
   */
  finish(request: { query: string; cookie: string | undefined }): Promise<{ token: string; returnTo: string }>;
  /** The `Set-Cookie` that removes the cookie of `begin`. */
  readonly removeCookie: string;
  /** Revokes the token of a caller if it was made by `finish`; `url` ends the session at the provider, if it can. */
  end(tokenId: string): Promise<{ revoked: boolean; url: string | null }>;
}

/** What the page learns about signing in from `/health`. */
export interface SignInHealth {
  /** Where a navigation in the same tab begins it, with `?return_to=` and a path of the page. */
  url: string;
  provider: string;
}
