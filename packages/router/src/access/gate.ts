import { AppError, type TokenStore } from "@sm/core";
import type { Caller } from "../caller.ts";
import { type AccessRequest, type AccessRules, type Admission, admit } from "./admission.ts";
import type { ClientAddress } from "./client.ts";
import { sharedOrigin } from "./origin.ts";
import { type Peer, peerOf } from "./peer.ts";
import { type AccountLookup, RemoteEnds, type TcpSocket } from "./remote-ends.ts";
import { WrongTokens } from "./wrong-tokens.ts";

/** Decides who may come in, for every transport alike. */
export interface Gate {
  /**
   * Looks up who holds the other end of a connection, once. Gives what to wait for before its first request is admitted,
   * `null` where nothing is; a request that comes earlier is not local.
   */
  meet(socket: TcpSocket): Promise<void> | null;
  /** Takes a connection for one that came over the UNIX socket of the service: its clients are local. */
  meetUnixSocket(socket: object): void;
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
  /** Tells whose a connection is before it has sent anything. */
  peer(socket: AccessRequest["socket"]): Peer;
  /** Gives the `Origin` of a page of `allowed_origins`, which may read the answer (CORS); `null` for any other. */
  sharedOrigin(request: Pick<AccessRequest, "headers">): string | null;
  /** Calls back when the token that a caller came in with ends; returns a function that stops that. */
  onEnd(caller: Caller, listener: () => void): () => void;
}

export interface GateOptions {
  rules: AccessRules;
  tokens: Pick<TokenStore, "verify" | "onEnd">;
  /** Looks up the account at the other end of a connection from this machine; without it every account is let in. */
  lookUpAccount?: AccountLookup | undefined;
  /** Whether this is the token of this start, which clients of this machine have to show; none needs one if absent. */
  isLocalToken?: ((token: string) => boolean) | undefined;
  /** Is told of every wrong token, and who sent it. */
  onFailure?: (client: ClientAddress) => void;
  /** Wrong tokens that each client address may send in a minute; 10 if absent. */
  wrongTokensPerMinute?: number;
  /** Milliseconds on a clock that is never set back; `performance.now` if absent. */
  now?: () => number;
}

/** Makes the gate of a service. There must be only one, since it counts wrong tokens. */
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
    // A right token is let in whatever came before it: tokens of 256 random bits cannot be guessed, and one client
    // with an old token must not lock out its neighbours behind the same address.
    const grant = tokens.verify(token);
    if (grant !== null) return { client, caller: { local: false, scope: grant.scope, tokenId: grant.id } };
    onFailure?.(client);
    const retryAfterMs = wrongTokens.count(client.address);
    throw retryAfterMs === null ? wrongToken() : tooManyWrongTokens(retryAfterMs);
  }

  /** Where a token of this start is asked for, nobody is local without it. */
  function askForLocalToken({ client }: Admission): Admission {
    const scope = rules.authEnabled ? null : "full";
    return { client, caller: { local: false, scope, tokenId: null, doubt: ASKS_FOR_LOCAL_TOKEN } };
  }

  return {
    meet: (socket) => ends.meet(socket),
    meetUnixSocket: (socket) => ends.meetUnixSocket(socket),
    admit(request) {
      const end = ends.of(request.socket);
      let admission = admit(request, rules, end);
      // The system has checked the account of who came over the UNIX socket.
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
  'It comes from this machine, where the token of this start is needed ("local_token"): it is in server.json in the data directory.';

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
