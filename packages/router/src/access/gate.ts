import { AppError, type TokenStore } from "@sm/core";
import type { Caller } from "../dispatcher.ts";
import { type AccessRequest, type AccessRules, type Admission, admit } from "./admission.ts";
import type { ClientAddress } from "./client.ts";
import { sharedOrigin } from "./origin.ts";
import { WrongTokens } from "./wrong-tokens.ts";

/** Decides who may come in, for every transport alike. */
export interface Gate {
  /**
   * Checks Host, Origin, the client's address and, where one is needed, the token in the `Authorization` header or in
   * `?token=`. A caller who still needs a token and sent none is let in with scope `null`.
   *
   * @throws AppError `FORBIDDEN`; `UNAUTHORIZED` for a wrong token; `RATE_LIMITED` after too many of them;
   *   `UNAVAILABLE` when tokens cannot be read.
   */
  admit(request: AccessRequest): Admission;
  /**
   * Checks a token that came in a message, as `auth` of a WebSocket sends it. Where none is needed it is not looked at.
   *
   * @throws AppError `UNAUTHORIZED`, `RATE_LIMITED`, `UNAVAILABLE`.
   */
  authenticate(token: string, admission: Admission): Admission;
  /** Gives the `Origin` of a page of `allowed_origins`, which may read the answer (CORS); `null` for any other. */
  sharedOrigin(request: Pick<AccessRequest, "headers">): string | null;
  /** Calls back when the token that a caller came in with ends; returns a function that stops that. */
  onEnd(caller: Caller, listener: () => void): () => void;
}

export interface GateOptions {
  rules: AccessRules;
  tokens: Pick<TokenStore, "verify" | "onEnd">;
  /** Is told of every wrong token, and who sent it. */
  onFailure?: (client: ClientAddress) => void;
  /** Wrong tokens that each client address may send in a minute; 10 if absent. */
  wrongTokensPerMinute?: number;
  /** Milliseconds on a clock that is never set back; `performance.now` if absent. */
  now?: () => number;
}

/** Makes the gate of a service. There must be only one, since it counts wrong tokens. */
export function createGate(options: GateOptions): Gate {
  const { rules, tokens, onFailure, wrongTokensPerMinute = 10, now = () => performance.now() } = options;
  const wrongTokens = new WrongTokens(wrongTokensPerMinute, now);

  function authenticate(token: string, admission: Admission): Admission {
    const { client } = admission;
    if (client.local || !rules.authEnabled) return admission;
    // A right token is let in whatever came before it: tokens of 256 random bits cannot be guessed, and one client
    // with an old token must not lock out its neighbours behind the same address.
    const grant = tokens.verify(token);
    if (grant !== null) return { client, caller: { local: false, scope: grant.scope, tokenId: grant.id } };
    onFailure?.(client);
    const retryAfterMs = wrongTokens.count(client.address);
    throw retryAfterMs === null ? wrongToken() : tooManyWrongTokens(retryAfterMs);
  }

  return {
    admit(request) {
      const admission = admit(request, rules);
      if (admission.caller.scope !== null) return admission;
      const token = tokenOf(request);
      return token === null ? admission : authenticate(token, admission);
    },
    authenticate,
    sharedOrigin: ({ headers }) => sharedOrigin(headers.origin, rules.origins),
    onEnd: ({ tokenId }, listener) => (tokenId === null ? () => undefined : tokens.onEnd(tokenId, listener)),
  };
}

/** Another scheme than Bearer is meant for a proxy on the way, and no token of ours. */
const BEARER = /^Bearer +([^ ].*)$/i;

function tokenOf({ headers, url = "" }: AccessRequest): string | null {
  const authorization = [headers.authorization].flat().join(", ");
  const bearer = BEARER.exec(authorization)?.[1];
  if (bearer !== undefined) return bearer.trimEnd();
  const queryAt = url.indexOf("?");
  // An empty one is what a form without a token sends.
  return (queryAt < 0 ? null : new URLSearchParams(url.slice(queryAt)).get("token")) || null;
}

function wrongToken(): AppError {
  return new AppError(
    "UNAUTHORIZED",
    'The API token is not known here, has expired or was revoked; make a new one with "session-cli token create".',
  );
}

function tooManyWrongTokens(retryAfterMs: number): AppError {
  const seconds = Math.ceil(retryAfterMs / 1000);
  return new AppError(
    "RATE_LIMITED",
    `Too many wrong API tokens came from this address; check the token and try again in ${seconds} s.`,
    { details: { retry_after_ms: Math.ceil(retryAfterMs) } },
  );
}
