import { randomUUID } from "node:crypto";
import type { JsonObject } from "../../json.ts";
import { parseLine } from "../../session/jsonl.ts";
import { work } from "./work.ts";

/**
 * A line from here on is read piece by piece. As a whole it would be held three times, twice of that with two bytes for
 * each character where one of them is not Latin: for a line of 50 MB that is 250 MB.
 */
export const LONG_LINE_BYTES = 4 * 1024 * 1024;
/** A string from here on is left in the file; it is read in pieces of this size. */
const PIECE_BYTES = 64 * 1024;
/** What is left of a line without its long strings; more is read as a whole. */
const MAX_REST_BYTES = LONG_LINE_BYTES;

const QUOTE = 0x22;
const COLON = 0x3a;
const BACKSLASH = 0x5c;
const SPACE = 0x20;
const LETTER_U = 0x75;
/** While a string is walked: nothing is escaped; the character behind a backslash is next; so many digits are. */
const PLAIN = 0;
const AFTER_BACKSLASH = 5;
const DIGITS = 4;

/** `\u00e9`. */
const MAX_ESCAPE_LENGTH = 6;

/** White space at the ends of a string is looked for in so many bytes. */
const END_BYTES = 1024;
/** One byte for each character. An escaped backslash does not start another escape. */
const BLANK_BEFORE = /^(?: |\\[nrtf])*/;
const BLANK_BEHIND = /(?<=[^\\](?:\\\\)*)(?: |\\[nrtf])*$/;
/** What is seldom there. */
const OTHER_BLANK_BEFORE = /^(?:\s|\\u(?:000[9a-d]|0020|00a0|1680|20[025]|3000|feff))/i;
const OTHER_BLANK_BEHIND = /(?:\s|\\u(?:000[9a-d]|0020|00a0|1680|20[025][\da-f]|3000|feff))$/i;

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

/** Where a piece ends that begins with these bytes of a string; 0 where they are too few. */
type EndOfPiece = (bytes: Buffer) => number;

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
      if (bytes > MAX_REST_BYTES) return null;
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

  /** Gives a text with what the names in it stand for, in pieces that end where a line does, or at least a word. */
  pieces(text: string): Generator<string> {
    return this.#pieces(text, endOfLines);
  }

  /** The same in pieces that may end within a word: none is long since a word is. */
  smallPieces(text: string): Generator<string> {
    return this.#pieces(text, endOfLetters);
  }

  /**
   * Gives the JSON of the line with the beginnings of its long strings alone.
   *
   * @param bytes that the beginnings have together, at most.
   * @param mark stands behind each of them.
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

  /** Cuts a text behind the names in it: each part is what a name stands for, and the text that follows. */
  *#parts(text: string): Generator<{ named: Extent | undefined; text: string }> {
    for (const [place, piece] of text.split(this.#mark).entries()) {
      const name = place === 0 ? "" : piece.slice(0, piece.indexOf(":") + 1);
      yield { named: this.#strings[Number.parseInt(name, 10)], text: piece.slice(name.length) };
    }
  }
}

/**
 * Finds the long strings of a line, between their quotes, and makes sure of each string that it is valid.
 *
 * @returns `null` where one is not, or is a key, or begins or ends with much white space.
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
  if (isInString) return null;
  const filled = strings.map((string) => withoutBlankEnds(source, string)).filter((string) => string !== null);
  return filled.length === strings.length ? filled : null;
}

/**
 * Leaves the white space that a string begins and ends with to what is parsed: who reads a text may leave it out.
 *
 * @returns `null` where a few bytes do not tell how much it is.
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

/** Decodes a valid string piece by piece. */
function* piecesOf(source: Source, { start, end }: Extent, endOfPiece: EndOfPiece): Generator<string, undefined> {
  let buffer = Buffer.allocUnsafe(PIECE_BYTES);
  for (let at = start; at < end; ) {
    const bytes = buffer.subarray(0, Math.min(buffer.length, end - at));
    // The file has become shorter.
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
 * Reads so many bytes of a valid string at most, as they are written: whole lines or words, since nobody knows the half of
 * a secret for one, and where there is neither, whole letters and escapes.
 */
function beginningOf(source: Source, { start, end }: Extent, most: number): string {
  // The ends of a short piece might be those of a single escape.
  if (most < END_BYTES / 8) return "";
  const bytes = Buffer.allocUnsafe(Math.min(most, end - start));
  const filled = bytes.subarray(0, source.fill(bytes, start));
  return filled.toString("utf8", 0, endOfLines(filled) || endOfLetters(filled));
}

/** Behind the last escape of a line feed; where there is none, behind the last space. */
function endOfLines(bytes: Buffer): number {
  for (let at = bytes.lastIndexOf("\\n"); at >= 0; at = at === 0 ? -1 : bytes.lastIndexOf("\\n", at - 1)) {
    let first = at;
    while (first > 0 && bytes[first - 1] === BACKSLASH) first--;
    // After another backslash it is one that is escaped, and a letter.
    if ((at - first) % 2 === 0) return at + 2;
    at = first;
  }
  return bytes.lastIndexOf(SPACE) + 1;
}

/** Before the last letter, or the escape that may go on behind it. */
function endOfLetters(bytes: Buffer): number {
  let end = bytes.length - 1;
  while (end > 0 && ((bytes[end] as number) & 0xc0) === 0x80) end--;
  const last = bytes.lastIndexOf(BACKSLASH, end - 1);
  if (last < 0 || last <= end - MAX_ESCAPE_LENGTH) return end;
  let first = last;
  while (first > 0 && bytes[first - 1] === BACKSLASH) first--;
  // After another backslash it is one that is escaped.
  return (last - first) % 2 === 0 ? last : end;
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
