import { lookup as systemLookup } from "node:dns";
import { BlockList, isIP, isIPv6, type LookupFunction } from "node:net";

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
] as const) {
  elsewhere.addSubnet(network, prefix, "ipv6");
}

/** Whether an IP address is one of the internet, and not of this machine or a private network. */
export function isInternetAddress(address: string): boolean {
  if (isIPv6(address)) {
    return globalUnicast.check(address, "ipv6") && !elsewhere.check(address, "ipv6");
  }
  return isIP(address) === 4 && !elsewhere.check(address);
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
