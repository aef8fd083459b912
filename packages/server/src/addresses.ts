import { hostname, networkInterfaces } from "node:os";

/** What is used of the system's network interfaces. */
export type Interfaces = Readonly<
  Record<string, readonly { address: string; family: string; internal: boolean }[] | undefined>
>;

/**
 * Lists the URLs by which other machines reach a service that listens on every interface: by the name of this machine,
 * which they may know, and by its addresses. Empty where it listens on one address alone.
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
    // An address of one link needs the name of the interface beside it, which is another on each machine.
    .filter(({ address, family, internal }) => !internal && families.includes(family) && !/^fe[89ab]/i.test(address))
    .map(({ address, family }) => (family === "IPv6" ? `[${address}]` : address));
  const hosts = name === "" || name === "localhost" ? addresses : [name, ...addresses];
  return [...new Set(hosts)].map((host) => `http://${host}:${port === "" ? "80" : port}`);
}
