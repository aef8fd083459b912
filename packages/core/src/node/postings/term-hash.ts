/** Transcripts are hostile: who does not know these numbers cannot write words that all have one hash. */
export const HASH_START = randomInteger();
export const HASH_FACTOR = randomInteger() | 1;

function randomInteger(): number {
  return Math.floor(Math.random() * 2 ** 32) | 0;
}

/** Computes the hash of a term, for as long as the process lives. */
export function termHash(term: string): number {
  let hash = HASH_START;
  for (let at = 0; at < term.length; at++) hash = Math.imul(hash ^ term.charCodeAt(at), HASH_FACTOR);
  return hash;
}
