import { lookup as systemLookup } from "node:dns";
import { BlockList, isIP, isIPv6, type LookupFunction } from "node:net";
import { networkInterfaces } from "node:os";

// Addresses that are not on the internet (IANA's registries of special-purpose addresses).
const elsewhere = new BlockList();
for (const [network, prefix] of [
  ["0.0.0.0", 8],
  ["10.0.0.0", 8],
  ["100.64.0.0", 10],
  ["127.0.0.0", 8],
  ["169.254.0.0", 16],
  ["172.16.0.0", 12],
  ["192.0.0.0", 24],
  ["192.0.2.0", 24],
  ["192.168.0.0", 16],
  ["198.18.0.0", 15],
  ["198.51.100.0", 24],
  ["203.0.113.0", 24],
  ["224.0.0.0", 3],
] as const) {
  elsewhere.addSubnet(network, prefix);
}
/** Global unicast, without what stands for IPv4 addresses or is for documentation. */
const globalUnicast = new BlockList();
globalUnicast.addSubnet("2000::", 3, "ipv6");
for (const [network, prefix] of [
  ["2001::", 23],
  ["2001:db8::", 32],
  ["2002::", 16],
  ["3fff::", 20],
] as const) {
  elsewhere.addSubnet(network, prefix, "ipv6");
}

/** Whether an IP address is one of the internet, and not of this machine or a network that it is in. */
export function isInternetAddress(address: string, interfaces: Interfaces = networkInterfaces()): boolean {
  const family = isIPv6(address) ? "ipv6" : "ipv4";
  if (isIP(address) === 0 || elsewhere.check(address, family)) return false;
  if (family === "ipv6" && !globalUnicast.check(address, family)) return false;
  return !ownNetworks(interfaces).check(address, family);
}

type Interfaces = NodeJS.Dict<readonly { address: string; cidr: string | null }[]>;

/** Machines of a rented server's network, and all in a home with IPv6, have addresses of the internet. */
function ownNetworks(interfaces: Interfaces): BlockList {
  const own = new BlockList();
  for (const { address, cidr } of Object.values(interfaces).flatMap((addresses) => addresses ?? [])) {
    if (isIP(address) === 0) continue;
    const family = isIPv6(address) ? "ipv6" : "ipv4";
    const prefix = Number(cidr?.split("/")[1]);
    // Of a tunnel for everything, the network is the internet.
    if (prefix > 0) own.addSubnet(address, prefix, family);
    else own.addAddress(address, family);
  }
  return own;
}

/** Finds the addresses of a name, and fails for names of machines that are not on the internet. */
export const internetLookup: LookupFunction = (hostname, options, callback) => {
  systemLookup(hostname, { ...options, all: true }, (error, addresses) => {
    if (error !== null) return callback(error, "");
    const found = addresses.filter(({ address }) => isInternetAddress(address));
    const [first] = found;
    if (first === undefined) {
      callback(Object.assign(new Error(`${hostname} is not on the internet`), { code: "EACCES" }), "");
    } else if (options.all === true) callback(null, found);
    else callback(null, first.address, first.family);
  });
};
