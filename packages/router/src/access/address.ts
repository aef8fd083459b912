/** Canonical form for comparison: dotted IPv4 (also for `::ffff:0:0/96`), otherwise eight groups of IPv6. */
export type CanonicalAddress = string;

const IPV4_PART = "(?:25[0-5]|2[0-4]\\d|1\\d\\d|[1-9]?\\d)";
const IPV4 = new RegExp(`^${IPV4_PART}(?:\\.${IPV4_PART}){3}$`);
const IPV6_GROUP = /^[0-9a-f]{1,4}$/i;

/**
 * Parses an IP address in strict notation, without brackets or port; a zone (`%eth0`) is dropped. `null` for anything
 * else, including octal, hexadecimal and short IPv4 forms, which programs interpret differently.
 */
export function canonicalAddress(text: string): CanonicalAddress | null {
  return IPV4.test(text) ? text : canonicalIpv6(text.replace(/%.*$/, ""));
}

function canonicalIpv6(text: string): CanonicalAddress | null {
  const halves = text.replace(/(?<=:)[\d.]+$/, (end) => (IPV4.test(end) ? ipv4AsGroups(end) : end)).split("::");
  const [head = [], tail] = halves.map((half) => (half === "" ? [] : half.split(":")));
  const missing = 8 - head.length - (tail?.length ?? 0);
  // A "::" stands for at least one group.
  if (halves.length > 2 || (tail === undefined ? missing !== 0 : missing < 1)) return null;
  const written = [...head, ...Array<string>(missing).fill("0"), ...(tail ?? [])];
  if (!written.every((group) => IPV6_GROUP.test(group))) return null;
  const groups = written.map((group) => Number.parseInt(group, 16));
  return mappedIpv4(groups) ?? groups.map((group) => group.toString(16)).join(":");
}

function ipv4AsGroups(text: string): string {
  const [a = 0, b = 0, c = 0, d = 0] = text.split(".").map(Number);
  return `${(a * 256 + b).toString(16)}:${(c * 256 + d).toString(16)}`;
}

function mappedIpv4(groups: number[]): CanonicalAddress | null {
  const [high = 0, low = 0] = groups.slice(6);
  if (groups[5] !== 0xffff || groups.slice(0, 5).some((group) => group !== 0)) return null;
  return [high >> 8, high & 255, low >> 8, low & 255].join(".");
}

/** Whether an address, in any notation, is in 127.0.0.0/8, is `::1`, or is an IPv4 loopback address mapped to IPv6. */
export function isLoopback(address: string): boolean {
  const canonical = canonicalAddress(address);
  return canonical !== null && (canonical.startsWith("127.") || canonical === "0:0:0:0:0:0:0:1");
}
