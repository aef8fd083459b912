import { ASCII, ESCAPED, UTF8 } from "../../../../../format/token-layout";

const SPACE: u8 = 0x20;
const QUOTE: u8 = 0x22;
const BACKSLASH: u8 = 0x5c;
const LETTER_U: u8 = 0x75;

/** Of the string that was walked last. */
export let kindOfString = ASCII;

/**
 * Walks a string. Invalid UTF-8 never ends a string, as with TextDecoder.
 *
 * @param from behind its first quote.
 * @returns the address of its last quote, 0 where it has none, or what JSON does not allow.
 */
export function stringEnd(from: usize): usize {
  let at = from;
  let seen = i8x16.splat(0);
  let isEscaped = false;
  while (true) {
    const part = v128.load(at);
    const isQuoteOrBackslash = v128.or(i8x16.eq(part, i8x16.splat(QUOTE)), i8x16.eq(part, i8x16.splat(BACKSLASH)));
    const stops = i8x16.bitmask(v128.or(isQuoteOrBackslash, i8x16.lt_u(part, i8x16.splat(SPACE))));
    if (stops === 0) {
      seen = v128.or(seen, part);
      at += 16;
      continue;
    }
    const before = ctz(stops);
    // Bytes behind the stop are looked at again, or belong to something else.
    if ((i8x16.bitmask(part) & ((1 << before) - 1)) !== 0) seen = i8x16.splat(-1);
    at += before;
    const stop = load<u8>(at);
    if (stop === QUOTE) {
      kindOfString = isEscaped ? ESCAPED : i8x16.bitmask(seen) !== 0 ? UTF8 : ASCII;
      return at;
    }
    if (stop !== BACKSLASH) return 0;
    isEscaped = true;
    at = escapeEnd(at);
    if (at === 0) return 0;
  }
}

function escapeEnd(at: usize): usize {
  const kind = load<u8>(at, 1);
  if (kind === LETTER_U) {
    return isHexDigit(at + 2) && isHexDigit(at + 3) && isHexDigit(at + 4) && isHexDigit(at + 5) ? at + 6 : 0;
  }
  const isPlain =
    kind === QUOTE ||
    kind === BACKSLASH ||
    kind === 0x2f ||
    kind === 0x62 ||
    kind === 0x66 ||
    kind === 0x6e ||
    kind === 0x72 ||
    kind === 0x74;
  return isPlain ? at + 2 : 0;
}

function isHexDigit(at: usize): bool {
  const byte = load<u8>(at);
  return u8(byte - 0x30) < 10 || u8((byte | 0x20) - 0x61) < 6;
}
