import { createHash } from "node:crypto";
import { closeSync, fstatSync, openSync, readSync } from "node:fs";
import type { RawLine } from "../format/format.ts";
import type { JsonObject } from "../json.ts";
import { type LineConsumer, LineSplitter, parseLine } from "../session/jsonl.ts";
import { SessionFold } from "../session/summary.ts";
import { work } from "./work.ts";

/** Small enough to stay in the processor's cache until it is parsed: 10 % faster than a megabyte (measured). */
const READ_BYTES = 128 * 1024;
const FINGERPRINT_BYTES = 256;
/** Longer than any string V8 can hold is no line that could be parsed. */
const LONGEST_LINE = 0x1fffffe8;

/** What `stat` says of a file; two equal ones mean that nothing has changed. */
export interface FileStamp {
  size: number;
  /** Milliseconds since 1970, with fractions. */
  mtime: number;
  ctime: number;
  inode: number;
}

export function sameStamp(a: FileStamp, b: FileStamp): boolean {
  return a.size === b.size && a.mtime === b.mtime && a.ctime === b.ctime && a.inode === b.inode;
}

export function stampOf(stat: { size: number; mtimeMs: number; ctimeMs: number; ino: number }): FileStamp {
  return { size: stat.size, mtime: stat.mtimeMs, ctime: stat.ctimeMs, inode: stat.ino };
}

/** How far a file has been read, and how to see that what was read is still there. */
export interface ReadProgress {
  bytes: number;
  /** Whether the last line read ended in LF; an unfinished one was complete JSON. */
  endsInLf: boolean;
  /** Digest of the first and last bytes read. */
  fingerprint: string;
}

export interface ReadSession {
  fold: SessionFold;
  progress: ReadProgress;
  stamp: FileStamp;
  /** Entries that were already there; 0 for a file read from its start. */
  resumedAt: number;
}

/** Opens a session file, calls `use` and closes it. */
export function withSessionFile<T>(path: string, use: (file: SessionFile) => T): T {
  const file = new SessionFile(path);
  try {
    return use(file);
  } finally {
    file.close();
  }
}

/** An open session file. */
export class SessionFile {
  readonly #descriptor: number;
  /** Fresh memory for each window would cost more than to read it: pages are cleared one by one. */
  #windowBuffer: Buffer | null = null;
  #window: Buffer = Buffer.alloc(0);
  #windowStart = 0;

  /** @throws the file system's error, with its `code`. */
  constructor(path: string) {
    this.#descriptor = openSync(path, "r");
    work.filesOpened++;
  }

  close(): void {
    closeSync(this.#descriptor);
    spareWindow = this.#windowBuffer ?? spareWindow;
    this.#windowBuffer = null;
  }

  stamp(): FileStamp {
    return stampOf(fstatSync(this.#descriptor));
  }

  /** Reads at most `length` bytes; fewer where the file ends. */
  bytes(offset: number, length: number): Buffer {
    const buffer = Buffer.allocUnsafe(length);
    return buffer.subarray(0, this.#fill(buffer, offset));
  }

  /**
   * Parses the line at a place that an outline names. Neighbours are read together, up to `until`.
   *
   * @returns `null` where no JSON object is there: the file is not what it was.
   */
  line(offset: number, length: number, until: number): JsonObject | null {
    return parseBytes(this.#bytesOfLine(offset, length, until), offset);
  }

  /** The same line as it is. */
  rawLine(offset: number, length: number, until = offset + length): RawLine {
    return new BytesOfLine(this.#bytesOfLine(offset, length, until));
  }

  #bytesOfLine(offset: number, length: number, until: number): Buffer {
    const end = offset + length;
    const inWindow = offset >= this.#windowStart && end <= this.#windowStart + this.#window.length;
    if (!inWindow) {
      this.#window = this.#readWindow(offset, Math.max(length, Math.min(READ_BYTES, until - offset)));
      this.#windowStart = offset;
    }
    const start = offset - this.#windowStart;
    return this.#window.subarray(start, start + length);
  }

  #readWindow(offset: number, length: number): Buffer {
    if (length > READ_BYTES) return this.bytes(offset, length);
    if (this.#windowBuffer === null) {
      this.#windowBuffer = spareWindow ?? Buffer.allocUnsafeSlow(READ_BYTES);
      spareWindow = null;
    }
    const buffer = this.#windowBuffer.subarray(0, length);
    return buffer.subarray(0, this.#fill(buffer, offset));
  }

  /** Calls back for every complete line from `offset` on; returns what follows the last LF. */
  lines(offset: number, onLine: LineConsumer): { bytes: Uint8Array; offset: number } {
    const splitter = new LineSplitter(onLine, offset);
    const buffer = readBuffer();
    let position = offset;
    for (;;) {
      const count = this.#fill(buffer, position);
      if (count === 0) return splitter.takeRest();
      splitter.push(buffer.subarray(0, count));
      position += count;
    }
  }

  /**
   * Reads the whole session, or only what was added since `kept`, where that still holds.
   *
   * @param exact whether every line is parsed; otherwise long ones may be skimmed.
   */
  read(kept?: { fold: () => SessionFold; progress: ReadProgress }, exact = false): ReadSession {
    const stamp = this.stamp();
    const resumes = kept !== undefined && this.#continues(kept.progress, stamp.size);
    const fold = resumes ? kept.fold() : new SessionFold(undefined, exact);
    const resumedAt = fold.outline.count;
    const add = (line: JsonObject | null, place: number, length: number) => {
      if (line === null) fold.addMalformed();
      else fold.add(line, place, length);
    };
    const rest = this.lines(resumes ? kept.progress.bytes : 0, (line, place) => {
      if (isBlank(line) || fold.addSkimmed(new BytesOfLine(line), place)) return;
      add(parseBytes(line, place), place, line.length);
    });
    let bytes = rest.offset;
    let endsInLf = true;
    // A last line without LF that is complete counts; one that is not is still being written.
    const last = isBlank(rest.bytes) ? null : parseBytes(rest.bytes, rest.offset);
    if (last !== null) {
      add(last, rest.offset, rest.bytes.length);
      bytes += rest.bytes.length;
      endsInLf = false;
    }
    const forgotten = fold.forgottenText();
    if (forgotten !== null) {
      const line = this.line(forgotten.offset, forgotten.length, forgotten.offset + forgotten.length);
      if (line !== null) fold.recall(line);
    }
    return { fold, progress: { bytes, endsInLf, fingerprint: this.#fingerprint(bytes) }, stamp, resumedAt };
  }

  #continues(progress: ReadProgress, size: number): boolean {
    if (size < progress.bytes || this.#fingerprint(progress.bytes) !== progress.fingerprint) return false;
    // A writer that does not look may have glued its line to an unfinished one: then both are one broken line.
    return progress.endsInLf || size === progress.bytes || this.bytes(progress.bytes, 1)[0] === 0x0a;
  }

  #fingerprint(end: number): string {
    const head = this.bytes(0, Math.min(FINGERPRINT_BYTES, end));
    const tailStart = Math.max(0, end - FINGERPRINT_BYTES);
    const tail = this.bytes(tailStart, end - tailStart);
    return createHash("sha1").update(head).update(tail).digest("base64");
  }

  #fill(buffer: Buffer, offset: number): number {
    let filled = 0;
    while (filled < buffer.length) {
      const count = readSync(this.#descriptor, buffer, filled, buffer.length - filled, offset + filled);
      if (count === 0) break;
      filled += count;
    }
    work.bytesRead += filled;
    return filled;
  }
}

class BytesOfLine implements RawLine {
  readonly #bytes: Buffer;

  constructor(bytes: Uint8Array) {
    this.#bytes = asBuffer(bytes);
  }

  get length(): number {
    return this.#bytes.length;
  }

  slice(start: number, end: number): string {
    return this.#bytes.toString("latin1", start, end);
  }

  text(start: number, end: number): string {
    return this.#bytes.toString("utf8", start, end);
  }

  bytes(start: number, end: number): Uint8Array {
    return this.#bytes.subarray(start, end);
  }

  includes(text: string, from: number): boolean {
    return this.#bytes.includes(text, from, "latin1");
  }
}

/** Of the file that was closed last, for the next one that is opened. */
let spareWindow: Buffer | null = null;
let sharedReadBuffer: Buffer | null = null;

/** One buffer a thread: files are read one after the other. */
function readBuffer(): Buffer {
  sharedReadBuffer ??= Buffer.allocUnsafeSlow(READ_BYTES);
  return sharedReadBuffer;
}

function isBlank(bytes: Uint8Array): boolean {
  return bytes.length < 64 && bytes.every((byte) => byte === 0x20 || byte === 0x09 || byte === 0x0d);
}

function parseBytes(bytes: Uint8Array, offset: number): JsonObject | null {
  work.linesParsed++;
  if (bytes.length > LONGEST_LINE) return null;
  const start = offset === 0 && bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf ? 3 : 0;
  return parseLine(asBuffer(bytes).toString("utf8", start));
}

/** Most lines are one already: they are cut out of the buffer that was read into. */
function asBuffer(bytes: Uint8Array): Buffer {
  return Buffer.isBuffer(bytes) ? bytes : Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length);
}
