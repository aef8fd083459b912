import { damaged } from "../storage/damaged.ts";
import type { ByteReader, ByteWriter } from "../storage/varint.ts";

const WIDE = /[\u0100-\uffff]/;

/**
 * Writes text as UTF-16 units, so that its order and lone halves of pairs are kept: one byte a unit where that is
 * enough, as it is for most terms, else two.
 */
export function writeText(bytes: ByteWriter, text: string): void {
  const isWide = WIDE.test(text);
  bytes.writeVarint(text.length * 2 + (isWide ? 1 : 0));
  bytes.writeBytes(Buffer.from(text, isWide ? "utf16le" : "latin1"));
}

/** @throws IndexError */
export function readText(bytes: ByteReader): string {
  const head = bytes.readVarint();
  const isWide = head % 2 === 1;
  const units = (head - (head % 2)) / 2;
  const stored = bytes.readBytes(isWide ? units * 2 : units);
  const text = Buffer.from(stored.buffer, stored.byteOffset, stored.length).toString(isWide ? "utf16le" : "latin1");
  if (text.length !== units) throw damaged("A text is too short.");
  return text;
}

const IDENTIFIER = "id:";
const SPACE = 0x20;

/**
 * Tells how much of a term is stored as it is: of `id:getusername get user name` only `id:getusername`, since where its
 * parts border on each other says the rest, which would be 0.4 % of the text.
 */
export function shortLength(term: string): number {
  if (!term.startsWith(IDENTIFIER)) return term.length;
  const length = term.indexOf(" ");
  let same = IDENTIFIER.length;
  for (let at = length + 1; at < term.length; at++) {
    const code = term.charCodeAt(at);
    if (code === SPACE) continue;
    if (same === length || term.charCodeAt(same) !== code) return term.length;
    same++;
  }
  return same === length ? length : term.length;
}

/** Writes where the parts of an identifier border on each other, which stand behind so many units of it. */
export function writeParts(bytes: ByteWriter, term: string, length: number): void {
  const ends: number[] = [];
  for (let end = term.indexOf(" ", length + 1); end >= 0; end = term.indexOf(" ", end + 1)) ends.push(end);
  bytes.writeVarint(ends.length);
  let start = length + 1;
  for (const end of ends) {
    bytes.writeVarint(end - start);
    start = end + 1;
  }
}

/** Reads over what `writeParts` has written. @throws IndexError */
export function skipParts(bytes: ByteReader): void {
  for (let left = bytes.readVarint(); left > 0; left--) bytes.readVarint();
}

/** The term whose short form is `text`. @throws IndexError */
export function longForm(text: string, bytes: ByteReader): string {
  let term = text;
  let start = "id:".length;
  for (let left = bytes.readVarint(); left > 0; left--) {
    const end = start + bytes.readVarint();
    term += ` ${text.slice(start, end)}`;
    start = end;
  }
  return `${term} ${text.slice(start)}`;
}
