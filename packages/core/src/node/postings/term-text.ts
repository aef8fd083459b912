import { damaged } from "./damaged.ts";
import type { ByteReader, ByteWriter } from "./varint.ts";

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

/** `id:getusername get user name` as `id:getusername` and its parts, which need not be stored: 0.4 % of the text. */
export function shortForm(term: string): { text: string; parts: string[] | null } {
  if (term.startsWith("id:")) {
    const space = term.indexOf(" ");
    const text = term.slice(0, space);
    const parts: string[] = [];
    let start = space + 1;
    let length = "id:".length;
    for (let end = start; start <= term.length; start = end + 1) {
      end = term.indexOf(" ", start);
      if (end < 0) end = term.length;
      const part = term.slice(start, end);
      if (!text.startsWith(part, length)) break;
      parts.push(part);
      length += part.length;
    }
    if (start > term.length && length === text.length) return { text, parts };
  }
  return { text: term, parts: null };
}

/** Writes where the parts of an identifier border on each other. */
export function writeParts(bytes: ByteWriter, parts: readonly string[]): void {
  bytes.writeVarint(parts.length - 1);
  for (const part of parts.slice(0, -1)) bytes.writeVarint(part.length);
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
