import { isIPv6 } from "node:net";
import { hostname } from "node:os";
import { isLoopback } from "@sm/router/access";
import { reachableUrls } from "../addresses.ts";
import type { Config } from "../config.ts";

export type ReachSettings = Pick<Config, "bind_addr" | "allowed_hosts" | "allowed_origins">;

/**
 * The origin by which other machines reach the service, as far as the configuration tells; `null` if none can.
 *
 * A name in `allowed_hosts` that is not this machine's is what others call it by. Behind a proxy, which is the only way
 * to a service on loopback, `allowed_origins` has that name with the scheme and the port of the proxy.
 *
 * @param serviceUrl the service's own URL, which has its port.
 */
export function publicOrigin(
  { bind_addr, allowed_hosts, allowed_origins }: ReachSettings,
  serviceUrl: string,
  machineName = hostname(),
): string | null {
  const isLocal = bind_addr === "localhost" || isLoopback(bind_addr);
  const names = allowed_hosts.map(nameIn).filter((name) => name !== null && !isOwnName(name, isLocal, machineName));
  const origins = allowed_origins.flatMap((origin) => (URL.canParse(origin) ? new URL(origin) : []));
  const origin = origins.find(({ protocol, hostname: name }) => /^https?:$/.test(protocol) && names.includes(name));
  if (origin !== undefined) return origin.origin;
  const { port } = new URL(serviceUrl);
  const [name] = names;
  // Without an origin of its own the page of the service works over plain HTTP only, through a proxy on port 80.
  if (name !== undefined && name !== null) return isLocal ? `http://${name}` : new URL(`http://${name}:${port}`).origin;
  if (isLocal) return null;
  return (
    reachableUrls(serviceUrl, bind_addr)[0] ?? `http://${isIPv6(bind_addr) ? `[${bind_addr}]` : bind_addr}:${port}`
  );
}

/** The name in an entry of `allowed_hosts`, which may have a port; as URLs have it. */
function nameIn(entry: string): string | null {
  return URL.canParse(`http://${entry}`) ? new URL(`http://${entry}`).hostname : null;
}

/** Names that lead nobody else to this machine. Its host name does, unless the service is on loopback only. */
function isOwnName(name: string, isLocal: boolean, machineName: string): boolean {
  if (name === "localhost" || isLoopback(name.replace(/^\[|\]$/g, ""))) return true;
  return isLocal && name === machineName.toLowerCase();
}
