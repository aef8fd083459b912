import { PADDING } from "./allocation";
import { loadBytes, piece } from "./piece";

const SPACE: u8 = 0x20;
const SPACES = 0x2020;
const QUOTE: u8 = 0x22;
const BACKSLASH: u8 = 0x5c;
const LETTER_U: u8 = 0x75;

/** Characters of payloads, and how many in a row are none yet. */
const inPayload = memory.data(128, 16);
let payloadLimit = 0;

export function setPayload(character: i32, limit: i32): void {
  store<u8>(inPayload + character, 1);
  payloadLimit = limit;
}

/**
 * Looks whether the piece, of which there are so many bytes, is what stands between the quotes of a JSON string, and
 * takes its escapes out: those of JSON's own writers are all of characters that are no part of a word. It is left to
 * others where it has other escapes, or a payload.
 */
export function loadJson(length: i32): bool {
  memory.fill(piece + length, SPACE, PADDING);
  let done = 0;
  for (let block = 0; block < length; block += 16) {
    const part = v128.load(piece + block);
    if (v128.any_true(i8x16.lt_u(part, i8x16.splat(i8(SPACE))))) return false;
    const isSpecial = v128.or(i8x16.eq(part, i8x16.splat(i8(QUOTE))), i8x16.eq(part, i8x16.splat(i8(BACKSLASH))));
    for (let bits = i8x16.bitmask(isSpecial); bits !== 0; bits &= bits - 1) {
      const at = block + ctz(bits);
      if (at < done) continue;
      const escaped = escapeLength(piece + at);
      done = at + escaped;
      if (escaped === 0 || done > length) return false;
      // Two bytes or six.
      store<u16>(piece + at, SPACES);
      if (escaped > 2) store<u32>(piece + at, (SPACES << 16) | SPACES, 2);
    }
  }
  for (let at = payloadLimit; at < length; at += payloadLimit) if (isPayloadAt(at, length)) return false;
  loadBytes(length);
  return true;
}

/** Bytes of an escape of a character that is no part of a word; 0 for anything else. */
function escapeLength(at: usize): i32 {
  if (load<u8>(at) !== BACKSLASH) return 0;
  const kind = load<u8>(at, 1);
  if (kind === LETTER_U) {
    // A control character.
    if (load<u16>(at, 2) !== 0x3030 || (load<u8>(at, 4) & 0xfe) !== 0x30) return 0;
    const last = load<u8>(at, 5);
    const isDigit = last >= 0x30 && last <= 0x39;
    return isDigit || ((last | 0x20) >= 0x61 && (last | 0x20) <= 0x66) ? 6 : 0;
  }
  const isPlain =
    kind === QUOTE ||
    kind === BACKSLASH ||
    kind === 0x62 ||
    kind === 0x66 ||
    kind === 0x6e ||
    kind === 0x72 ||
    kind === 0x74;
  return isPlain ? 2 : 0;
}

/** See `nextPayload`. */
function isPayloadAt(at: i32, length: i32): bool {
  let end = at;
  while (end < length && isInPayload(end)) end++;
  if (end === at) return false;
  let start = at;
  while (start > 0 && isInPayload(start - 1)) start--;
  return end - start > payloadLimit;
}

function isInPayload(at: i32): bool {
  const byte = i32(load<u8>(piece + at));
  return byte < 0x80 && load<u8>(inPayload + byte) !== 0;
}
