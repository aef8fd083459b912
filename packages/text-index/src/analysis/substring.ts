import { WORD_LIMIT } from "../wasm/constants.ts";
import { type FoldSink, foldRun, isUnspacedCharacter } from "./fold.ts";
import { splitWords } from "./tokens.ts";
import { cutWord } from "./word-limit.ts";

/** A whole text, or its pieces in order, split anywhere. */
export type TextPieces = string | Iterable<string>;

/** How a piece of a pattern matches a word: anywhere, at its beginning, at its end, or as a whole. */
export type PieceMatch = "within" | "beginning" | "end" | "whole";

/** One word of a pattern. */
export interface SubstringPiece {
  /** Folded like terms. */
  text: string;
  match: PieceMatch;
}

/**
 * What the index can decide about `~pattern`. A text that contains the pattern has, at consecutive positions, for each
 * piece one of these:
 * - a term that matches the piece as `match` says. Terms of fields and identifiers, which contain a `:`, do not count;
 * - consecutive parts of an identifier, listed by `partsUnder` for an `id:` term that contains `text`.
 *
 * The converse does not hold: `a.b` and `a b` have the same terms. So candidates must be verified with
 * `containsFolded`, unless `isExact` is true and only terms, not parts of identifiers, matched.
 */
export interface SubstringPieces {
  /** Empty if the pattern has only punctuation. */
  pieces: SubstringPiece[];
  isExact: boolean;
}

const NON_ASCII = /[\u0080-\uffff]/;
const NON_ASCII_RUN = /[\u0080-\uffff]+/g;
const SPACE = /[\s\p{Cc}]/u;
/** Gaps other than a single space: replacing those too would take several times as long. */
const GAP = /(?:[^\S ]|\p{Cc})[\s\p{Cc}]*| [\s\p{Cc}]+/gu;

/** Splits a `~pattern` into pieces for the index. */
export function substringPieces(pattern: string): SubstringPieces {
  const folded = foldLiteral(pattern);
  const words = splitWords(folded);
  const pieces: SubstringPiece[] = [];
  let isExact = true;
  let covered = 0;
  for (const [place, { term, start, end }] of words.entries()) {
    const overlaps = start < covered;
    // Adjacent words and symbols may be separated in a text; pairs of characters overlap.
    if (place === 0 ? start > 0 : !overlaps) isExact = false;
    const isLong = isCut(folded, end, words[place + 1]?.start);
    covered = isLong ? end + lengthOfWord(folded, end) : end;
    const isOpen = { left: start === 0, right: covered === folded.length };
    if (isLong && isOpen.left) {
      isExact = false;
      // The index has only the beginning of a long word, which may contain little of this one.
      if (words.length === 1) pieces.push({ text: cutWord(term, WORD_LIMIT / 2), match: "within" });
    } else if (!(isOpen.right && overlaps && isUnspacedCharacter(term))) {
      // Omits the single character at the end of a run of pairs: in the text, the run may continue.
      pieces.push({ text: term, match: matchOf(isOpen) });
    }
  }
  return { pieces, isExact: isExact && covered === folded.length };
}

/** Whether the word whose term ends at `end` continues there. */
function isCut(folded: string, end: number, next = folded.length): boolean {
  return end < next && lengthOfWord(folded, end) > 0;
}

function lengthOfWord(folded: string, at: number): number {
  return /^[a-z0-9\u0080-\uffff]*/.exec(folded.slice(at))?.[0].length ?? 0;
}

function matchOf({ left, right }: { left: boolean; right: boolean }): PieceMatch {
  if (left) return right ? "within" : "end";
  return right ? "beginning" : "whole";
}

/**
 * Lists the consecutive parts of an identifier that a piece spans, for each possible position: for `sern` in
 * `getUserName` the parts `user`, `name`. A piece within a single part matches that term anyway.
 *
 * @param identifier term of the index: `id:getusername get user name`.
 */
export function partsUnder({ text, match }: SubstringPiece, identifier: string): string[][] {
  const [whole = "", ...parts] = identifier.slice("id:".length).split(" ");
  const found: string[][] = [];
  for (let at = whole.indexOf(text); at !== -1; at = whole.indexOf(text, at + 1)) {
    const end = at + text.length;
    if ((match === "beginning" || match === "whole") && at > 0) break;
    if ((match === "end" || match === "whole") && end < whole.length) continue;
    const under: string[] = [];
    let start = 0;
    for (const part of parts) {
      if (start < end && start + part.length > at) under.push(part);
      start += part.length;
    }
    if (under.length > 1) found.push(under);
  }
  return found;
}

/** Whether a text contains a `~pattern`, ignoring case, diacritics and the size of gaps. */
export function containsFolded(text: TextPieces, pattern: string): boolean {
  if (typeof text === "string") return countContained(text, [pattern]) === 1;
  const wanted = foldLiteral(pattern);
  const fold = foldFor([wanted]);
  /** End of the previous text, for matches that span two pieces. */
  let last = "";
  for (const piece of withWholeRuns(text)) {
    const folded = fold(piece);
    // A gap may span two pieces too.
    last += last.endsWith(" ") && folded.startsWith(" ") ? folded.slice(1) : folded;
    if (last.includes(wanted)) return true;
    last = last.slice(-wanted.length);
  }
  return false;
}

/** Splits pieces outside of runs of non-ASCII characters, because a run must be folded as a whole. */
function* withWholeRuns(pieces: Iterable<string>): Generator<string> {
  let run = "";
  for (const piece of pieces) {
    let end = piece.length;
    while (end > 0 && piece.charCodeAt(end - 1) > 0x7f) end--;
    if (end > 0) yield run + piece.slice(0, end);
    run = end > 0 ? piece.slice(end) : run + piece;
  }
  if (run !== "") yield run;
}

/** Counts the `~patterns` that a text contains. */
export function countContained(text: string, patterns: readonly string[]): number {
  if (patterns.length === 0) return 0;
  const wanted = patterns.map(foldLiteral);
  const folded = foldFor(wanted)(text);
  return wanted.filter((pattern) => folded.includes(pattern)).length;
}

/** Most patterns have no gaps, and normalizing those of a text takes longer than everything else. */
function foldFor(wanted: readonly string[]): (text: string) => string {
  return wanted.some((pattern) => pattern.includes(" ")) ? foldLiteral : foldCharacters;
}

/** Counts the characters of a pattern; inner gaps count as one, outer ones as none. */
export function countCharacters(pattern: string): number {
  return Array.from(foldLiteral(pattern).trim()).length;
}

/** Range of a text (UTF-16 offsets) that matches a pattern of a list. */
export interface FoundPattern {
  pattern: number;
  start: number;
  end: number;
}

/** Lists the matches of `~patterns` in a text; matches of one pattern do not overlap. */
export function findFolded(text: string, patterns: readonly string[]): FoundPattern[] {
  if (patterns.length === 0) return [];
  const { folded, starts, ends } = foldWithOffsets(text);
  return patterns.flatMap((text, pattern) => {
    const wanted = foldLiteral(text);
    const found: FoundPattern[] = [];
    for (let at = folded.indexOf(wanted); at !== -1 && wanted !== ""; at = folded.indexOf(wanted, at + wanted.length)) {
      found.push({ pattern, start: starts[at] ?? 0, end: ends[at + wanted.length - 1] ?? 0 });
    }
    return found;
  });
}

/**
 * Folds a text like the index, but keeps order and punctuation. Non-ASCII characters other than letters, digits and
 * symbols become spaces, and runs of white space are reduced to one.
 */
function foldLiteral(text: string): string {
  return foldCharacters(text).replace(GAP, " ");
}

function foldCharacters(text: string): string {
  const folded = NON_ASCII.test(text) ? text.replace(NON_ASCII_RUN, foldedRun) : text;
  return folded.toLowerCase();
}

function foldedRun(run: string): string {
  let folded = "";
  foldRun(
    run,
    0,
    run.length,
    eachOnce((piece) => {
      folded += piece;
    }),
  );
  return folded;
}

function foldWithOffsets(text: string): { folded: string; starts: number[]; ends: number[] } {
  let folded = "";
  const starts: number[] = [];
  const ends: number[] = [];
  let isInGap = false;
  const write: FoldSink = (piece, start, end) => {
    if ((piece === "" || (piece === " " && isInGap)) && ends.length > 0) {
      ends[ends.length - 1] = end;
      return;
    }
    isInGap = piece === " ";
    folded += piece;
    for (let unit = 0; unit < piece.length; unit += 1) {
      starts.push(start);
      ends.push(end);
    }
  };
  const writeAscii = (from: number, to: number): void => {
    for (let at = from; at < to; at += 1) {
      const character = text.charAt(at).toLowerCase();
      write(SPACE.test(character) ? " " : character, at, at + 1);
    }
  };
  let written = 0;
  for (const { 0: run, index } of text.matchAll(NON_ASCII_RUN)) {
    writeAscii(written, index);
    written = index + run.length;
    foldRun(
      text,
      index,
      written,
      eachOnce((piece, start, end) => write(piece.toLowerCase(), start, end)),
    );
  }
  writeAscii(written, text.length);
  return { folded, starts, ends };
}

/** Reverts the pairs of `foldRun`: the second character of each pair is repeated by the next. */
function eachOnce(write: FoldSink): FoldSink {
  let wasUnspaced = false;
  return (piece, start, end) => {
    const isUnspaced = isUnspacedCharacter(piece);
    const isSecond = isUnspaced && wasUnspaced;
    wasUnspaced = isUnspaced;
    const isInserted = piece === " " && start === end;
    if (!isSecond && !isInserted) write(piece, start, end);
  };
}
