import { canonicalAddress, isLoopback } from "./address.ts";
import type { RemoteEnd } from "./remote-ends.ts";

/** What a request tells about where it comes from. */
export interface ClientEvidence {
  /** The socket's peer address; there is none on a UNIX socket. */
  address: string | undefined;
  /** What else is known of the socket's other end. */
  end: RemoteEnd;
  /** `X-Forwarded-For`; several headers as a list. */
  forwardedFor: string | readonly string[] | undefined;
  /** Another header that only proxies and tunnels send, as `forwardingHeader` finds it. */
  otherForwarding: string | null;
  /** As `1.1`. */
  httpVersion: string | undefined;
}

export interface ClientAddress {
  /** Canonical; the peer's own where the evidence names no other. `null`: not known, as when the socket has gone. */
  address: string | null;
  /** On this machine, and of an account that may use the service. */
  local: boolean;
  /** For the message to who is not local although the connection comes from this machine: why, and what to change. */
  doubt?: string | undefined;
}

/** Finds out who a request comes from; `trustedProxies` are canonical addresses. What is in doubt is not local. */
export function clientAddress(evidence: ClientEvidence, trustedProxies: ReadonlySet<string>): ClientAddress {
  const { end } = evidence;
  const address = evidence.address === undefined ? null : canonicalAddress(evidence.address);
  if (!end.isUnixSocket && address === null) return { address, local: false };
  const isHere = end.isUnixSocket || (address !== null && isLoopback(address));
  // Whoever may open the UNIX socket is trusted with more than the header.
  const isProxy = end.isUnixSocket || (address !== null && trustedProxies.has(address));
  const client = isProxy ? clientBehind(evidence.forwardedFor, trustedProxies) : undefined;
  if (client === null) return { address, local: false };
  // What a proxy on another machine calls loopback is that machine.
  if (!isHere || (client !== undefined && !isLoopback(client))) return { address: client ?? address, local: false };
  const doubt = (isProxy ? doubtOfProxy(evidence) : null) ?? end.doubt;
  return { address: client ?? address, ...(doubt === null ? { local: true } : { local: false, doubt }) };
}

/** `undefined`: the header is not there; `null`: it names nobody. */
function clientBehind(
  forwardedFor: ClientEvidence["forwardedFor"],
  trustedProxies: ReadonlySet<string>,
): string | null | undefined {
  if (forwardedFor === undefined) return undefined;
  const chain = [forwardedFor].flat().join(",").split(",").map(forwardedAddress);
  // From the right: each proxy appends the peer that it saw, and only what trusted ones wrote can be believed.
  const index = chain.findLastIndex((address) => address === null || !trustedProxies.has(address));
  return chain[Math.max(index, 0)] ?? null;
}

/** A proxy that does not say who it asks for makes everybody look local. */
function doubtOfProxy({ forwardedFor, otherForwarding, httpVersion }: ClientEvidence): string | null {
  if (httpVersion === "1.0") {
    return "It came as HTTP/1.0, as proxies send it that do not say whom they ask for: use HTTP/1.1.";
  }
  if (forwardedFor !== undefined || otherForwarding === null) return null;
  return `It has the header "${otherForwarding}" of a proxy or tunnel: have that send X-Forwarded-For too.`;
}

/** Reads one element of `X-Forwarded-For`; some proxies add the port, and brackets around IPv6. */
function forwardedAddress(element: string): string | null {
  const text = element.trim();
  const withPort = /^\[([^\]]*)\](?::\d+)?$/.exec(text) ?? /^([\d.]+):\d+$/.exec(text);
  return canonicalAddress(withPort?.[1] ?? text);
}
