/** Longer runs of base64 characters are payloads, which nobody searches. */
export const PAYLOAD_LIMIT = 512;

/** Looking characters up is several times faster than a pattern. */
const IN_PAYLOAD = new Uint8Array(0x10000);
export const PAYLOAD_CHARACTERS = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/=";
for (const character of PAYLOAD_CHARACTERS) {
  IN_PAYLOAD[character.charCodeAt(0)] = 1;
}

/**
 * Finds the first payload that begins at `from` or after it; an empty one at the end where there is none. Looks at one
 * character out of `PAYLOAD_LIMIT`, and around it.
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
