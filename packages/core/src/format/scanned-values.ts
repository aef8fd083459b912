import { parseTimestampIn } from "../session/timestamp.ts";
import { KEY_NAMES, type ScannedLine } from "./scanned-line.ts";
import { ARRAY, ASCII, ESCAPED, NAME_STEP, NUMBER, TOKEN_NUMBERS, UTF8 } from "./token-layout.ts";

// Accessors for `ScannedLine.tokens`. A value is identified by its token index; {@link NONE} means no value.

/** A missing value. */
export const NONE = -1;

const NAME_SHIFT = Math.log2(NAME_STEP);

export function nameOf(key: (typeof KEY_NAMES)[number]): number {
  return 1 + KEY_NAMES.indexOf(key);
}

/** See `token-layout.ts`; {@link NONE} for a missing value. */
export function kindAt(tokens: Int32Array, token: number): number {
  return token === NONE ? NONE : (tokens[token * TOKEN_NUMBERS] ?? 0) & (NAME_STEP - 1);
}

export function nameAt(tokens: Int32Array, token: number): number {
  return (tokens[token * TOKEN_NUMBERS] ?? 0) >> NAME_SHIFT;
}

export function startAt(tokens: Int32Array, token: number): number {
  return tokens[token * TOKEN_NUMBERS + 1] ?? 0;
}

export function endAt(tokens: Int32Array, token: number): number {
  return tokens[token * TOKEN_NUMBERS + 2] ?? 0;
}

export function keyStartAt(tokens: Int32Array, token: number): number {
  return tokens[token * TOKEN_NUMBERS + 3] ?? 0;
}

export function keyEndAt(tokens: Int32Array, token: number): number {
  return tokens[token * TOKEN_NUMBERS + 4] ?? 0;
}

/** The next value in the same array or object. */
export function next(tokens: Int32Array, token: number): number {
  return kindAt(tokens, token) >= ARRAY ? endAt(tokens, token) : token + 1;
}

/** The value of a key; the last one of duplicates, as in `JSON.parse`. */
export function memberOf(tokens: Int32Array, object: number, name: number): number {
  const end = endAt(tokens, object);
  let found = NONE;
  for (let token = object + 1; token < end; token = next(tokens, token)) {
    if (nameAt(tokens, token) === name) found = token;
  }
  return found;
}

export function isString(kind: number): boolean {
  return kind === ASCII || kind === UTF8 || kind === ESCAPED;
}

/** Whether a value is exactly this string, without escapes. */
export function isText({ tokens, bytes }: ScannedLine, token: number, text: string): boolean {
  if (kindAt(tokens, token) !== ASCII) return false;
  const start = startAt(tokens, token);
  return endAt(tokens, token) - start === text.length && isAt(bytes, start, text);
}

/** Whether the key of a value is exactly this, for keys that are not in `KEY_NAMES`. */
export function isKey({ tokens, bytes }: ScannedLine, token: number, key: string): boolean {
  const start = keyStartAt(tokens, token);
  return keyEndAt(tokens, token) - start === key.length && isAt(bytes, start, key);
}

/** Whether these letters are at an offset. */
export function isAt(bytes: Uint8Array, start: number, text: string): boolean {
  for (let at = 0; at < text.length; at++) if (bytes[start + at] !== text.charCodeAt(at)) return false;
  return true;
}

/** Decodes a string; `null` for other values. */
export function stringAt(line: ScannedLine, token: number): string | null {
  const { tokens } = line;
  const kind = kindAt(tokens, token);
  return isString(kind) ? decoded(line, kind, startAt(tokens, token), endAt(tokens, token)) : null;
}

/** Decodes the content of a string. */
export function decoded(line: ScannedLine, kind: number, start: number, end: number): string {
  if (kind === ASCII) return line.ascii(start, end);
  const text = line.text(start, end);
  return kind === UTF8 ? text : String(JSON.parse(`"${text}"`));
}

/** Up to this many digits are exact, and their division by one of these powers of ten yields the nearest number. */
const EXACT_DIGITS = 15;
const POWERS = Array.from({ length: EXACT_DIGITS + 1 }, (_, digits) => 10 ** digits);

/** `null` for anything but a number. */
export function numberAt(line: ScannedLine, token: number): number | null {
  const { tokens, bytes } = line;
  if (kindAt(tokens, token) !== NUMBER) return null;
  const start = startAt(tokens, token);
  const end = endAt(tokens, token);
  if (end - start > EXACT_DIGITS + 1) return Number(line.ascii(start, end));
  let value = 0;
  let point = end;
  for (let at = start; at < end; at++) {
    const digit = (bytes[at] ?? 0) - 0x30;
    if (digit >= 0 && digit <= 9) value = value * 10 + digit;
    else if (bytes[at] === 0x2e) point = at + 1;
    else return Number(line.ascii(start, end));
  }
  return point === end && end - start > EXACT_DIGITS
    ? Number(line.ascii(start, end))
    : value / (POWERS[end - point] ?? 1);
}

/** Milliseconds since 1970; `null` for anything but a time in its usual form. */
export function timestampAt(line: ScannedLine, token: number): number | null {
  const kind = kindAt(line.tokens, token);
  if (kind !== ASCII) return null;
  return parseTimestampIn(line.bytes, startAt(line.tokens, token), endAt(line.tokens, token));
}

/** Decodes and joins the lines of a scanned part, see `ScannedPart`. */
export function decodedLines(line: ScannedLine, pieces: readonly number[]): string {
  const lines: string[] = [];
  for (let at = 0; at < pieces.length; at += 2) {
    lines.push(decoded(line, ESCAPED, pieces[at] ?? 0, pieces[at + 1] ?? 0));
  }
  return lines.join("\n");
}

/** A text that is often repeated, to avoid decoding it again. */
export interface Latest {
  text: string;
}

/** The string of a token, if it is ASCII without escapes; `null` for an empty string and other values. */
export function textAt(line: ScannedLine, token: number, before: Latest): string | null {
  const { tokens, bytes } = line;
  if (kindAt(tokens, token) !== ASCII) return null;
  const start = startAt(tokens, token);
  const end = endAt(tokens, token);
  if (end === start) return null;
  if (end - start !== before.text.length || !isAt(bytes, start, before.text)) before.text = line.ascii(start, end);
  return before.text;
}
