import { TERM_LIMIT } from "../../constants";
import { PADDING } from "./allocation";
import { clearTable, newTable, numberIn, tagIn, textIn } from "./table";

/** A term of the host, or an identifier with its parts. */
export const termUnits = memory.data(2 * TERM_LIMIT + PADDING, 16);
const termBytes = memory.data(TERM_LIMIT + PADDING, 16);

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
}

export function textOf(number: i32): usize {
  return textIn(vocabulary, number);
}

export function tagOf(number: i32): i32 {
  return tagIn(vocabulary, number);
}

/** Numbers a term in ASCII. */
export function numberOfAscii(text: usize, length: i32): i32 {
  return numberIn(vocabulary, text, length << 1);
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
