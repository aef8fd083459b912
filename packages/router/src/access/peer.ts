import { canonicalAddress, isLoopback } from "./address.ts";

/** Whose a connection is, as far as that can be told before a request has come. */
export interface Peer {
  /** Of this machine, and of an account that may use the service. */
  local: boolean;
  /**
   * What the connections of a client from elsewhere are counted by: its IPv4 address, or its IPv6 network of 64 bits,
   * all addresses of which one client may have. `null` where they are not: of this machine, and of a trusted proxy,
   * which brings many clients.
   */
  group: string | null;
}

/**
 * Tells whose a connection from an address is; a UNIX socket has none. `trustedProxies` are canonical addresses. An
 * account in doubt is treated as one from elsewhere.
 */
export function peerOf(address: string | undefined, trustedProxies: ReadonlySet<string>, isInDoubt: boolean): Peer {
  if (address === undefined || (isLoopback(address) && !isInDoubt)) return { local: true, group: null };
  const canonical = canonicalAddress(address);
  if (canonical === null) return { local: false, group: address };
  if (trustedProxies.has(canonical)) return { local: false, group: null };
  return { local: false, group: groupOf(canonical) };
}

/** Names what one client may have all addresses of; `address` is canonical. */
export function groupOf(address: string): string {
  return address.includes(":") ? address.split(":", 4).join(":") : address;
}
