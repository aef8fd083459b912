const ZERO = 0x30;
const NINE = 0x39;
const UPPER_A = 0x41;
const UPPER_T = 0x54;
const UPPER_Z = 0x5a;
const LOWER_A = 0x61;
const LOWER_F = 0x66;
const LOWER_S = 0x73;
const LOWER_V = 0x76;
const LOWER_X = 0x78;
const LOWER_Z = 0x7a;
/** Difference between lower and upper case in ASCII. */
const CASE_BIT = 0x20;

/** More changes from digits to letters indicate encoded data, whose capitals have no meaning. */
const MAX_NUMBERS_BEFORE_LETTERS = 2;

/**
 * Splits a word into its searchable parts:
 * - at capitals: `getUserName`, `HTTPServer`; but `IPv6`, `URLs` and `3FA85F64` stay whole;
 * - after the `v` of a version and the `0x` of a number;
 * - around the `T` and before the `Z` of an ISO 8601 time, whose words are `21T03`, `00Z` and `20261121T0300Z`.
 *
 * Otherwise digits stay with the preceding letters: users type `utf8`, `sha256` and `http2` as one word, and parts of
 * hashes would fill the index.
 *
 * @param codes the folded word, with its original case.
 * @param ends receives the end of each part.
 * @returns the number of parts.
 */
export function partsOf(codes: Uint16Array, length: number, ends: Uint8Array): number {
  const count = partsOfNumber(codes, length, ends) || partsAtHumps(codes, length, ends);
  ends[count - 1] = length;
  return count;
}

/** Whether a lower-case word may be a version or a number with parts, judging by its first two letters. */
export function maySplitLower(first: number, second: number): boolean {
  return first === LOWER_V ? second <= NINE : first === ZERO && second === LOWER_X;
}

function partsOfNumber(codes: Uint16Array, length: number, ends: Uint8Array): number {
  const marker = (at: number): number => (at < length ? (codes[at] as number) | CASE_BIT : 0);
  if (marker(0) === LOWER_V) {
    ends[0] = 1;
    return length > 1 && endOfDigits(codes, length, 1) === length ? 2 : 0;
  }
  if (codes[0] === ZERO && marker(1) === LOWER_X) {
    ends[0] = 2;
    return length > 2 && endOfHex(codes, length, 2) === length ? 2 : 0;
  }
  return partsOfTime(codes, length, ends);
}

function partsOfTime(codes: Uint16Array, length: number, ends: Uint8Array): number {
  let at = endOfDigits(codes, length, 0);
  if (at === 0) return 0;
  let count = 0;
  ends[count++] = at;
  if (codes[at] === UPPER_T && endOfDigits(codes, length, at + 1) > at + 1) {
    ends[count++] = at + 1;
    at = endOfDigits(codes, length, at + 1);
    ends[count++] = at;
  }
  if (at < length && codes[at] === UPPER_Z) ends[count++] = ++at;
  return at === length ? count : 0;
}

function partsAtHumps(codes: Uint16Array, length: number, ends: Uint8Array): number {
  let count = 0;
  let numbers = 0;
  let before = codes[0] as number;
  for (let at = 1; at < length; at++) {
    const code = codes[at] as number;
    if (isUpper(code)) {
      if (isLower(before) || beginsWord(codes, length, at, before)) ends[count++] = at;
      if (isDigit(before)) numbers++;
    } else if (isDigit(before) && isLower(code)) {
      numbers++;
    }
    before = code;
  }
  return numbers > MAX_NUMBERS_BEFORE_LETTERS ? 1 : count + 1;
}

/** After capitals, a new word must have more lower-case letters than the `s` of `URLs` and the `v` of `IPv6`. */
function beginsWord(codes: Uint16Array, length: number, at: number, before: number): boolean {
  if (at + 1 >= length || !isLower(codes[at + 1] as number)) return false;
  if (isDigit(before)) return true;
  if (at + 2 >= length || !isUpper(before)) return false;
  const third = codes[at + 2] as number;
  return isLower(third) || (isUpper(third) && codes[at + 1] !== LOWER_S);
}

function endOfDigits(codes: Uint16Array, length: number, from: number): number {
  let at = from;
  while (at < length && isDigit(codes[at] as number)) at++;
  return at;
}

function endOfHex(codes: Uint16Array, length: number, from: number): number {
  let at = from;
  while (at < length && isHexDigit(codes[at] as number)) at++;
  return at;
}

function isDigit(code: number): boolean {
  return code >= ZERO && code <= NINE;
}

function isUpper(code: number): boolean {
  return code >= UPPER_A && code <= UPPER_Z;
}

function isLower(code: number): boolean {
  return code >= LOWER_A && code <= LOWER_Z;
}

function isHexDigit(code: number): boolean {
  const lower = code | CASE_BIT;
  return isDigit(code) || (lower >= LOWER_A && lower <= LOWER_F);
}
