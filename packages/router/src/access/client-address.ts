import { canonicalAddress, isLoopback } from "./address.ts";
import type { RemoteEnd } from "./remote-ends.ts";

/** What is known about the origin of a request. */
export interface ClientEvidence {
  /** The socket's peer address; `undefined` on a UNIX socket. */
  address: string | undefined;
  /** What else is known about the peer. */
  end: RemoteEnd;
  /** `X-Forwarded-For`; several headers as a list. */
  forwardedFor: string | readonly string[] | undefined;
  /** Another header that only proxies and tunnels send, as found by `forwardingHeader`. */
  otherForwarding: string | null;
  /** As `1.1`. */
  httpVersion: string | undefined;
}

export interface ClientAddress {
  /**
   * Canonical; the peer's address unless the evidence names another. `null` if unknown, for example because the socket
   * is closed.
   */
  address: string | null;
  /** On this machine, and running under an account that may use the service. */
  local: boolean;
  /**
   * If the connection comes from this machine but does not count as local: the reason and the remedy, for the error
   * message.
   */
  doubt?: string | undefined;
}

/** Determines which client sent a request; `trustedProxies` are canonical addresses. Doubtful cases are not local. */
export function clientAddress(evidence: ClientEvidence, trustedProxies: ReadonlySet<string>): ClientAddress {
  const { end } = evidence;
  const address = evidence.address === undefined ? null : canonicalAddress(evidence.address);
  if (!end.isUnixSocket && address === null) return { address, local: false };
  const isHere = end.isUnixSocket || (address !== null && isLoopback(address));
  // Who can open the UNIX socket is trusted with more than this header.
  const isProxy = end.isUnixSocket || (address !== null && trustedProxies.has(address));
  const client = isProxy ? clientBehind(evidence.forwardedFor, trustedProxies) : undefined;
  if (client === null) return { address, local: false };
  // A loopback address reported by a proxy on another machine means that machine.
  if (!isHere || (client !== undefined && !isLoopback(client))) return { address: client ?? address, local: false };
  const doubt = (isProxy ? doubtOfProxy(evidence) : null) ?? end.doubt;
  return { address: client ?? address, ...(doubt === null ? { local: true } : { local: false, doubt }) };
}

/** `undefined`: no such header; `null`: it has no valid address. */
function clientBehind(
  forwardedFor: ClientEvidence["forwardedFor"],
  trustedProxies: ReadonlySet<string>,
): string | null | undefined {
  if (forwardedFor === undefined) return undefined;
  const chain = [forwardedFor].flat().join(",").split(",").map(forwardedAddress);
  // From the right: each proxy appends the peer it saw, and only the part written by trusted proxies is reliable.
  const index = chain.findLastIndex((address) => address === null || !trustedProxies.has(address));
  return chain[Math.max(index, 0)] ?? null;
}

/** A proxy that does not forward the client's address makes all of its clients look local. */
function doubtOfProxy({ forwardedFor, otherForwarding, httpVersion }: ClientEvidence): string | null {
  if (httpVersion === "1.0") {
    return "The request uses HTTP/1.0, which suggests a proxy that does not forward the client's address. Use HTTP/1.1.";
  }
  if (forwardedFor !== undefined || otherForwarding === null) return null;
  return `The request has the header "${otherForwarding}" of a proxy or tunnel. Configure it to send X-Forwarded-For too.`;
}

/** Parses one element of `X-Forwarded-For`; some proxies add the port, and brackets around IPv6. */
function forwardedAddress(element: string): string | null {
  const text = element.trim();
  const withPort = /^\[([^\]]*)\](?::\d+)?$/.exec(text) ?? /^([\d.]+):\d+$/.exec(text);
  return canonicalAddress(withPort?.[1] ?? text);
}
