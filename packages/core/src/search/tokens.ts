import { cut } from "../session/text.ts";
import { type FoldSink, foldRun } from "./fold.ts";

/** A term of the index and the place in the original text (UTF-16 offsets) that it stands for. */
export interface Token {
  term: string;
  start: number;
  end: number;
}

/** A word of a text. One with humps, such as `getUserName`, has parts, which stand for it in the index. */
export interface Word extends Token {
  parts: Token[];
}

/** Longer words are hashes and encoded data; cutting them keeps the vocabulary bounded. */
const WORD_LIMIT = 64;
/** Longer runs of base64 characters are payloads, which nobody searches. */
const PAYLOAD_LIMIT = 512;

const NON_ASCII = /[\u0080-\uffff]/;
const NON_ASCII_RUN = /[\u0080-\uffff]+/g;
/** What SQLite's `ascii` tokenizer takes for a token: to it, every character beyond ASCII is a letter. */
const WORD = /[A-Za-z0-9\u0080-\uffff]+/g;
/** A digit begins a part only with a capitalised word after it: `UTF8String` has parts, `3FA85F64` has none. */
const HUMP = /[a-z][A-Z]|[A-Z0-9][A-Z][a-z]/;
const BEFORE_HUMP = /[a-z](?=[A-Z])|[A-Z0-9](?=[A-Z][a-z])/g;
/** Letters after digits three times over: encoded data, whose humps mean nothing. */
const ENCODED = /(?:[0-9][A-Za-z]+){3}/;

/** Dashes, quotes, accented letters and short words come again and again. */
const foldedRuns = new Map<string, string>();
const CACHED_RUNS = 20_000;
/** Longer substrings keep the whole text that they come from in memory (V8 stores them as slices of it). */
const CACHED_RUN_LENGTH = 12;

const WORD_CODES = codesOf({ signs: "", beyondAscii: true });
const PAYLOAD_CODES = codesOf({ signs: "+/=", beyondAscii: false });

/**
 * Rewrites a text so that SQLite's `ascii` tokenizer splits it into the terms of `tokenize`: identifiers with humps
 * come apart into their parts. What they are as a whole is told to `onIdentifier`, since a search for `getusername`
 * must know that `get user name` is meant; there are few different ones, so a list of them is far smaller than a
 * second term for each occurrence (7 % of the text, measured).
 */
export function indexText(text: string, onIdentifier?: (parts: string) => void): string {
  const folded = cutWords(foldText(text));
  const hump = new RegExp(HUMP, "g");
  let result = "";
  let copied = 0;
  // Looking for humps first and for the word around them second is several times faster than matching words.
  while (hump.test(folded)) {
    const { start, end } = runAround(folded, hump.lastIndex - 1, copied, WORD_CODES);
    const word = folded.slice(start, end);
    hump.lastIndex = end;
    if (ENCODED.test(word)) continue;
    const parts = inParts(word);
    onIdentifier?.(parts);
    result += folded.slice(copied, start) + parts;
    copied = end;
  }
  return copied === 0 ? folded : result + folded.slice(copied);
}

/** Lists the terms that the index holds for a text, in the order of the index. */
export function tokenize(text: string): Token[] {
  return splitWords(text).flatMap((word) => (word.parts.length > 0 ? word.parts : [word]));
}

function inParts(word: string): string {
  return word.replace(BEFORE_HUMP, "$& ");
}

/** Lists the words of a text where they stand, each occurrence with its parts. */
export function splitWords(text: string): Word[] {
  const { folded, starts, ends } = foldWithOffsets(text);
  const startOf = (at: number): number => starts?.[at] ?? at;
  const endOf = (at: number): number => ends?.[at - 1] ?? at;
  const words: Word[] = [];
  for (const match of folded.matchAll(WORD)) {
    const word = cut(match[0], WORD_LIMIT);
    const parts: Token[] = [];
    if (hasParts(word)) {
      let at = match.index;
      for (const part of inParts(word).split(" ")) {
        parts.push({ term: part.toLowerCase(), start: startOf(at), end: endOf(at + part.length) });
        at += part.length;
      }
    }
    const start = startOf(match.index);
    words.push({ term: word.toLowerCase(), start, end: endOf(match.index + word.length), parts });
  }
  return words;
}

/** Folds a text as the index does, without cutting words and without taking identifiers apart. */
export function foldText(text: string): string {
  const searchable = blankPayloads(text);
  if (!NON_ASCII.test(searchable)) return searchable;
  return searchable.replace(NON_ASCII_RUN, foldedRun);
}

function foldedRun(run: string): string {
  const isShort = run.length <= CACHED_RUN_LENGTH;
  const known = isShort ? foldedRuns.get(run) : undefined;
  if (known !== undefined) return known;
  let folded = "";
  foldRun(run, 0, (piece) => {
    folded += piece;
  });
  if (isShort) {
    if (foldedRuns.size === CACHED_RUNS) foldedRuns.clear();
    foldedRuns.set(run, folded);
  }
  return folded;
}

/** `starts` and `ends` hold the original offsets of every UTF-16 unit, `null` where nothing moved. */
function foldWithOffsets(text: string): { folded: string; starts: number[] | null; ends: number[] | null } {
  const searchable = blankPayloads(text);
  if (!NON_ASCII.test(searchable)) return { folded: searchable, starts: null, ends: null };
  let folded = "";
  const starts: number[] = [];
  const ends: number[] = [];
  const write: FoldSink = (piece, start, end) => {
    folded += piece;
    for (let unit = 0; unit < piece.length; unit += 1) {
      starts.push(start);
      ends.push(end);
    }
    if (piece === "" && ends.length > 0) ends[ends.length - 1] = end;
  };
  const copyAscii = (from: number, to: number): void => {
    for (let at = from; at < to; at += 1) write(searchable.charAt(at), at, at + 1);
  };
  let copied = 0;
  for (const { 0: run, index } of searchable.matchAll(NON_ASCII_RUN)) {
    copyAscii(copied, index);
    foldRun(run, index, write);
    copied = index + run.length;
  }
  copyAscii(copied, searchable.length);
  return { folded, starts, ends };
}

function hasParts(word: string): boolean {
  return HUMP.test(word) && !ENCODED.test(word);
}

/** Spaces in its place keep all other offsets. */
function blankPayloads(text: string): string {
  return replaceLongRuns(text, PAYLOAD_CODES, PAYLOAD_LIMIT, (run) => " ".repeat(run.length));
}

function cutWords(text: string): string {
  return replaceLongRuns(text, WORD_CODES, WORD_LIMIT, (run) => cut(run, WORD_LIMIT));
}

/** Replaces runs of more than `limit` characters, of which one out of `limit` is looked at. */
function replaceLongRuns(text: string, codes: Uint8Array, limit: number, replace: (run: string) => string): string {
  let result = "";
  let copied = 0;
  for (let at = limit; at < text.length; at += limit) {
    if (codes[text.charCodeAt(at)] !== 1) continue;
    const { start, end } = runAround(text, at, copied, codes);
    if (end - start <= limit) continue;
    result += text.slice(copied, start) + replace(text.slice(start, end));
    copied = end;
    at = end;
  }
  return copied === 0 ? text : result + text.slice(copied);
}

function runAround(text: string, at: number, from: number, codes: Uint8Array): { start: number; end: number } {
  let start = at;
  let end = at + 1;
  while (start > from && codes[text.charCodeAt(start - 1)] === 1) start -= 1;
  while (end < text.length && codes[text.charCodeAt(end)] === 1) end += 1;
  return { start, end };
}

/**
 * Makes a table of letters, digits and `signs`: looking characters up is several times faster than a pattern. It is
 * made in no time, since every thread loads this file when it starts.
 */
function codesOf({ signs, beyondAscii }: { signs: string; beyondAscii: boolean }): Uint8Array {
  const codes = new Uint8Array(0x10000);
  if (beyondAscii) codes.fill(1, 0x80);
  for (let code = 0; code < 0x80; code += 1) codes[code] = Number(/[A-Za-z0-9]/.test(String.fromCharCode(code)));
  for (const sign of signs) codes[sign.charCodeAt(0)] = 1;
  return codes;
}
