import { WORD_LIMIT } from "../../constants";
import { allocate, grown, PADDING } from "./allocation";
import { parts } from "./host";
import { push } from "./numbers";
import { clearRecent } from "./recent";
import { clearTable, newTable, numberIn } from "./table";
import { narrowed, numberOfUnits, termUnits } from "./vocabulary";

/** A word that is folded or split, and where its parts end. */
export const wordUnits = memory.data(2 * WORD_LIMIT + PADDING, 16);
export const wordEnds = memory.data(WORD_LIMIT, 16);

/** Words that may have parts, as they are after folding: code has the same ones again and again. */
const words = newTable();
const MOST_WORDS = 1 << 17;
/** For each word where its terms end in `wordTerms`. */
const wordTermsEnds = allocate(4 * MOST_WORDS);
let wordTerms = allocate(1 << 16);
let wordTermsRoom = 1 << 14;
let wordTermsLength = 0;

export function clearWords(): void {
  clearTable(words);
  clearRecent();
  wordTermsLength = 0;
}

/** Pushes the terms of the word in `wordUnits`, after folding. */
export function pushFolded(length: i32): void {
  const text = narrowed(wordUnits, length);
  pushMeaning(text !== 0 ? meaningOfWord(text, length << 1) : meaningOfWord(wordUnits, (length << 2) | 1));
}

/** Pushes what a word stands for: the number of its term, or where it has parts, `~` its number among the words. */
export function pushMeaning(meaning: i32): void {
  if (meaning >= 0) push(meaning);
  else pushParts(~meaning);
}

/** Tells the meaning of a word that may have parts. */
export function meaningOfWord(text: usize, tag: i32): i32 {
  if (words.size === MOST_WORDS) clearWords();
  const known = words.size;
  const number = numberIn(words, text, tag);
  if (number === known) numberParts(text, tag);
  const start = startOfParts(number);
  return load<i32>(wordTermsEnds + 4 * number) - start === 1 ? load<i32>(wordTerms + 4 * start) : ~number;
}

function startOfParts(number: i32): i32 {
  return number === 0 ? 0 : load<i32>(wordTermsEnds + 4 * (number - 1));
}

function pushParts(number: i32): void {
  const end = load<i32>(wordTermsEnds + 4 * number);
  for (let at = startOfParts(number); at < end; at++) push(load<i32>(wordTerms + 4 * at));
}

/** Numbers the parts of a word, and the word with its parts where it has some. */
function numberParts(text: usize, tag: i32): void {
  const length = tag >> (1 + (tag & 1));
  if ((tag & 1) !== 0) memory.copy(wordUnits, text, 2 * length);
  else for (let at = 0; at < length; at++) store<u16>(wordUnits + 2 * at, load<u8>(text + at));
  const count = parts(length);
  for (let at = 0; at < length; at++) {
    const unit = i32(load<u16>(wordUnits + 2 * at));
    if (unit >= 0x41 && unit <= 0x5a) store<u16>(wordUnits + 2 * at, unit | 0x20);
  }
  if (wordTermsLength + count > wordTermsRoom) {
    wordTerms = grown(wordTerms, 4 * wordTermsLength, 8 * wordTermsRoom);
    wordTermsRoom *= 2;
  }
  let start = 0;
  for (let part = 0; part < count; part++) {
    const end = i32(load<u8>(wordEnds + part));
    store<i32>(wordTerms + 4 * wordTermsLength++, numberOfUnits(wordUnits + 2 * start, end - start));
    start = end;
  }
  store<i32>(wordTermsEnds + 4 * (words.size - 1), wordTermsLength);
  if (count > 1) numberIdentifier(length, count);
}

/** Numbers the word in `wordUnits` as an identifier, see `Segment`. */
function numberIdentifier(length: i32, count: i32): void {
  store<u16>(termUnits, 0x69);
  store<u16>(termUnits, 0x64, 2);
  store<u16>(termUnits, 0x3a, 4);
  memory.copy(termUnits + 6, wordUnits, 2 * length);
  let end = termUnits + 6 + 2 * length;
  let start = 0;
  for (let part = 0; part < count; part++) {
    const partEnd = i32(load<u8>(wordEnds + part));
    store<u16>(end, 0x20);
    memory.copy(end + 2, wordUnits + 2 * start, 2 * (partEnd - start));
    end += 2 + 2 * (partEnd - start);
    start = partEnd;
  }
  numberOfUnits(termUnits, i32(end - termUnits) / 2);
}
