// Splits texts into terms and numbers them, see `Tokenizer`. This is AssemblyScript: loops over bytes, which JavaScript
// takes twice the time for. What makes a word of other than ASCII characters, and how it comes apart, is asked of the
// host, which has the rules.

import { pushAscii } from "./terms/ascii";
import { fold } from "./terms/host";
import { numbers } from "./terms/numbers";
import { hasBeyondAscii, inWord, loadUnits, piece } from "./terms/piece";
import { clearVocabulary, numberOfUnits, termUnits } from "./terms/vocabulary";
import { clearWords, wordEnds, wordUnits } from "./terms/words";

export { setMaySplit } from "./terms/ascii";
export { loadJson, setPayload } from "./terms/json";
export { takeRest } from "./terms/numbers";
export { sorted } from "./terms/order";
export { setHash } from "./terms/table";
export { size, tagOf, textLength, textOf } from "./terms/vocabulary";
export { pushFolded } from "./terms/words";

export function addressOfPiece(): usize {
  return piece;
}

export function addressOfNumbers(): usize {
  return numbers;
}

export function addressOfWord(): usize {
  return wordUnits;
}

export function addressOfEnds(): usize {
  return wordEnds;
}

export function addressOfTerm(): usize {
  return termUnits;
}

/** Numbers the term in `termUnits`. */
export function add(length: i32): i32 {
  return numberOfUnits(termUnits, length);
}

/** Forgets all terms and keeps the room. */
export function clear(): void {
  clearVocabulary();
  clearWords();
}

/**
 * Splits the piece, of which there are so many units of UTF-16.
 *
 * @param hasMore whether text follows, so that the last word may go on there.
 * @returns where the next piece begins.
 */
export function split(length: i32, hasMore: bool): i32 {
  loadUnits(length);
  return splitBytes(length, hasMore);
}

/** Splits the JSON string that was loaded. */
export function splitLoaded(length: i32): void {
  splitBytes(length, false);
}

function splitBytes(length: i32, hasMore: bool): i32 {
  let before: u64 = 0;
  let start = -1;
  let foldedEnd = 0;
  for (let block = 0; block <= length; block += 64) {
    const bits = load<u64>(inWord + block / 8);
    // Where words begin and end, by turns.
    let edges = bits ^ ((bits << 1) | before);
    before = bits >> 63;
    for (; edges !== 0; edges &= edges - 1) {
      const at = block + i32(ctz(edges));
      if (start < 0) {
        start = at;
        continue;
      }
      const from = start;
      start = -1;
      if (from < foldedEnd) continue;
      if (hasBeyondAscii(from, at - from)) {
        foldedEnd = fold(from, at);
        if (foldedEnd >= length) return foldedEnd;
      } else {
        if (at === length && hasMore) return from;
        pushAscii(from, at - from);
      }
    }
  }
  return length;
}
