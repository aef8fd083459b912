import { push } from "./numbers";
import { bytes, lower } from "./piece";
import { lowBytes } from "./table";
import { numberOfAscii } from "./vocabulary";
import { pushWord, WORD_LIMIT } from "./words";

/** Whether a word may have parts though it is in lower case: by its first two letters, and by the first alone. */
const maySplit = memory.data(128 * 128, 16);
const mayBeginSplit = memory.data(128, 16);

/** Tells that a word which begins with these letters may have parts though it is in lower case. */
export function setMaySplit(first: i32, second: i32): void {
  store<u8>(maySplit + first * 128 + second, 1);
  store<u8>(mayBeginSplit + first, 1);
}

/** Pushes the terms of a word of the piece that is ASCII. */
export function pushAscii(start: i32, length: i32): void {
  const from = lower + start;
  if (length > WORD_LIMIT || hasInnerCapitals(start, length) || mayHaveParts(start)) {
    pushWord(bytes + start, min(length, WORD_LIMIT) << 1);
    return;
  }
  push(numberOfAscii(from, length));
}

function hasInnerCapitals(start: i32, length: i32): bool {
  let at = start + 1;
  let left = length - 1;
  for (; left > 8; left -= 8) {
    if (load<u64>(bytes + at) !== load<u64>(lower + at)) return true;
    at += 8;
  }
  return ((load<u64>(bytes + at) ^ load<u64>(lower + at)) & lowBytes(left)) !== 0;
}

function mayHaveParts(start: i32): bool {
  const first = i32(load<u8>(lower + start));
  if (load<u8>(mayBeginSplit + first) === 0) return false;
  const second = i32(load<u8>(bytes + start, 1));
  return second < 0x80 && load<u8>(maySplit + first * 128 + second) !== 0;
}
