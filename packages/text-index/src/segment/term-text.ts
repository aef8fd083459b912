import { damaged } from "../storage/damaged.ts";
import type { ByteReader, ByteWriter } from "../storage/varint.ts";

const WIDE = /[\u0100-\uffff]/;

/**
 * Writes text as UTF-16 units, which keeps order and lone surrogates: one byte per unit if possible, as for most terms,
 * otherwise two.
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
 * Length of the stored part of a term: of `id:getusername get user name` only `id:getusername`, because the boundaries
 * of its parts are stored separately; the rest would be 0.4 % of the text.
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

/** Writes the boundaries of an identifier's parts, which follow its first `length` units. */
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

/** Skips the output of `writeParts`. @throws IndexError */
export function skipParts(bytes: ByteReader): void {
  for (let left = bytes.readVarint(); left > 0; left--) bytes.readVarint();
}

/** Restores a term from its short form. @throws IndexError */
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
