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
