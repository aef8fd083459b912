import { PADDING } from "./allocation";
import { clearTable, lowBytes, newTable, numberIn, numberOfKey, placeOf, tagIn, textIn } from "./table";

/** A term of the host, or an identifier with its parts. */
const TERM_LIMIT = 1024;
export const termUnits = memory.data(2 * TERM_LIMIT + PADDING, 16);
const termBytes = memory.data(TERM_LIMIT + PADDING, 16);

/**
 * Most occurrences are of few terms, which this keeps close together: a term of at most eight letters, and its number.
 * Without it, looking terms up takes a fifth longer.
 */
const RECENT_BITS = 12;
const RECENT_BYTES = 16;
const recent = memory.data(RECENT_BYTES << RECENT_BITS, 16);

/** The terms of all texts. */
const vocabulary = newTable();

export function size(): i32 {
  return vocabulary.size;
}

/** Of all terms, one after the other in the order of their numbers. */
export function textLength(): i32 {
  return vocabulary.textLength;
}

/** Forgets all terms and keeps the room. */
export function clearVocabulary(): void {
  clearTable(vocabulary);
  memory.fill(recent, 0, RECENT_BYTES << RECENT_BITS);
}

export function textOf(number: i32): usize {
  return textIn(vocabulary, number);
}

export function tagOf(number: i32): i32 {
  return tagIn(vocabulary, number);
}

/** Numbers a term in ASCII. */
export function numberOfAscii(text: usize, length: i32): i32 {
  if (length > 8) return numberIn(vocabulary, text, length << 1);
  const key = load<u64>(text) & lowBytes(length);
  const known = recent + placeOf(key, RECENT_BITS) * RECENT_BYTES;
  if (load<u64>(known) !== key) {
    store<i32>(known, numberOfKey(vocabulary, key, text, length << 1), 8);
    store<u64>(known, key);
  }
  return load<i32>(known, 8);
}

/** Numbers a term in UTF-16. */
export function numberOfUnits(units: usize, length: i32): i32 {
  const text = narrowed(units, length);
  return text !== 0 ? numberIn(vocabulary, text, length << 1) : numberIn(vocabulary, units, (length << 2) | 1);
}

/** Where units are as ASCII, until the next call; 0 where they are none. */
export function narrowed(units: usize, length: i32): usize {
  let all = 0;
  for (let at = 0; at < length; at++) {
    const unit = i32(load<u16>(units + 2 * at));
    all |= unit;
    store<u8>(termBytes + at, unit);
  }
  return all < 0x80 ? termBytes : 0;
}
