import { canonicalAddress, isLoopback } from "./address.ts";

/** The client of a connection, as far as it is known before the first request. */
export interface Peer {
  /** On this machine, and running under an account that may use the service. */
  local: boolean;
  /**
   * Key by which connections of remote clients are counted: IPv4 address, or IPv6 network of 64 bits (one client may
   * own all of its addresses). `null` for local clients and for trusted proxies, which carry many clients.
   */
  group: string | null;
}

/**
 * Classifies a connection by its address (`undefined` on a UNIX socket). `trustedProxies` are canonical addresses. A
 * doubtful account is treated as remote.
 */
export function peerOf(address: string | undefined, trustedProxies: ReadonlySet<string>, isInDoubt: boolean): Peer {
  if (address === undefined || (isLoopback(address) && !isInDoubt)) return { local: true, group: null };
  const canonical = canonicalAddress(address);
  if (canonical === null) return { local: false, group: address };
  if (trustedProxies.has(canonical)) return { local: false, group: null };
  return { local: false, group: groupOf(canonical) };
}

/** The address range that one client may own; `address` is canonical. */
export function groupOf(address: string): string {
  return address.includes(":") ? address.split(":", 4).join(":") : address;
}
