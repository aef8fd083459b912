import { WORD_LIMIT } from "../wasm/constants.ts";
import { type FoldSink, foldRun } from "./fold.ts";
import { partsOf } from "./identifier-parts.ts";
import { nextPayload } from "./payloads.ts";
import { cutWord } from "./word-limit.ts";

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

const NON_ASCII = /[\u0080-\uffff]/;
const NON_ASCII_RUN = /[\u0080-\uffff]+/g;
/** What a term has, once it is folded. */
const WORD = /[A-Za-z0-9\u0080-\uffff]+/g;

/** Dashes, quotes, accented letters and short words come again and again. */
const foldedRuns = new Map<string, string>();
const CACHED_RUNS = 20_000;
/** Longer substrings keep the whole text that they come from in memory (V8 stores them as slices of it). */
const CACHED_RUN_LENGTH = 12;

/** Lists the terms that the index holds for a text, in the order of the index: those of a `Tokenizer`. */
export function tokenize(text: string): Token[] {
  return splitWords(text).flatMap((word) => (word.parts.length > 0 ? word.parts : [word]));
}

/** Lists the words of a text where they stand, each occurrence with its parts. */
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

/** Folds a text as the index does, without cutting words and without taking identifiers apart. */
export function foldText(text: string): string {
  const searchable = blankPayloads(text);
  if (!NON_ASCII.test(searchable)) return searchable;
  return searchable.replace(NON_ASCII_RUN, foldedRun);
}

const codes = new Uint16Array(WORD_LIMIT);
const partEnds = new Uint8Array(WORD_LIMIT);

/** None for a word that stays whole. */
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
    copied = index + run.length;
    foldRun(searchable, index, copied, write);
  }
  copyAscii(copied, searchable.length);
  return { folded, starts, ends };
}

/** Spaces in the place of payloads keep all other offsets. */
function blankPayloads(text: string): string {
  let result = "";
  let copied = 0;
  for (let payload = nextPayload(text, 0); payload.start < text.length; payload = nextPayload(text, payload.end)) {
    result += text.slice(copied, payload.start) + " ".repeat(payload.end - payload.start);
    copied = payload.end;
  }
  return copied === 0 ? text : result + text.slice(copied);
}
