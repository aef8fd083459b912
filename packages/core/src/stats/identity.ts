const FNV_OFFSET = 0x811c9dc5;
const FNV_PRIME = 0x01000193;

/** Identifies an entry across sessions: a fork copies IDs and times. */
export function identityOf(id: string, timestamp: number): string {
  return `${id} ${timestamp}`;
}

/** 32-bit hash of an identity: equal for copies, rarely for others. */
export function hashOf(identity: string): number {
  let hash = FNV_OFFSET;
  for (let at = 0; at < identity.length; at++) hash = Math.imul(hash ^ identity.charCodeAt(at), FNV_PRIME);
  return hash >>> 0;
}

/** 53-bit hash of a text: different ones of a library have different hashes, but for a chance in thousands. */
export function wideHashOf(text: string): number {
  let low = 0xdeadbeef;
  let high = 0x41c6ce57;
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at);
    low = Math.imul(low ^ code, 0x9e3779b1);
    high = Math.imul(high ^ code, 0x5f356495);
  }
  low = Math.imul(low ^ (low >>> 16), 0x85ebca6b) ^ Math.imul(high ^ (high >>> 13), 0xc2b2ae35);
  high = Math.imul(high ^ (high >>> 16), 0x85ebca6b) ^ Math.imul(low ^ (low >>> 13), 0xc2b2ae35);
  return (high & 0x1fffff) * 2 ** 32 + (low >>> 0);
}
