import { AppError } from "@sm/core";
import type { Caller } from "../caller.ts";
import { canonicalAddress } from "./address.ts";
import { type ClientAddress, clientAddress } from "./client-address.ts";
import { forwardingHeader } from "./forwarding.ts";
import { checkHost, type Decision, parseHost } from "./host-header.ts";
import { canonicalOrigin, checkOrigin } from "./origin.ts";
import { groupOf } from "./peer.ts";
import type { RemoteEnd, TcpSocket } from "./remote-ends.ts";

/** Access settings as the user writes them. */
export interface AccessSettings {
  authEnabled: boolean;
  /** Whether clients on this machine need a token like all others; default: they do not. */
  localNeedsToken?: boolean;
  allowedHosts: readonly string[];
  allowedOrigins: readonly string[];
  trustedProxies: readonly string[];
  /** The machine's host name. */
  machineName: string;
}

/** `AccessSettings`, ready for comparison. */
export interface AccessRules {
  authEnabled: boolean;
  localNeedsToken: boolean;
  names: ReadonlySet<string>;
  origins: ReadonlySet<string>;
  trustedProxies: ReadonlySet<string>;
}

/** Prepares the settings once; every request is checked against the result. */
export function accessRules(settings: AccessSettings): AccessRules {
  const names = ["localhost", settings.machineName, ...settings.allowedHosts];
  return {
    authEnabled: settings.authEnabled,
    localNeedsToken: settings.localNeedsToken ?? false,
    names: new Set(names.map((name) => parseHost(name)?.host ?? name.toLowerCase())),
    origins: new Set(settings.allowedOrigins.map(canonicalOrigin)),
    trustedProxies: new Set(settings.trustedProxies.map((address) => canonicalAddress(address) ?? address)),
  };
}

/** The properties of a request or upgrade that access decisions need. */
export interface AccessRequest {
  socket: TcpSocket;
  /** As `1.1`. */
  httpVersion?: string | undefined;
  /** By lower-case name, as in Node. */
  headers: Readonly<Record<string, string | string[] | undefined>>;
  /** Alternating names and values, as received: `headers` has only the first of several Host headers. */
  rawHeaders?: readonly string[] | undefined;
  /** Path and query, as sent by the client. */
  url?: string | undefined;
}

/** The client and caller of an admitted request. */
export interface Admission {
  client: ClientAddress;
  caller: Caller;
}

/**
 * Checks Host, Origin and client address before anything else reads the request. A caller who still needs a token is
 * admitted with scope `null`.
 *
 * @throws AppError `FORBIDDEN`.
 */
export function admit(request: AccessRequest, rules: AccessRules, end: RemoteEnd): Admission {
  const { headers, socket, httpVersion } = request;
  // With several Host headers, a proxy may have checked another one than this code would.
  const host = hasSeveralHosts(request) ? undefined : single(headers.host);
  enforce(checkHost(host, rules.names));
  const origin = single(headers.origin);
  const fetchSite = single(headers["sec-fetch-site"]);
  enforce(checkOrigin({ origin, fetchSite, host, port: socket.localPort }, rules));
  const forwardedFor = headers["x-forwarded-for"];
  const client = clientAddress(
    {
      address: socket.remoteAddress,
      end,
      forwardedFor,
      otherForwarding: forwardedFor === undefined ? forwardingHeader(headers) : null,
      httpVersion,
    },
    rules.trustedProxies,
  );
  const local = client.local && !rules.localNeedsToken;
  const scope = local || !rules.authEnabled ? "full" : null;
  return { client, caller: { local, scope, tokenId: null, doubt: client.doubt } };
}

/** Name of a client for fair scheduling: its token if it has one, otherwise its address or network. */
export function clientName({ client, caller }: Admission): string {
  if (caller.tokenId !== null) return `token ${caller.tokenId}`;
  return `address ${client.address === null ? null : groupOf(client.address)}`;
}

function hasSeveralHosts({ rawHeaders = [] }: AccessRequest): boolean {
  let count = 0;
  for (let at = 0; at < rawHeaders.length; at += 2) {
    const name = rawHeaders[at];
    if (name?.length === 4 && name.toLowerCase() === "host") count += 1;
  }
  return count > 1;
}

function single(header: string | string[] | undefined): string | undefined {
  return Array.isArray(header) ? header.join(", ") : header;
}

function enforce(decision: Decision): void {
  if (!decision.allowed) throw new AppError("FORBIDDEN", decision.message);
}
