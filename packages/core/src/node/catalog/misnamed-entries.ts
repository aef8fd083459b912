import { isUtf8 } from "node:buffer";
import { type Dirent, readdirSync } from "node:fs";
import { sep } from "node:path";

/** Session files below a directory whose paths are not UTF-8: no string can name them, so that they cannot be listed. */
export interface Misnamed {
  count: number;
  /** Path of one of them for people, with `\xff` for a byte that is not UTF-8; `null` where there are none. */
  example: string | null;
}

/** Whether a directory may be scanned and a file be a session, by its name and how deep it lies. */
export interface Wanted {
  directory: (name: string, depth: number) => boolean;
  file: (name: string) => boolean;
}

/** What stands in a name as Node gives it for bytes that are not UTF-8, and for itself. */
const REPLACEMENT = "\ufffd";

/**
 * Reads the entries of a directory and leaves out those whose names are not UTF-8: as a string, such a name is another
 * one, which may even be there too. What is left out is counted in `misnamed`.
 */
export function readEntries(directory: string, depth: number, wanted: Wanted, misnamed: Misnamed): Dirent[] {
  const entries = readdirSync(directory, { withFileTypes: true });
  if (!entries.some(({ name }) => name.includes(REPLACEMENT))) return entries;
  const named: Dirent[] = [];
  for (const entry of readBytes(Buffer.from(directory))) {
    if (isUtf8(entry.name)) named.push(Object.assign(entry, { name: entry.name.toString() }) as unknown as Dirent);
    else countIn(Buffer.from(directory), entry, depth, wanted, misnamed);
  }
  return named;
}

function readBytes(directory: Buffer): Dirent<Buffer>[] {
  return readdirSync(directory, { withFileTypes: true, encoding: "buffer" });
}

function countIn(directory: Buffer, entry: Dirent<Buffer>, depth: number, wanted: Wanted, misnamed: Misnamed): void {
  const path = Buffer.concat([directory, Buffer.from(sep), entry.name]);
  if (entry.isDirectory() && wanted.directory(entry.name.toString(), depth + 1)) {
    try {
      for (const inner of readBytes(path)) countIn(path, inner, depth + 1, wanted, misnamed);
    } catch {
      // Gone meanwhile, or not to be read.
    }
  } else if (entry.isFile() && wanted.file(entry.name.toString())) {
    misnamed.count++;
    misnamed.example ??= shown(path);
  }
}

/** Decodes a path, with escapes for the bytes that are not UTF-8. */
function shown(path: Buffer): string {
  let text = "";
  for (let at = 0; at < path.length; ) {
    const length = [1, 2, 3, 4].find((bytes) => isUtf8(path.subarray(at, at + bytes)));
    text += length === undefined ? `\\x${path.toString("hex", at, at + 1)}` : path.toString("utf8", at, at + length);
    at += length ?? 1;
  }
  return text;
}
