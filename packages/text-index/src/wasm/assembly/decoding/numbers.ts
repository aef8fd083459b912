// Reads numbers in the codes of `lists.ts`, from memory that may hold anything: each number begins before the end that is
// told, behind which `PADDING` bytes and other lists stand.

import { riceParameter } from "../blocks";

/** Reading loads eight bytes from any byte on, of which up to seven bits belong to what was read before. */
export const PADDING = 8;
export const MOST_AT_ONCE: u64 = 57;
/** Longer numbers are damaged. */
const MOST_ZEROS: u64 = 30;

/** The next bit, and what was read before it, where a function tells whether it could be read. */
export let at: u64 = 0;
export let value: u64 = 0;

/** Reads the positions of a document, see `readPositions` of those who read one after the other. */
export function readPositions(start: u64, end: u64, frequency: i32, length: i32, into: usize): bool {
  if (start > end) return false;
  if (frequency === 1) {
    const bits = lengthOfBits(length - 1);
    const short = (u64(1) << bits) - length;
    const window = load64(start);
    const high = bits === 0 ? 0 : (window >> 1) >> (64 - bits);
    const isShort = u64(bits === 0 || high < short);
    const low = bits === 0 ? 0 : window >> (64 - bits);
    store<u32>(into, u32(isShort ? high : low - short));
    at = start + bits - (bits === 0 ? 0 : isShort);
    return at <= end;
  }
  const rice = u64(riceParameter(length - frequency, frequency));
  let bit = start;
  let next: u64 = 0;
  for (let index = 0; index < frequency; index++) {
    if (!readRice(bit, rice, end)) return false;
    next += value;
    store<u32>(into + 4 * index, u32(next++));
    bit = at;
  }
  return bit <= end && next <= u64(length);
}

function readRice(bit: u64, rice: u64, end: u64): bool {
  if (bit > end) return false;
  const bits = load64(bit);
  const zeros = clz(bits);
  const used = zeros + 1 + rice;
  if (used > MOST_AT_ONCE) return readLongRice(bit, rice, end);
  value = (zeros << rice) | (((bits << (zeros + 1)) >> 1) >> (63 - rice));
  at = bit + used;
  return true;
}

export function readLongRice(bit: u64, rice: u64, end: u64): bool {
  if (!skipZeros(bit, end)) return false;
  const bits = load64(at);
  value = (value << rice) | ((bits >> 1) >> (63 - rice));
  at += rice;
  return true;
}

export function readLongGamma(bit: u64, end: u64): bool {
  if (!skipZeros(bit, end) || value > MOST_ZEROS) return false;
  const zeros = value;
  value = (u64(1) << zeros) | ((load64(at) >> 1) >> (63 - zeros));
  at += zeros;
  return true;
}

/** Counts zeros before the next one, which is read too. */
function skipZeros(bit: u64, end: u64): bool {
  let next = bit;
  let zeros: u64 = 0;
  for (;;) {
    if (next > end) return false;
    const run = min(clz(load64(next)), MOST_AT_ONCE - 1);
    zeros += run;
    next += run;
    if (run < MOST_AT_ONCE - 1) break;
  }
  value = zeros;
  at = next + 1;
  return at <= end;
}

/** Reads a number to `value`. Returns the byte after it; beyond the end of the list where there is none. */
export function readVarint(from: usize): usize {
  let next = from;
  let sum: u64 = 0;
  for (let shift: u64 = 0; shift < 35; shift += 7) {
    const byte = load<u8>(next++);
    sum |= u64(byte & 0x7f) << shift;
    if (byte < 0x80) {
      value = sum;
      return next;
    }
  }
  value = u64.MAX_VALUE >> 1;
  return next;
}

/** The next bits, the highest first: at least `MOST_AT_ONCE`. */
export function load64(bit: u64): u64 {
  const bytes = v128.load64_zero(usize(bit >> 3));
  const swapped = i8x16.shuffle(bytes, bytes, 7, 6, 5, 4, 3, 2, 1, 0, 7, 6, 5, 4, 3, 2, 1, 0);
  return u64(i64x2.extract_lane(swapped, 0)) << (bit & 7);
}

export function lengthOfBits(number: u32): u64 {
  return 32 - u64(clz(number));
}
