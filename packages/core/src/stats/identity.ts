const FNV_OFFSET = 0x811c9dc5;
const FNV_PRIME = 0x01000193;

/** Names an entry across sessions: a fork copies entries with their ids and times. */
export function identityOf(id: string, timestamp: number): string {
  return `${id} ${timestamp}`;
}

/** An identity in 32 bits: those of copies are equal, and hardly ever others. */
export function hashOf(identity: string): number {
  let hash = FNV_OFFSET;
  for (let at = 0; at < identity.length; at++) hash = Math.imul(hash ^ identity.charCodeAt(at), FNV_PRIME);
  return hash >>> 0;
}
