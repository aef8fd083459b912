import { randomUUID } from "node:crypto";
import type { JsonObject } from "../../json.ts";
import { parseLine } from "../../session/jsonl.ts";
import { work } from "./work.ts";

/**
 * Lines of this size and larger are read in pieces. Otherwise they would be in memory three times, with two bytes per
 * character if one is not Latin-1: 250 MB for a line of 50 MB.
 */
export const LONG_LINE_BYTES = 4 * 1024 * 1024;
/** Strings of this size and larger stay in the file and are read in pieces of this size. */
const PIECE_BYTES = 64 * 1024;
/** Limit for a line without its long strings; above, it is read completely. */
const MAX_REST_BYTES = LONG_LINE_BYTES;

const QUOTE = 0x22;
const COLON = 0x3a;
const BACKSLASH = 0x5c;
const SPACE = 0x20;
const LETTER_U = 0x75;
/** States within a string: nothing escaped; after a backslash; number of hexadecimal digits left. */
const PLAIN = 0;
const AFTER_BACKSLASH = 5;
const DIGITS = 4;

/** `\u00e9`. */
const MAX_ESCAPE_LENGTH = 6;

/** White space at the ends of a string is searched in this many bytes. */
const END_BYTES = 1024;
/** ASCII only. An escaped backslash does not start another escape. */
const BLANK_BEFORE = /^(?: |\\[nrtf])*/;
const BLANK_BEHIND = /(?<=[^\\](?:\\\\)*)(?: |\\[nrtf])*$/;
/** Rare white space. */
const OTHER_BLANK_BEFORE = /^(?:\s|\\u(?:000[9a-d]|0020|00a0|1680|20[025]|3000|feff))/i;
const OTHER_BLANK_BEHIND = /(?:\s|\\u(?:000[9a-d]|0020|00a0|1680|20[025][\da-f]|3000|feff))$/i;

const ESCAPED = bytesOf('"\\/bfnrt');
const HEXADECIMAL = bytesOf("0123456789abcdefABCDEF");

/** Source of a long line. */
export interface Source {
  /** Fills a buffer from an offset; returns the number of bytes, fewer at the end of the file. */
  fill(buffer: Buffer, offset: number): number;
}

interface Extent {
  start: number;
  end: number;
}

/** Where to split a piece of a string; 0 if it is too short. */
type EndOfPiece = (bytes: Buffer) => number;

/** A JSON line whose long strings stay in the file. The parsed value has unpredictable placeholders for them. */
export class LongLine {
  readonly #source: Source;
  readonly #strings: readonly Extent[];
  /** The line without its long strings. */
  readonly #rest: string;
  /** Prefix of the placeholders. */
  readonly #mark: string;

  private constructor(source: Source, strings: readonly Extent[], rest: string, mark: string) {
    this.#source = source;
    this.#strings = strings;
    this.#rest = rest;
    this.#mark = mark;
  }

  /**
   * Scans a line.
   *
   * @returns `null` if it must be parsed completely: it has no long strings, is too large without them, or is invalid.
   */
  static open(source: Source, offset: number, length: number): LongLine | null {
    const strings = longStringsOf(source, { start: offset, end: offset + length });
    if (strings === null || strings.length === 0) return null;
    const mark = `${randomUUID()}:`;
    const rest: string[] = [];
    let bytes = 0;
    let at = offset;
    for (const [index, { start, end }] of [...strings, { start: offset + length, end: 0 }].entries()) {
      bytes += start - at;
      if (bytes > MAX_REST_BYTES) return null;
      const piece = Buffer.allocUnsafe(start - at);
      // Long strings start and end at quotes, so no character is split.
      rest.push(piece.toString("utf8", 0, source.fill(piece, at)), index < strings.length ? `${mark}${index}:` : "");
      at = end;
    }
    return new LongLine(source, strings, rest.join(""), mark);
  }

  /** Parses the line, with placeholders for long strings; `null` if it is not a JSON object. */
  named(): JsonObject | null {
    work.linesParsed++;
    return parseLine(this.#rest);
  }

  /** Whether a text contains a placeholder. */
  isNamedIn(text: string | null): boolean {
    return text?.includes(this.#mark) === true;
  }

  /** Resolves the placeholders in a text, in pieces that end at a line break or at least at a word boundary. */
  pieces(text: string): Generator<string> {
    return this.#pieces(text, endOfLines);
  }

  /** The same in pieces that may end within a word, so that none is long. */
  smallPieces(text: string): Generator<string> {
    return this.#pieces(text, endOfLetters);
  }

  /**
   * JSON of the line with shortened long strings.
   *
   * @param bytes maximum total of the shortened strings.
   * @param mark appended to each of them.
   */
  shortened(bytes: number, mark: string): string {
    const written = JSON.stringify(mark).slice(1, -1);
    const each = Math.min(PIECE_BYTES, Math.floor(bytes / this.#strings.length));
    const parts: string[] = [];
    for (const { named, text } of this.#parts(this.#rest)) {
      if (named !== undefined) parts.push(beginningOf(this.#source, named, each), written);
      parts.push(text);
    }
    return parts.join("");
  }

  *#pieces(text: string, endOfPiece: EndOfPiece): Generator<string> {
    for (const { named, text: plain } of this.#parts(text)) {
      if (named !== undefined) yield* piecesOf(this.#source, named, endOfPiece);
      if (plain !== "") yield plain;
    }
  }

  /** Splits a text after its placeholders: each part is a placeholder and the text after it. */
  *#parts(text: string): Generator<{ named: Extent | undefined; text: string }> {
    for (const [place, piece] of text.split(this.#mark).entries()) {
      const name = place === 0 ? "" : piece.slice(0, piece.indexOf(":") + 1);
      yield { named: this.#strings[Number.parseInt(name, 10)], text: piece.slice(name.length) };
    }
  }
}

/**
 * Finds the long strings of a line, between their quotes, and validates all strings.
 *
 * @returns `null` if one is invalid, is a key, or has much white space at its ends.
 */
function longStringsOf(source: Source, line: Extent): Extent[] | null {
  const buffer = Buffer.allocUnsafe(PIECE_BYTES);
  const strings: Extent[] = [];
  let isInString = false;
  let start = 0;
  let awaited = PLAIN;
  /** Whether the last token was a long string, which a colon would make a key. */
  let mayBeKey = false;
  for (let at = line.start; at < line.end; at += buffer.length) {
    const length = Math.min(buffer.length, line.end - at);
    if (source.fill(buffer.subarray(0, length), at) < length) return null;
    for (let place = 0; place < length; place++) {
      const byte = buffer[place] as number;
      if (!isInString) {
        if (mayBeKey && byte === COLON) return null;
        if (byte > SPACE) mayBeKey = false;
        if (byte !== QUOTE) continue;
        isInString = true;
        start = at + place + 1;
      } else if (awaited !== PLAIN) {
        if (awaited === AFTER_BACKSLASH) {
          if (byte !== LETTER_U && ESCAPED[byte] === 0) return null;
          awaited = byte === LETTER_U ? DIGITS : PLAIN;
        } else {
          if (HEXADECIMAL[byte] === 0) return null;
          awaited--;
        }
      } else if (byte === BACKSLASH) awaited = AFTER_BACKSLASH;
      else if (byte < SPACE) return null;
      else if (byte === QUOTE) {
        isInString = false;
        const string = { start, end: at + place };
        mayBeKey = string.end - string.start > PIECE_BYTES;
        if (mayBeKey) strings.push(string);
      }
    }
  }
  if (isInString) return null;
  const filled = strings.map((string) => withoutBlankEnds(source, string)).filter((string) => string !== null);
  return filled.length === strings.length ? filled : null;
}

/**
 * Excludes leading and trailing white space of a string, because readers may trim it.
 *
 * @returns `null` if there is too much of it.
 */
function withoutBlankEnds(source: Source, { start, end }: Extent): Extent | null {
  const buffer = Buffer.allocUnsafe(END_BYTES);
  const written = (place: number) => buffer.toString("utf8", 0, source.fill(buffer, place));
  const first = written(start);
  const before = BLANK_BEFORE.exec(first)?.[0].length ?? 0;
  const last = written(end - END_BYTES);
  const behind = BLANK_BEHIND.exec(last)?.[0].length ?? last.length;
  const isTold = before < END_BYTES / 2 && behind < END_BYTES / 2;
  const isBlank =
    OTHER_BLANK_BEFORE.test(first.slice(before)) || OTHER_BLANK_BEHIND.test(last.slice(0, last.length - behind));
  return isTold && !isBlank ? { start: start + before, end: end - behind } : null;
}

/** Decodes a valid string in pieces. */
function* piecesOf(source: Source, { start, end }: Extent, endOfPiece: EndOfPiece): Generator<string, undefined> {
  let buffer = Buffer.allocUnsafe(PIECE_BYTES);
  for (let at = start; at < end; ) {
    const bytes = buffer.subarray(0, Math.min(buffer.length, end - at));
    // The file was truncated.
    if (source.fill(bytes, at) < bytes.length) return;
    const cut = at + bytes.length < end ? endOfPiece(bytes) : bytes.length;
    if (cut === 0) {
      buffer = Buffer.allocUnsafe(2 * buffer.length);
      continue;
    }
    const text = parsedString(bytes.toString("utf8", 0, cut));
    if (text === null) return;
    yield text;
    at += cut;
  }
}

/**
 * Reads at most this many bytes of a valid string, undecoded, up to a line break or word boundary, so that no secret is
 * cut in half; if there is neither, up to a complete character.
 */
function beginningOf(source: Source, { start, end }: Extent, most: number): string {
  // Both ends of a short piece might belong to one escape.
  if (most < END_BYTES / 8) return "";
  const bytes = Buffer.allocUnsafe(Math.min(most, end - start));
  const filled = bytes.subarray(0, source.fill(bytes, start));
  return filled.toString("utf8", 0, endOfLines(filled) || endOfLetters(filled));
}

/** After the last escaped line feed; otherwise after the last space. */
function endOfLines(bytes: Buffer): number {
  for (let at = bytes.lastIndexOf("\\n"); at >= 0; at = at === 0 ? -1 : bytes.lastIndexOf("\\n", at - 1)) {
    let first = at;
    while (first > 0 && bytes[first - 1] === BACKSLASH) first--;
    // After another backslash, this is an escaped backslash followed by a letter.
    if ((at - first) % 2 === 0) return at + 2;
    at = first;
  }
  return bytes.lastIndexOf(SPACE) + 1;
}

/** Before the last character, or the escape that may continue. */
function endOfLetters(bytes: Buffer): number {
  let end = bytes.length - 1;
  while (end > 0 && ((bytes[end] as number) & 0xc0) === 0x80) end--;
  const last = bytes.lastIndexOf(BACKSLASH, end - 1);
  if (last < 0 || last <= end - MAX_ESCAPE_LENGTH) return end;
  let first = last;
  while (first > 0 && bytes[first - 1] === BACKSLASH) first--;
  // After another backslash, this is an escaped backslash.
  return (last - first) % 2 === 0 ? last : end;
}

/** `null` if the file has changed since validation. */
function parsedString(json: string): string | null {
  try {
    const text: unknown = JSON.parse(`"${json}"`);
    return typeof text === "string" ? text : null;
  } catch {
    return null;
  }
}

function bytesOf(characters: string): Uint8Array {
  const table = new Uint8Array(256);
  for (const character of characters) table[character.charCodeAt(0)] = 1;
  return table;
}
