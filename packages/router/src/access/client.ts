import { canonicalAddress, isLoopback } from "./address.ts";

/** What a request tells about where it comes from. */
export interface ClientEvidence {
  /** The socket's peer address. */
  peer: string | undefined;
  /** `X-Forwarded-For`; several headers as a list. */
  forwardedFor: string | readonly string[] | undefined;
  /** Whether another forwarding header (`Forwarded`, `X-Real-IP`, `X-Forwarded-Host`, `Via`) is there. */
  otherForwarding: boolean;
}

export interface ClientAddress {
  /** Canonical; the peer's own where the evidence names no other. `null`: not known, as when the socket has gone. */
  address: string | null;
  /** On this machine. */
  local: boolean;
}

/** Finds out who a request comes from; `trustedProxies` are canonical addresses. What is in doubt is not local. */
export function clientAddress(evidence: ClientEvidence, trustedProxies: ReadonlySet<string>): ClientAddress {
  const peer = evidence.peer === undefined ? null : canonicalAddress(evidence.peer);
  if (peer === null) return { address: null, local: false };
  if (!trustedProxies.has(peer)) return { address: peer, local: isLoopback(peer) };
  if (evidence.forwardedFor === undefined) {
    return { address: peer, local: isLoopback(peer) && !evidence.otherForwarding };
  }
  const chain = [evidence.forwardedFor].flat().join(",").split(",").map(forwardedAddress);
  // From the right: each proxy appends the peer that it saw, and only what trusted ones wrote can be believed.
  const index = chain.findLastIndex((address) => address === null || !trustedProxies.has(address));
  const client = chain[Math.max(index, 0)] ?? null;
  return client === null ? { address: peer, local: false } : { address: client, local: isLoopback(client) };
}

/** Reads one element of `X-Forwarded-For`; some proxies add the port, and brackets around IPv6. */
function forwardedAddress(element: string): string | null {
  const text = element.trim();
  const withPort = /^\[([^\]]*)\](?::\d+)?$/.exec(text) ?? /^([\d.]+):\d+$/.exec(text);
  return canonicalAddress(withPort?.[1] ?? text);
}
