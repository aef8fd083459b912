import { randomUUID } from "node:crypto";
import type { JsonObject } from "../json.ts";
import { parseLine } from "../session/jsonl.ts";
import { work } from "./work.ts";

/**
 * A line from here on is read piece by piece. As a whole it would be held three times, twice of that with two bytes for
 * each character where one of them is not Latin: for a line of 50 MB that is 250 MB.
 */
export const LONG_LINE_BYTES = 4 * 1024 * 1024;
/** A string from here on is left in the file; it is read in pieces of this size. */
const PIECE_BYTES = 64 * 1024;
/** What is left of a line without its long strings; more is read as a whole. */
const LARGEST_REST_BYTES = LONG_LINE_BYTES;

const QUOTE = 0x22;
const COLON = 0x3a;
const BACKSLASH = 0x5c;
const SPACE = 0x20;
const LETTER_U = 0x75;
/** While a string is walked: nothing is escaped; the character behind a backslash is next; so many digits are. */
const PLAIN = 0;
const AFTER_BACKSLASH = 5;
const DIGITS = 4;

const ESCAPED = bytesOf('"\\/bfnrt');
const HEXADECIMAL = bytesOf("0123456789abcdefABCDEF");

/** What a long line is read from. */
interface Source {
  /** Fills a buffer from a place on; fewer bytes where the file ends. Returns how many. */
  fill(buffer: Buffer, offset: number): number;
}

interface Extent {
  start: number;
  end: number;
}

/**
 * A line that is JSON, of which long strings stay in the file. In what is parsed of it stand names for them, which nobody
 * can foresee.
 */
export class LongLine {
  readonly #source: Source;
  readonly #strings: readonly Extent[];
  /** What is left of the line. */
  readonly #rest: string;
  /** What each name begins with. */
  readonly #mark: string;

  private constructor(source: Source, strings: readonly Extent[], rest: string, mark: string) {
    this.#source = source;
    this.#strings = strings;
    this.#rest = rest;
    this.#mark = mark;
  }

  /**
   * Walks a line.
   *
   * @returns `null` where it is to be parsed as a whole: it has no long strings, too much besides, or is no JSON.
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
      if (bytes > LARGEST_REST_BYTES) return null;
      const piece = Buffer.allocUnsafe(start - at);
      // Long strings begin and end at quotes: no character is cut.
      rest.push(piece.toString("utf8", 0, source.fill(piece, at)), index < strings.length ? `${mark}${index}:` : "");
      at = end;
    }
    return new LongLine(source, strings, rest.join(""), mark);
  }

  /** Parses the line, with names for its long strings; `null` where it is no JSON object. */
  named(): JsonObject | null {
    work.linesParsed++;
    return parseLine(this.#rest);
  }

  /** Whether there is a name in a text. */
  isNamedIn(text: string | null): boolean {
    return text?.includes(this.#mark) === true;
  }

  /** Gives a text with what the names in it stand for, in pieces that end where a line does. */
  *pieces(text: string): Generator<string> {
    for (const [place, piece] of text.split(this.#mark).entries()) {
      const name = place === 0 ? "" : piece.slice(0, piece.indexOf(":") + 1);
      const named = this.#strings[Number.parseInt(name, 10)];
      if (named !== undefined) yield* piecesOf(this.#source, named);
      if (piece.length > name.length) yield piece.slice(name.length);
    }
  }
}

/**
 * Finds the long strings of a line, between their quotes, and makes sure of each string that it is valid.
 *
 * @returns `null` where one is not, or is a key, or begins with much white space: who reads them may leave out what is
 * blank.
 */
function longStringsOf(source: Source, line: Extent): Extent[] | null {
  const buffer = Buffer.allocUnsafe(PIECE_BYTES);
  const strings: Extent[] = [];
  let isInString = false;
  let start = 0;
  let awaited = PLAIN;
  /** Whether the last string was a long one, and nothing has followed it. */
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
  const isBlank = (string: Extent) => piecesOf(source, string).next().value?.trim() === "";
  return isInString || strings.some(isBlank) ? null : strings;
}

/** Decodes a valid string piece by piece, each but the last to the end of a line. */
function* piecesOf(source: Source, { start, end }: Extent): Generator<string, undefined> {
  let buffer = Buffer.allocUnsafe(PIECE_BYTES);
  for (let at = start; at < end; ) {
    const bytes = buffer.subarray(0, Math.min(buffer.length, end - at));
    // The file has become shorter.
    if (source.fill(bytes, at) < bytes.length) return;
    const cut = at + bytes.length < end ? endOfLines(bytes) : bytes.length;
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

/** Behind the last escape of a line feed; 0 where there is none. */
function endOfLines(bytes: Buffer): number {
  for (let at = bytes.lastIndexOf("\\n"); at >= 0; at = at === 0 ? -1 : bytes.lastIndexOf("\\n", at - 1)) {
    let first = at;
    while (first > 0 && bytes[first - 1] === BACKSLASH) first--;
    // After another backslash it is one that is escaped, and a letter.
    if ((at - first) % 2 === 0) return at + 2;
    at = first;
  }
  return 0;
}

/** `null` where the file has changed since it was found to be valid. */
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
