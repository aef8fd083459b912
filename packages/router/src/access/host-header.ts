import { canonicalAddress } from "./address.ts";

/** Whether a request may proceed; if not, `message` names the setting to change. */
export type Decision = { allowed: true } | { allowed: false; message: string };

export const ALLOWED: Decision = { allowed: true };

/** The host and port of a `Host` header or an origin. */
export interface HostAndPort {
  /** Lower case, without a final dot; addresses are canonical. */
  host: string;
  port: number | null;
  isAddress: boolean;
}

const HOST_AND_PORT = /^(\[[^[\]]+\]|[^:[\]]+)(?::(\d{1,5}))?$/;

/** Parses `name`, `name:port` or `[IPv6]:port`; `null` for anything else. */
export function parseHost(text: string): HostAndPort | null {
  const [, host, port] = HOST_AND_PORT.exec(text.trim()) ?? [];
  if (host === undefined) return null;
  const isIpv6 = host.startsWith("[");
  const address = canonicalAddress(isIpv6 ? host.slice(1, -1) : host);
  if (isIpv6 && address === null) return null;
  return {
    host: address ?? host.toLowerCase().replace(/\.$/, ""),
    port: port === undefined ? null : Number(port),
    isAddress: address !== null,
  };
}

/**
 * Checks the `Host` header: it must be an IP literal or one of `names` (lower case). In a DNS rebinding attack, the
 * header has the attacker's host name.
 */
export function checkHost(header: string | undefined, names: ReadonlySet<string>): Decision {
  const parsed = parseHost(header ?? "");
  if (parsed !== null && (parsed.isAddress || names.has(parsed.host))) return ALLOWED;
  const message =
    parsed === null
      ? "The Host header is missing or invalid. Send the host name of the service."
      : `The host ${quoteForMessage(parsed.host)} is not allowed; add it to "allowed_hosts" in session-manager.json.`;
  return { allowed: false, message };
}

/** Quotes text of a request in a message, with bounded length. */
export function quoteForMessage(text: string): string {
  return `"${text.length > 100 ? `${text.slice(0, 100)}…` : text}"`;
}
