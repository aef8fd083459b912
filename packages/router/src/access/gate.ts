import { AppError, type TokenStore } from "@sm/core";
import type { Caller } from "../caller.ts";
import { type AccessRequest, type AccessRules, type Admission, admit } from "./admission.ts";
import type { ClientAddress } from "./client-address.ts";
import { sharedOrigin } from "./origin.ts";
import { type Peer, peerOf } from "./peer.ts";
import { type AccountLookup, RemoteEnds, type TcpSocket } from "./remote-ends.ts";
import { WrongTokens } from "./wrong-tokens.ts";

/** Access control of the service, shared by all transports. */
export interface Gate {
  /**
   * Looks up the account at the other end of a connection, once. Returns a promise to await before the first request is
   * admitted, or `null` if the result is already known; earlier requests are not local.
   */
  registerConnection(socket: TcpSocket): Promise<void> | null;
  /** Marks a connection as accepted on the service's UNIX socket: its clients are local. */
  registerUnixSocket(socket: object): void;
  /**
   * Checks Host, Origin, client address and, if required, the token in the `Authorization` header or in `?token=`. A
   * caller who needs a token but sent none is admitted with scope `null`.
   *
   * @throws AppError `FORBIDDEN`; `UNAUTHORIZED` for a wrong token; `RATE_LIMITED` after too many of them;
   * `UNAVAILABLE` if tokens cannot be read.
   */
  admit(request: AccessRequest): Admission;
  /**
   * Checks a token from a message, such as `auth` on a WebSocket. Ignores it if none is required.
   *
   * @throws AppError `UNAUTHORIZED`, `RATE_LIMITED`, `UNAVAILABLE`.
   */
  authenticate(token: string, admission: Admission): Admission;
  /** Classifies a connection before its first request. */
  peer(socket: AccessRequest["socket"]): Peer;
  /** The request's `Origin` if it is one of `allowed_origins`, which may read responses (CORS); otherwise `null`. */
  sharedOrigin(request: Pick<AccessRequest, "headers">): string | null;
  /** Calls `listener` when the caller's token expires or is revoked; returns a function that stops this. */
  onEnd(caller: Caller, listener: () => void): () => void;
}

export interface GateOptions {
  rules: AccessRules;
  tokens: Pick<TokenStore, "verify" | "onEnd">;
  /** Looks up the account at the other end of a local connection; without it, all local accounts are admitted. */
  lookUpAccount?: AccountLookup | undefined;
  /** Whether this is the token of this start, required from local clients; if absent, they need none. */
  isLocalToken?: ((token: string) => boolean) | undefined;
  /** Called for every wrong token, with the client that sent it. */
  onFailure?: (client: ClientAddress) => void;
  /** Wrong tokens that each client address may send per minute; default 10. */
  wrongTokensPerMinute?: number;
  /** Monotonic clock in milliseconds; default `performance.now`. */
  now?: () => number;
}

/** Creates the gate of a service. Create only one, because it counts wrong tokens. */
export function createGate(options: GateOptions): Gate {
  const { rules, tokens, isLocalToken, onFailure, wrongTokensPerMinute = 10, now = () => performance.now() } = options;
  const ends = new RemoteEnds(options.lookUpAccount);
  const wrongTokens = new WrongTokens(wrongTokensPerMinute, now);

  function authenticate(token: string, admission: Admission): Admission {
    const { client } = admission;
    if (admission.caller.local) return admission;
    if (client.local && isLocalToken?.(token)) {
      return { client, caller: { local: true, scope: "full", tokenId: null } };
    }
    if (!rules.authEnabled) return admission;
    // A valid token is accepted regardless of earlier failures: tokens of 256 random bits cannot be guessed, and one
    // client with an old token must not lock out others behind the same address.
    const grant = tokens.verify(token);
    if (grant !== null) return { client, caller: { local: false, scope: grant.scope, tokenId: grant.id } };
    onFailure?.(client);
    const retryAfterMs = wrongTokens.count(client.address);
    throw retryAfterMs === null ? wrongToken() : tooManyWrongTokens(retryAfterMs);
  }

  /** If the token of this start is required, no client is local without it. */
  function askForLocalToken({ client }: Admission): Admission {
    const scope = rules.authEnabled ? null : "full";
    return { client, caller: { local: false, scope, tokenId: null, doubt: ASKS_FOR_LOCAL_TOKEN } };
  }

  return {
    registerConnection: (socket) => ends.registerConnection(socket),
    registerUnixSocket: (socket) => ends.registerUnixSocket(socket),
    admit(request) {
      const end = ends.of(request.socket);
      let admission = admit(request, rules, end);
      // The system has already checked the account of a client on the UNIX socket.
      if (admission.caller.local && (isLocalToken === undefined || end.isUnixSocket)) return admission;
      if (admission.caller.local) admission = askForLocalToken(admission);
      const token = tokenOf(request);
      return token === null ? admission : authenticate(token, admission);
    },
    authenticate,
    peer: (socket) => peerOf(socket.remoteAddress, rules.trustedProxies, ends.of(socket).doubt !== null),
    sharedOrigin: ({ headers }) => sharedOrigin(headers.origin, rules.origins),
    onEnd: ({ tokenId }, listener) => (tokenId === null ? () => undefined : tokens.onEnd(tokenId, listener)),
  };
}

const ASKS_FOR_LOCAL_TOKEN =
  'Local clients need the token of this start ("local_token"). It is in server.json in the data directory.';

/** Other schemes than Bearer are meant for a proxy. */
const BEARER = /^Bearer +([^ ].*)$/i;

function tokenOf({ headers, url = "" }: AccessRequest): string | null {
  const authorization = [headers.authorization].flat().join(", ");
  const bearer = BEARER.exec(authorization)?.[1];
  if (bearer !== undefined) return bearer.trimEnd();
  const queryAt = url.indexOf("?");
  // A form without a token sends an empty one.
  return (queryAt < 0 ? null : new URLSearchParams(url.slice(queryAt)).get("token")) || null;
}

function wrongToken(): AppError {
  return new AppError(
    "UNAUTHORIZED",
    'The API token is unknown, expired or revoked. Create a new one with "session-cli token create".',
  );
}

function tooManyWrongTokens(retryAfterMs: number): AppError {
  const seconds = Math.ceil(retryAfterMs / 1000);
  return new AppError(
    "RATE_LIMITED",
    `Too many wrong API tokens from this address. Check the token and try again in ${seconds} s.`,
    { details: { retry_after_ms: Math.ceil(retryAfterMs) } },
  );
}
