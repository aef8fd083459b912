// Splits texts into terms and numbers them, see `Tokenizer`. This is AssemblyScript: loops over bytes, which JavaScript
// takes twice the time for. What makes a word of other than ASCII characters, and how it comes apart, is asked of the
// host, which has the rules.

import { meaningOfAscii } from "./terms/ascii";
import { fold } from "./terms/host";
import { numbers } from "./terms/numbers";
import { bytes, edges, hasBeyondAscii, listEdges, loadUnits, piece } from "./terms/piece";
import { isRecent, keepRecent, recentMeaning, recentPlace } from "./terms/recent";
import { clearVocabulary, numberOfUnits, termUnits } from "./terms/vocabulary";
import { clearWords, pushMeaning, wordEnds, wordUnits } from "./terms/words";

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
  let end = listEdges(length);
  let done = length;
  // The last word may go on. What is beyond ASCII is folded up to its end, wherever that is.
  if (hasMore && end > edges && load<i32>(end - 4) === length) {
    const start = load<i32>(end - 8);
    if (!hasBeyondAscii(start, length - start)) {
      end -= 8;
      done = start;
    }
  }
  for (let at = edges; at < end; at += 8) {
    const start = load<i32>(at);
    const word = bytes + start;
    const wordLength = load<i32>(at, 4) - start;
    const place = recentPlace(word, wordLength);
    if (isRecent(place, word, wordLength)) {
      pushMeaning(recentMeaning(place));
    } else if (hasBeyondAscii(start, wordLength)) {
      const foldedEnd = fold(start, start + wordLength);
      if (foldedEnd >= length) return foldedEnd;
    } else {
      const meaning = meaningOfAscii(word, wordLength);
      keepRecent(place, word, wordLength, meaning);
      pushMeaning(meaning);
    }
  }
  return done;
}
