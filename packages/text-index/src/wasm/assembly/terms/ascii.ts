import { WORD_LIMIT } from "../../constants";
import { PADDING } from "./allocation";
import { numberOfAscii } from "./vocabulary";
import { meaningOfWord } from "./words";

/** Whether a word may have parts though it is in lower case: by its first two letters, and by the first alone. */
const maySplit = memory.data(128 * 128, 16);
const mayBeginSplit = memory.data(128, 16);

/** A word in lower case. */
const lowered = memory.data(WORD_LIMIT + PADDING, 16);

/** Tells that a word which begins with these letters may have parts though it is in lower case. */
export function setMaySplit(first: i32, second: i32): void {
  store<u8>(maySplit + first * 128 + second, 1);
  store<u8>(mayBeginSplit + first, 1);
}

/** Tells the meaning of a word that is ASCII, see `pushMeaning`. */
export function meaningOfAscii(word: usize, length: i32): i32 {
  if (length > WORD_LIMIT || hasInnerCapitals(word, length)) return meaningOfWord(word, min(length, WORD_LIMIT) << 1);
  return mayHaveParts(lowered) ? meaningOfWord(word, length << 1) : numberOfAscii(lowered, length);
}

/** Puts a word into `lowered` as well. */
function hasInnerCapitals(word: usize, length: i32): bool {
  let capitals: u64 = 0;
  for (let at = 0; at < length; at += 16) {
    const part = v128.load(word + at);
    const isCapital = i8x16.lt_u(i8x16.sub(part, i8x16.splat(0x41)), i8x16.splat(26));
    v128.store(lowered + at, v128.or(part, v128.and(isCapital, i8x16.splat(0x20))));
    capitals |= u64(i8x16.bitmask(isCapital)) << at;
  }
  return (capitals & ~1) << (64 - length) !== 0;
}

function mayHaveParts(word: usize): bool {
  const first = i32(load<u8>(word));
  if (load<u8>(mayBeginSplit + first) === 0) return false;
  const second = i32(load<u8>(word, 1));
  return second < 0x80 && load<u8>(maySplit + first * 128 + second) !== 0;
}
