import { WORD_LIMIT } from "../wasm/constants.ts";
import { type FoldSink, foldRun } from "./fold.ts";
import { partsOf } from "./identifier-parts.ts";
import { nextPayload } from "./payloads.ts";
import { cutWord } from "./word-limit.ts";

/** A term and its range in the original text (UTF-16 offsets). */
export interface Token {
  term: string;
  start: number;
  end: number;
}

/** A word of a text. An identifier such as `getUserName` has parts, which are indexed for it. */
export interface Word extends Token {
  parts: Token[];
}

const NON_ASCII = /[\u0080-\uffff]/;
const NON_ASCII_RUN = /[\u0080-\uffff]+/g;
/** Characters of folded terms. */
const WORD = /[A-Za-z0-9\u0080-\uffff]+/g;

/** Cache: dashes, quotes, accented letters and short words are frequent. */
const foldedRuns = new Map<string, string>();
const CACHED_RUNS = 20_000;
/** Longer substrings would keep their whole source text in memory (V8 stores them as slices of it). */
const CACHED_RUN_LENGTH = 12;

/** Lists the terms of a text in indexing order, like `Tokenizer`. */
export function tokenize(text: string): Token[] {
  return splitWords(text).flatMap((word) => (word.parts.length > 0 ? word.parts : [word]));
}

/** Lists the words of a text by position, each with its parts. */
export function splitWords(text: string): Word[] {
  const { folded, starts, ends } = foldWithOffsets(text);
  const startOf = (at: number): number => starts?.[at] ?? at;
  const endOf = (at: number): number => ends?.[at - 1] ?? at;
  const words: Word[] = [];
  for (const match of folded.matchAll(WORD)) {
    const word = cutWord(match[0], WORD_LIMIT);
    const parts: Token[] = [];
    let at = match.index;
    for (const part of inParts(word)) {
      parts.push({ term: part.toLowerCase(), start: startOf(at), end: endOf(at + part.length) });
      at += part.length;
    }
    const start = startOf(match.index);
    words.push({ term: word.toLowerCase(), start, end: endOf(match.index + word.length), parts });
  }
  return words;
}

/** Folds a text like the index, without truncating words and splitting identifiers. */
export function foldText(text: string): string {
  const searchable = blankPayloads(text);
  if (!NON_ASCII.test(searchable)) return searchable;
  return searchable.replace(NON_ASCII_RUN, foldedRun);
}

const codes = new Uint16Array(WORD_LIMIT);
const partEnds = new Uint8Array(WORD_LIMIT);

/** Empty for a word without parts. */
function inParts(word: string): string[] {
  for (let at = 0; at < word.length; at++) codes[at] = word.charCodeAt(at);
  const count = partsOf(codes, word.length, partEnds);
  if (count === 1) return [];
  return Array.from(partEnds.subarray(0, count), (end, part) => word.slice(part === 0 ? 0 : partEnds[part - 1], end));
}

function foldedRun(run: string): string {
  const isShort = run.length <= CACHED_RUN_LENGTH;
  const known = isShort ? foldedRuns.get(run) : undefined;
  if (known !== undefined) return known;
  let folded = "";
  foldRun(run, 0, run.length, (piece) => {
    folded += piece;
  });
  if (isShort) {
    if (foldedRuns.size === CACHED_RUNS) foldedRuns.clear();
    foldedRuns.set(run, folded);
  }
  return folded;
}

/** `starts` and `ends` map every UTF-16 unit to its original offsets, `null` if nothing moved. */
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
    copied = index + run.length;
    foldRun(searchable, index, copied, write);
  }
  copyAscii(copied, searchable.length);
  return { folded, starts, ends };
}

/** Replaces payloads by spaces to keep all other offsets. */
function blankPayloads(text: string): string {
  let result = "";
  let copied = 0;
  for (let payload = nextPayload(text, 0); payload.start < text.length; payload = nextPayload(text, payload.end)) {
    result += text.slice(copied, payload.start) + " ".repeat(payload.end - payload.start);
    copied = payload.end;
  }
  return copied === 0 ? text : result + text.slice(copied);
}
