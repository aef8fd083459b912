import {
  countContained,
  findFolded,
  foldText,
  isUnspacedCharacter,
  type Phrase,
  type SplitIdentifier,
  splitWords,
  type TextPieces,
  type Token,
} from "@sm/text-index/analysis";
import { termSections } from "./query-terms.ts";
import type { QueryNode, QueryTerm } from "./query-tree.ts";
import { TextWindow } from "./text-window.ts";

/** An excerpt of a text for a hit. */
export interface Snippet {
  /** One line, with `…` for omitted text. */
  snippet: string;
  /** UTF-16 offsets `[start, end]` into `snippet`, sorted, without overlaps. */
  highlights: [number, number][];
}

/** What to highlight: the phrases of a term, or the text of a `~substring`. */
export type SnippetTerm = QueryTerm | string;

/** Lists the positive text terms of a query. */
export function snippetTerms(node: QueryNode, split: SplitIdentifier): SnippetTerm[] {
  switch (node.type) {
    case "and":
    case "or":
      return node.nodes.flatMap((child) => snippetTerms(child, split));
    case "term":
      return termSections(node, split);
    case "substring":
      return [node.text];
    default:
      return [];
  }
}

interface Range {
  start: number;
  end: number;
}

interface Match extends Range {
  /** Index of the query's term. */
  term: number;
}

/** The part of a line with the most terms, and all matches in the line. */
interface Window extends Range {
  terms: number;
  matches: Match[];
}

/** Texts are processed in slices of this many characters; only slices that can improve the snippet are tokenized. */
const SLICE = 4 * 1024;
/** Minimum overlap of slices, for phrases and windows that span two. */
const MARGIN = 1024;
/** Maximum characters tokenized per snippet: about 100 ms. */
const SPLIT_LIMIT = 2 * 1024 * 1024;
/** Further terms are not highlighted: each one costs a pass over the text. */
const TERM_LIMIT = 32;
/** Maximum distance by which a cut is moved to a word boundary. */
const BORDER_REACH = 24;

/** Includes control characters, which terminals interpret. */
const SPACES = /[\s\p{Cc}]+/gu;

/**
 * Creates an excerpt of about `length` characters: the earliest part with the most terms; the beginning without a
 * match. The work is bounded, independent of the text's size. Of a text in pieces, only the surroundings of a slice are
 * in memory.
 */
export function makeSnippet(text: TextPieces, terms: readonly SnippetTerm[], options: { length: number }): Snippet {
  const { length } = options;
  const wanted = wantedOf(terms.slice(0, TERM_LIMIT));
  const mostTerms = wanted.phrases.length + wanted.substrings.length;
  const margin = Math.max(MARGIN, 2 * length);
  const reach = margin + MARGIN + 2;
  const body = new TextWindow(text);
  body.moveTo(0, reach);
  let shown = sliceBetween(body, 0, margin);
  let best: Window = { start: 0, end: 0, terms: 0, matches: [] };
  let split = 0;
  for (let at = 0; best.terms < mostTerms && split < SPLIT_LIMIT; at += SLICE) {
    body.moveTo(at - reach, at + SLICE + reach);
    if (at >= body.end) break;
    const slice = sliceBetween(body, at - margin, at + SLICE + margin);
    if (countPossible(slice.text, wanted) <= best.terms) continue;
    const window = bestWindow(findMatches(inOneLine(slice.text), wanted), length);
    if (window.terms > best.terms) {
      shown = slice;
      best = window;
    }
    split += slice.text.length;
  }
  const line = inOneLine(shown.text);
  const { start, end } = cutAround(line, best, length);
  const opening = shown.isCutBefore || start > 0 ? "…" : "";
  const closing = shown.isCutAfter || end < line.length ? "…" : "";
  const shift = opening.length - start;
  const visible = best.matches.filter((match) => match.start < end && match.end > start);
  return {
    snippet: `${opening}${line.slice(start, end)}${closing}`,
    highlights: merge(visible).map((range) => [Math.max(range.start, start) + shift, Math.min(range.end, end) + shift]),
  };
}

interface Slice {
  text: string;
  isCutBefore: boolean;
  isCutAfter: boolean;
}

/** The window must extend beyond both by the lookahead of {@link borderAfter}, and one more character. */
function sliceBetween(body: TextWindow, from: number, to: number): Slice {
  const start = from <= 0 ? 0 : body.start + borderAfter(body.text, from - body.start);
  const end = body.start + borderAfter(body.text, to - body.start);
  return { text: body.slice(start, end), isCutBefore: start > 0, isCutAfter: end < body.end };
}

interface Wanted {
  phrases: QueryTerm[];
  substrings: string[];
}

function wantedOf(terms: readonly SnippetTerm[]): Wanted {
  return {
    phrases: terms.filter((term) => typeof term !== "string"),
    substrings: terms.filter((term) => typeof term === "string"),
  };
}

function inOneLine(text: string): string {
  return text.replace(SPACES, " ").trim();
}

/** Counts the terms that a slice may contain: searching in folded text is much faster than tokenizing. */
function countPossible(text: string, { phrases, substrings }: Wanted): number {
  const folded = foldText(text).toLowerCase();
  const isPossible = ({ terms }: Phrase) => terms.every((word) => folded.includes(word));
  return phrases.filter((term) => term.some(isPossible)).length + countContained(text, substrings);
}

/** Lists the matches of all terms, by start. */
function findMatches(text: string, { phrases, substrings }: Wanted): Match[] {
  const matches: Match[] = [];
  const collect = (tokens: readonly Token[]): void => {
    for (const [at, { start }] of tokens.entries()) {
      for (const [term, spellings] of phrases.entries()) {
        for (const phrase of spellings) {
          const end = endOfPhrase(text, tokens, at, phrase);
          if (end !== null) matches.push({ term, start, end });
        }
      }
    }
  };
  const words = splitWords(text);
  collect(words);
  collect(words.flatMap((word) => (word.parts.length > 0 ? word.parts : [word])));
  for (const { pattern, start, end } of findFolded(text, substrings)) {
    matches.push({ term: phrases.length + pattern, start, end });
  }
  return matches.sort((one, other) => one.start - other.start);
}

/** End of a phrase that starts at a token, `null` if it does not match. */
function endOfPhrase(text: string, tokens: readonly Token[], at: number, { terms, prefix }: Phrase): number | null {
  let end = 0;
  for (const [offset, term] of terms.entries()) {
    const token = tokens[at + offset];
    if (token === undefined) return null;
    end = token.end;
    if (token.term === term) continue;
    if (!prefix || offset < terms.length - 1 || !token.term.startsWith(term)) return null;
    // A single character was searched, and the token is a pair.
    if (isUnspacedCharacter(term)) end = characterBorder(text, token.start + 1, 1);
  }
  return end;
}

function bestWindow(matches: Match[], length: number): Window {
  let best: Window = { start: 0, end: 0, terms: 0, matches };
  for (const [index, { start, end, term }] of matches.entries()) {
    const limit = start + length;
    const terms = new Set([term]);
    let last = Math.min(end, limit);
    for (let next = index + 1; next < matches.length; next += 1) {
      const match = matches[next];
      if (match === undefined || match.start >= limit) break;
      if (match.end > limit) continue;
      terms.add(match.term);
      last = Math.max(last, match.end);
    }
    if (terms.size > best.terms) best = { start, end: last, terms: terms.size, matches };
  }
  return best;
}

/** Centers a window in about `length` characters, cut at word boundaries. */
function cutAround(line: string, window: Window, length: number): Range {
  const before = Math.floor((length - (window.end - window.start)) / 2);
  const start = Math.max(0, Math.min(window.start - before, line.length - length));
  return {
    start: startOfCut(line, start, window.start),
    end: endOfCut(line, Math.min(line.length, start + length), window.end),
  };
}

function startOfCut(line: string, at: number, limit: number): number {
  if (at === 0) return 0;
  const space = line.indexOf(" ", at - 1);
  return space !== -1 && space < Math.min(limit, at + BORDER_REACH) ? space + 1 : characterBorder(line, at, 1);
}

function endOfCut(line: string, at: number, limit: number): number {
  if (at === line.length) return at;
  const space = line.lastIndexOf(" ", at);
  return space >= Math.max(limit, at - BORDER_REACH) ? space : characterBorder(line, at, -1);
}

/** Merges overlapping or adjacent ranges, sorted by start. */
function merge(ranges: readonly Range[]): Range[] {
  const merged: Range[] = [];
  for (const { start, end } of ranges) {
    const last = merged.at(-1);
    if (last !== undefined && start <= last.end) last.end = Math.max(last.end, end);
    else merged.push({ start, end });
  }
  return merged;
}

/** The next white space nearby. */
function borderAfter(text: string, at: number): number {
  if (at <= 0) return 0;
  if (at >= text.length) return text.length;
  const space = text.slice(at, at + MARGIN).search(/\s/);
  return space === -1 ? characterBorder(text, at, 1) : at + space;
}

/** Moves by `step` out of a surrogate pair. */
function characterBorder(text: string, at: number, step: 1 | -1): number {
  const isInPair = (text.codePointAt(at - 1) ?? 0) > 0xffff;
  return isInPair ? at + step : at;
}
