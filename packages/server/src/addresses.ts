import { hostname, networkInterfaces } from "node:os";

/** The part of the system's network interface data that is used. */
export type Interfaces = Readonly<
  Record<string, readonly { address: string; family: string; internal: boolean }[] | undefined>
>;

/**
 * URLs by which other machines reach a service that listens on all interfaces: by this machine's name and by its
 * addresses. Empty if it listens on one address only.
 */
export function reachableUrls(
  url: string,
  bindAddress: string,
  interfaces: Interfaces = networkInterfaces(),
  name: string = hostname(),
): string[] {
  const families = { "0.0.0.0": ["IPv4"], "::": ["IPv4", "IPv6"] }[bindAddress];
  if (families === undefined) return [];
  const { port } = new URL(url);
  const addresses = Object.values(interfaces)
    .flatMap((some) => some ?? [])
    // Link-local addresses need an interface name, which differs on each machine.
    .filter(({ address, family, internal }) => !internal && families.includes(family) && !/^fe[89ab]/i.test(address))
    .map(({ address, family }) => (family === "IPv6" ? `[${address}]` : address));
  const hosts = name === "" || name === "localhost" ? addresses : [name, ...addresses];
  return [...new Set(hosts)].map((host) => `http://${host}:${port === "" ? "80" : port}`);
}
