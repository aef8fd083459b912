import { placeOf } from "./table";

/**
 * Most occurrences are of few words, which this keeps close together, as they are written: a word of at most twelve
 * letters in ASCII, and its meaning, see `pushMeaning`. Without it, splitting and numbering takes a third longer.
 */
const MOST_LETTERS = 12;
const BITS = 14;
const BYTES = 16;
const recent = memory.data(BYTES << BITS, 16);

/** No letter, so that no word is taken for what is not filled yet. */
const NO_LETTER: u8 = 1;
clearRecent();

/** By length a mask of a word's letters, of at most `BYTES`; of longer ones none, so that they are never found. */
const masks = memory.data(BYTES * (MOST_LETTERS + 2), 16);
for (let length = 1; length <= MOST_LETTERS; length++) memory.fill(masks + BYTES * length, 0xff, length);

export function clearRecent(): void {
  memory.fill(recent, NO_LETTER, BYTES << BITS);
}

/** Where a word is kept, or would be. */
export function recentPlace(word: usize, length: i32): usize {
  const low = lowLetters(word, length);
  return recent + placeOf(low ^ (u64(highLetters(word, length)) << 29), BITS) * BYTES;
}

/** Tells whether a word is kept at its place. */
export function isRecent(place: usize, word: usize, length: i32): bool {
  const differsLow = load<u64>(place) ^ lowLetters(word, length);
  return (differsLow | u64(load<u32>(place, 8) ^ highLetters(word, length))) === 0;
}

export function recentMeaning(place: usize): i32 {
  return load<i32>(place, 12);
}

/** Keeps a word at its place if it is short enough. */
export function keepRecent(place: usize, word: usize, length: i32, meaning: i32): void {
  if (length > MOST_LETTERS) return;
  store<u64>(place, lowLetters(word, length));
  store<u32>(place, highLetters(word, length), 8);
  store<i32>(place, meaning, 12);
}

function lowLetters(word: usize, length: i32): u64 {
  return load<u64>(word) & load<u64>(masks + BYTES * min(length, MOST_LETTERS + 1));
}

function highLetters(word: usize, length: i32): u32 {
  return load<u32>(word, 8) & load<u32>(masks + BYTES * min(length, MOST_LETTERS + 1), 8);
}
