import { AppError } from "@sm/core";
import type { Log } from "@sm/server/parts";
import * as openid from "openid-client";

export interface ProviderOptions {
  issuer: string;
  clientId: string;
  /** `null`: the provider knows the hub as a public client. */
  clientSecret: string | null;
  scopes: readonly string[];
  /** Where the provider sends a browser back to. */
  redirectUri: string;
  /** For messages. */
  name: string;
  log: Log;
}

/** What belongs to one sign-in, from its beginning to its end. */
export interface SignInSecrets {
  state: string;
  nonce: string;
  /** Of PKCE. */
  verifier: string;
}

export type Claims = Readonly<Record<string, unknown>> & { readonly iss: string; readonly sub: string };

/** Whoever signs in waits for it. */
const TIMEOUT_S = 10;
/** Providers change their keys and addresses, but seldom. */
const DISCOVERY_MS = 3_600_000;
const CLOCK_TOLERANCE_S = 30;
/** Each costs the provider a request, and anybody may begin one. */
const MOST_AT_ONCE = 64;

/** A provider of OpenID Connect: authorization code flow with PKCE, state and nonce. */
export class Provider {
  readonly #options: ProviderOptions;
  #discovered: { config: Promise<openid.Configuration>; until: number } | null = null;
  #running = 0;

  constructor(options: ProviderOptions) {
    this.#options = options;
  }

  newSecrets(): SignInSecrets {
    return { state: openid.randomState(), nonce: openid.randomNonce(), verifier: openid.randomPKCECodeVerifier() };
  }

  /** Where a browser begins to sign in. Rejects with AppError `UNAVAILABLE`. */
  async authorizationUrl({ state, nonce, verifier }: SignInSecrets): Promise<string> {
    const config = await this.#configuration();
    const url = openid.buildAuthorizationUrl(config, {
      ...{ redirect_uri: this.#options.redirectUri, scope: this.#options.scopes.join(" "), state, nonce },
      code_challenge: await openid.calculatePKCECodeChallenge(verifier),
      code_challenge_method: "S256",
    });
    return url.href;
  }

  /**
   * Who has signed in, from the query that the provider has sent a browser with. Asks for more about them if the ID token
   * lacks one of `wanted`.
   *
   * Rejects with AppError `UNAVAILABLE`, `FORBIDDEN` and `INVALID_REQUEST`.
   */
  async claims(
    query: string,
    { state, nonce, verifier }: SignInSecrets,
    wanted: readonly string[],
  ): Promise<{ claims: Claims; idToken: string | null }> {
    if (this.#running >= MOST_AT_ONCE) throw this.#unavailable("Too many people are signing in");
    this.#running += 1;
    try {
      const config = await this.#configuration();
      const url = new URL(this.#options.redirectUri);
      url.search = query;
      const checks = { expectedState: state, expectedNonce: nonce, pkceCodeVerifier: verifier, idTokenExpected: true };
      const tokens = await openid.authorizationCodeGrant(config, url, checks);
      const own = tokens.claims();
      if (own === undefined) throw new Error("There is no ID token.");
      const isWhole = wanted.every((name) => Object.hasOwn(own, name));
      const more =
        isWhole || config.serverMetadata().userinfo_endpoint === undefined
          ? {}
          : await openid.fetchUserInfo(config, tokens.access_token, own.sub);
      return { claims: { ...more, ...own }, idToken: tokens.id_token ?? null };
    } catch (error) {
      throw this.#explained(error);
    } finally {
      this.#running -= 1;
    }
  }

  /** Where a browser signs out of the provider too; `null` where that has no such address. */
  async signOutUrl(idToken: string | null, returnTo: string): Promise<string | null> {
    const config = await this.#configuration();
    if (config.serverMetadata().end_session_endpoint === undefined) return null;
    const hint: Record<string, string> = idToken === null ? {} : { id_token_hint: idToken };
    return openid.buildEndSessionUrl(config, { ...hint, post_logout_redirect_uri: returnTo }).href;
  }

  #configuration(): Promise<openid.Configuration> {
    const now = performance.now();
    if (this.#discovered !== null && now < this.#discovered.until) return this.#discovered.config;
    const config = this.#discover();
    this.#discovered = { config, until: now + DISCOVERY_MS };
    // The next one asks again.
    config.catch(() => {
      this.#discovered = null;
    });
    return config;
  }

  async #discover(): Promise<openid.Configuration> {
    const { issuer, clientId, clientSecret } = this.#options;
    const address = new URL(issuer);
    try {
      return await openid.discovery(
        address,
        clientId,
        { [openid.clockTolerance]: CLOCK_TOLERANCE_S },
        clientSecret === null ? openid.None() : bySecret(clientSecret),
        {
          timeout: TIMEOUT_S,
          // The signature of the ID token is checked although it comes from the provider itself.
          execute: [
            openid.enableNonRepudiationChecks,
            ...(address.protocol === "http:" ? [openid.allowInsecureRequests] : []),
          ],
        },
      );
    } catch (error) {
      throw this.#explained(error);
    }
  }

  /** What went wrong, without what is secret: errors of the library have whole answers in them. */
  #explained(error: unknown): unknown {
    if (error instanceof AppError) return error;
    const { name, log } = this.#options;
    if (error instanceof openid.AuthorizationResponseError) {
      return new AppError("FORBIDDEN", `${name} did not let you in (${codeOf(error.error)}).`);
    }
    if (error instanceof openid.ResponseBodyError && error.error === "invalid_grant") {
      return new AppError("INVALID_REQUEST", `${name} says that this sign-in was used already, or has expired.`);
    }
    const { message, code = "" } = error as Error & { code?: unknown };
    const reason = error instanceof openid.ResponseBodyError ? codeOf(error.error) : String(code);
    log.warn({ reason, problem: message }, "Signing in with the provider has failed.");
    if (error instanceof openid.ResponseBodyError) {
      const advice = "Ask whoever runs this hub to check its client_id and client_secret_file";
      return new AppError("UNAVAILABLE", `${name} refuses this hub (${reason}). ${advice}.`);
    }
    if (INVALID.test(reason)) {
      return new AppError("FORBIDDEN", `The answer of ${name} is not valid (${reason}). Nobody was signed in.`);
    }
    return this.#unavailable(`${name} does not answer`);
  }

  #unavailable(what: string): AppError {
    const message = `${what}; try again in a moment. API tokens go on working meanwhile.`;
    return new AppError("UNAVAILABLE", message, { details: { retry_after_ms: 5_000 } });
  }
}

/** What the library says of answers that are not what they should be. */
const INVALID = /^OAUTH_(INVALID_RESPONSE|PARSE_ERROR|JWT_|JSON_|KEY_SELECTION|MISSING_|INVALID_SERVER)/;

/** In the header unless the provider takes it in the body only: that is what providers expect who do not say. */
function bySecret(secret: string): openid.ClientAuth {
  const [basic, post] = [openid.ClientSecretBasic(secret), openid.ClientSecretPost(secret)];
  return (server, ...request) => {
    const methods = server.token_endpoint_auth_methods_supported ?? ["client_secret_basic"];
    const isPost = !methods.includes("client_secret_basic") && methods.includes("client_secret_post");
    return (isPost ? post : basic)(server, ...request);
  };
}

/** A code from outside, as far as it looks like one. */
function codeOf(text: string): string {
  return /^[\w.-]{1,60}$/.test(text) ? text : "no reason given";
}
