/** Longer runs of base64 characters are payloads and not indexed. */
export const PAYLOAD_LIMIT = 512;

/** A table is several times faster than a regular expression. */
const IN_PAYLOAD = new Uint8Array(0x10000);
export const PAYLOAD_CHARACTERS = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/=";
for (const character of PAYLOAD_CHARACTERS) {
  IN_PAYLOAD[character.charCodeAt(0)] = 1;
}

/**
 * Finds the first payload at or after `from`; an empty one at the end if there is none. Samples every
 * `PAYLOAD_LIMIT`-th character.
 */
export function nextPayload(text: string, from: number): { start: number; end: number } {
  for (let at = from + PAYLOAD_LIMIT; at < text.length; at += PAYLOAD_LIMIT) {
    let start = at;
    let end = at;
    while (end < text.length && IN_PAYLOAD[text.charCodeAt(end)] === 1) end++;
    if (end === at) continue;
    while (start > from && IN_PAYLOAD[text.charCodeAt(start - 1)] === 1) start--;
    if (end - start > PAYLOAD_LIMIT) return { start, end };
  }
  return { start: text.length, end: text.length };
}
