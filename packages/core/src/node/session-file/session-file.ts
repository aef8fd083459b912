import { createHash } from "node:crypto";
import type { RawLine } from "../../format/format.ts";
import type { ScannedLine } from "../../format/scanned-line.ts";
import type { JsonObject } from "../../json.ts";
import { parseLine } from "../../session/jsonl.ts";
import { SessionFold } from "../../session/session-fold.ts";
import type { FileStamp } from "./file-stamp.ts";
import { JsonScanner } from "./json-scanner.ts";
import { hasTooManyValues } from "./line-values.ts";
import { LONG_LINE_BYTES, LongLine } from "./long-line.ts";
import { unpacked } from "./packed-file.ts";
import { openSessionBytes, type SessionBytes } from "./session-bytes.ts";
import { isPacked } from "./session-file-name.ts";
import { indexedLine } from "./title-index.ts";
import { work } from "./work.ts";

/** Fits into the processor's cache until it is parsed: 10 % faster than a megabyte (measured). */
const READ_BYTES = 128 * 1024;
const FINGERPRINT_BYTES = 256;
const LF = 0x0a;
/** V8's maximum string length: longer lines cannot be parsed. */
const MAX_LINE_LENGTH = 0x1fffffe8;

/**
 * Longer lines are shortened before parsing, because the parsed value is several times as large, and many may be in
 * memory while their clients are slow. A line with an image, of which agents accept 5 MB as base64, fits.
 */
export const MAX_LINE_BYTES = 8 * 1024 * 1024;
/** Maximum for lines without long strings, which cannot be shortened. */
const MAX_UNCUT_BYTES = 32 * 1024 * 1024;
/** Total size of the shortened strings of a line. */
const LEFT_OF_STRINGS_BYTES = 1024 * 1024;

/** How to shorten a line. */
export interface LineCut {
  /** Maximum total of its long strings; default 1 MiB. */
  stringBytes?: number;
  /** Appended to each shortened string; default: an ellipsis. */
  mark?: string;
}

/** How far a file was read, and a check that this part is unchanged. */
export interface ReadProgress {
  bytes: number;
  /** Whether the last line read ended with LF; otherwise it was complete JSON. */
  endsInLf: boolean;
  /** Digest of the first and last bytes read. */
  fingerprint: string;
}

export interface ReadSession {
  fold: SessionFold;
  progress: ReadProgress;
  stamp: FileStamp;
  /** Whether the file is gone, and this was read from the vault. */
  fromVault: boolean;
  /** Entries read earlier; 0 for a file read from its start. */
  resumedAt: number;
}

/** Bytes of an incomplete line, and their offset; `null`: too many to keep. */
interface Rest {
  bytes: Uint8Array | null;
  offset: number;
  length: number;
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

/** An open session file. Offsets are those of its text, also where it is compressed. */
export class SessionFile {
  readonly #path: string;
  readonly #stored: SessionBytes;
  /** Text of a compressed file; `null`: the file is its text. */
  readonly #unpacked: Buffer | null;
  /** Reused: clearing new memory for each window would cost more than reading. */
  #windowBuffer: Buffer | null = null;
  #window: Buffer = Buffer.alloc(0);
  #windowStart = 0;
  /** Range of the file in the scanner's buffer, if {@link inScanner}. */
  #scannedStart = 0;
  #scannedEnd = 0;

  /**
   * @param stored its bytes, if they are open already.
   * @throws as `openSessionBytes` does; an error with the code `EIO` if it cannot be unpacked.
   */
  constructor(path: string, stored = openSessionBytes(path)) {
    this.#path = path;
    this.#stored = stored;
    work.filesOpened++;
    try {
      this.#unpacked = isPacked(path) ? this.#unpack() : null;
    } catch (error) {
      this.#stored.close();
      throw error;
    }
  }

  #unpack(): Buffer {
    const { size, mtime, inode } = this.stamp();
    let offset = 0;
    return unpacked(`${inode} ${size} ${mtime}`, (buffer) => {
      const count = this.#readAt(buffer, 0, offset);
      offset += count;
      work.bytesRead += count;
      return count;
    });
  }

  close(): void {
    this.#stored.close();
    spareWindow = this.#windowBuffer ?? spareWindow;
    this.#windowBuffer = null;
  }

  /** Of the file itself: its size is not that of its text if it is compressed. */
  stamp(): FileStamp {
    return this.#stored.stamp();
  }

  /** File mode, as in `stat`. */
  get permissions(): number {
    return this.#stored.permissions();
  }

  /** Whether the file is gone, and the vault has what is read. */
  get fromVault(): boolean {
    return this.#stored.fromVault;
  }

  /** Reads at most `length` bytes; fewer at the end of the file. */
  bytes(offset: number, length: number): Buffer {
    const buffer = Buffer.allocUnsafe(length);
    return buffer.subarray(0, this.fill(buffer, offset));
  }

  /**
   * Parses the line at an offset of the outline, shortened if longer than {@link MAX_LINE_BYTES}. Reads neighbors
   * together, up to `until`.
   *
   * @returns `null` if there is no JSON object (the file has changed), or it is too long, or has too many values.
   */
  line(offset: number, length: number, until: number): JsonObject | null {
    if (length > MAX_LINE_BYTES) {
      const cut = this.cutLine(offset, length);
      if (cut !== null || length > MAX_UNCUT_BYTES || hasTooManyValues(this, offset, length)) return cut;
    }
    return this.storedLine(offset, length, until)?.value ?? null;
  }

  /** Parses a complete line, see `line`, and returns its text too. */
  storedLine(offset: number, length: number, until: number): { text: string; value: JsonObject } | null {
    const text = this.#textOfLine(offset, length, until);
    const value = parseText(text);
    return text === null || value === null ? null : { text, value };
  }

  /**
   * Separate function, so that the bytes can be collected while the text is parsed: 200 instead of 250 MB for a line of
   * 50 MB.
   */
  #textOfLine(offset: number, length: number, until: number): string | null {
    if (length >= LONG_LINE_BYTES) return textOf(this.bytes(offset, length), offset);
    return textOf(this.#bytesOfLine(offset, length, until), offset);
  }

  /**
   * Parses a line with shortened long strings.
   *
   * @returns `null` if the line has no long strings, is too large without them, or is not a JSON object.
   */
  cutLine(offset: number, length: number, cut: LineCut = {}): JsonObject | null {
    const { stringBytes = LEFT_OF_STRINGS_BYTES, mark = "…" } = cut;
    const long = length > MAX_LINE_LENGTH ? null : LongLine.open(this, offset, length);
    return long === null ? null : parseText(long.shortened(stringBytes, mark));
  }

  /** The line for reading in pieces; `null` if not suitable, see {@link LongLine.open}. */
  longLine(offset: number, length: number): LongLine | null {
    return length >= LONG_LINE_BYTES && length <= MAX_LINE_LENGTH ? LongLine.open(this, offset, length) : null;
  }

  /** The raw line. If it is larger than a window, only requested parts are read. */
  rawLine(offset: number, length: number, until = offset + length): RawLine {
    if (length > READ_BYTES) return new LineInFile(this, offset, length);
    return new BytesOfLine(this.#bytesOfLine(offset, length, until));
  }

  /** Tokenizes the line in the read buffer; `null` if it must be parsed. Valid until the next line is tokenized. */
  scannedLine(offset: number, length: number, until: number): ScannedLine | null {
    scanner ??= new JsonScanner();
    const { bytes } = scanner;
    if (length + 1 >= bytes.length) return null;
    const isRead = inScanner === this && offset >= this.#scannedStart && offset + length <= this.#scannedEnd;
    if (!isRead) {
      const count = Math.max(length + 1, Math.min(READ_BYTES, until - offset));
      inScanner = null;
      const filled = this.fill(bytes.subarray(0, count), offset);
      // The last line of a file may have no LF.
      bytes[filled] = LF;
      inScanner = this;
      this.#scannedStart = offset;
      this.#scannedEnd = offset + filled;
    }
    const at = offset - this.#scannedStart;
    return scanner.scanAt(at) === at + length + 1 ? scanner : null;
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
    return buffer.subarray(0, this.fill(buffer, offset));
  }

  /**
   * Reads the whole session, or only the part after `kept`, if that is still valid.
   *
   * @param stamp of the file before it is read; later writes are read the next time.
   */
  read(kept?: { fold: () => SessionFold; progress: ReadProgress }, stamp = this.stamp()): ReadSession {
    const size = this.#unpacked?.length ?? stamp.size;
    const resumes = kept !== undefined && this.#continues(kept.progress, size);
    const fold = resumes ? kept.fold() : new SessionFold();
    const resumedAt = fold.outline.count;
    const rest = this.#addLines(fold, resumes ? kept.progress.bytes : 0, size);
    let bytes = rest.offset;
    let endsInLf = true;
    // A complete last line without LF counts; an incomplete one is still being written.
    const last = this.#lastLine(rest);
    if (last !== null) {
      fold.add(last, rest.offset, rest.length);
      bytes += rest.length;
      endsInLf = false;
    }
    const forgotten = fold.forgottenText();
    if (forgotten !== null) {
      const line = this.line(forgotten.offset, forgotten.length, forgotten.offset + forgotten.length);
      if (line !== null) fold.recall(line);
    }
    const titles = fold.titleIndex(this.#path);
    const titled = titles === null ? null : indexedLine(titles, fold.header?.id ?? "");
    if (titled !== null) fold.addIndexed(titled);
    return {
      fold,
      progress: { bytes, endsInLf, fingerprint: this.#fingerprint(bytes) },
      stamp,
      fromVault: this.fromVault,
      resumedAt,
    };
  }

  #lastLine({ bytes, offset, length }: Rest): JsonObject | null {
    if (bytes === null) return this.line(offset, length, offset + length);
    return isBlank(bytes) ? null : parseBytes(bytes, offset);
  }

  /** Adds every complete line from `offset` on; returns the rest after the last LF. @param size of the file. */
  #addLines(fold: SessionFold, offset: number, size: number): Rest {
    scanner ??= new JsonScanner();
    inScanner = null;
    const { bytes } = scanner;
    let start = offset;
    /** Bytes in the buffer that belong to an incomplete line. */
    let carried = 0;
    for (;;) {
      if (carried === bytes.length) {
        const { isEnd, ...rest } = this.#addLongLine(fold, start);
        if (isEnd) return rest;
        start = rest.offset;
        carried = 0;
      }
      const left = Math.max(0, size - start - carried);
      const room = bytes.subarray(carried, Math.min(carried + Math.min(READ_BYTES, left), bytes.length));
      const count = this.fill(room, start + carried);
      if (count === 0) return { bytes: bytes.subarray(0, carried), offset: start, length: carried };
      const end = carried + room.subarray(0, count).lastIndexOf(LF) + 1;
      const filled = carried + count;
      if (end > carried) this.#addScanned(fold, scanner, start, end);
      if (start + filled >= size) {
        // What is left in the buffer need not be read once more for the fingerprint.
        inScanner = this;
        this.#scannedStart = start;
        this.#scannedEnd = start + filled;
        const rest = end > carried ? end : 0;
        return { bytes: bytes.subarray(rest, filled), offset: start + rest, length: filled - rest };
      }
      if (end === carried) {
        carried = filled;
        continue;
      }
      bytes.copyWithin(0, end, filled);
      carried = filled - end;
      start += end;
    }
  }

  /** Adds the lines in the scanner's buffer, whose first byte is at `start` in the file, up to `end` in the buffer. */
  #addScanned(fold: SessionFold, scanner: JsonScanner, start: number, end: number): void {
    for (let at = 0; at < end; ) {
      const next = scanner.scanAt(at);
      const lineEnd = next < 0 ? scanner.bytes.indexOf(LF, at) : next - 1;
      if (next < 0 || !fold.addScanned(scanner, start + at, lineEnd - at)) {
        addParsed(fold, scanner.bytes.subarray(at, lineEnd), start + at);
      }
      at = lineEnd + 1;
    }
    fold.settle();
  }

  /** Adds a line that does not fit into the scanner's buffer. Returns the rest: empty, or the line is incomplete. */
  #addLongLine(fold: SessionFold, offset: number): Rest & { isEnd: boolean } {
    const buffer = Buffer.allocUnsafe(READ_BYTES);
    for (let position = offset; ; ) {
      const count = this.fill(buffer, position);
      if (count === 0) {
        const length = position - offset;
        return { bytes: length > MAX_LINE_BYTES ? null : this.bytes(offset, length), offset, length, isEnd: true };
      }
      const end = buffer.subarray(0, count).indexOf(LF);
      position += end < 0 ? count : end;
      if (end < 0) continue;
      this.#addLine(fold, offset, position - offset);
      return { bytes: null, offset: position + 1, length: 0, isEnd: false };
    }
  }

  #addLine(fold: SessionFold, offset: number, length: number): void {
    const long = this.longLine(offset, length);
    const named = long?.named() ?? null;
    if (named !== null && fold.addNamed(named, (text) => long?.isNamedIn(text) === true, offset, length)) return;
    const line = this.line(offset, length, offset + length);
    if (line === null) fold.addMalformed();
    else fold.add(line, offset, length);
  }

  #continues(progress: ReadProgress, size: number): boolean {
    if (size < progress.bytes || this.#fingerprint(progress.bytes) !== progress.fingerprint) return false;
    // Another writer may have joined its line to an incomplete one: both are one invalid line then.
    return progress.endsInLf || size === progress.bytes || this.bytes(progress.bytes, 1)[0] === 0x0a;
  }

  #fingerprint(end: number): string {
    const head = this.#bytesAtHand(0, Math.min(FINGERPRINT_BYTES, end));
    const tailStart = Math.max(0, end - FINGERPRINT_BYTES);
    const tail = this.#bytesAtHand(tailStart, end - tailStart);
    return createHash("sha1").update(head).update(tail).digest("base64");
  }

  /** Like {@link bytes}, from the scanner's buffer if it has them; valid until the next line is scanned. */
  #bytesAtHand(offset: number, length: number): Uint8Array {
    const isAtHand = inScanner === this && offset >= this.#scannedStart && offset + length <= this.#scannedEnd;
    if (!isAtHand || scanner === null) return this.bytes(offset, length);
    return scanner.bytes.subarray(offset - this.#scannedStart, offset - this.#scannedStart + length);
  }

  /** Fills a buffer from an offset; returns the number of bytes, fewer at the end of the file. */
  fill(buffer: Buffer, offset: number): number {
    if (this.#unpacked !== null) return this.#unpacked.copy(buffer, 0, Math.min(offset, this.#unpacked.length));
    let filled = 0;
    while (filled < buffer.length) {
      const count = this.#readAt(buffer, filled, offset + filled);
      if (count === 0) break;
      filled += count;
    }
    work.bytesRead += filled;
    return filled;
  }

  #readAt(buffer: Buffer, at: number, offset: number): number {
    work.reads++;
    return this.#stored.read(buffer, at, offset);
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
}

class LineInFile implements RawLine {
  readonly #file: SessionFile;
  readonly #offset: number;
  readonly length: number;

  constructor(file: SessionFile, offset: number, length: number) {
    this.#file = file;
    this.#offset = offset;
    this.length = length;
  }

  slice(start: number, end: number): string {
    return this.#bytes(start, end).toString("latin1");
  }

  text(start: number, end: number): string {
    return this.#bytes(start, end).toString("utf8");
  }

  #bytes(start: number, end: number): Buffer {
    return this.#file.bytes(this.#offset + start, Math.min(end, this.length) - start);
  }
}

/** Buffer of the last closed file, for reuse. */
let spareWindow: Buffer | null = null;
/** One per thread: files are read sequentially. */
let scanner: JsonScanner | null = null;
/** The file whose lines are in the scanner's buffer. */
let inScanner: SessionFile | null = null;

function addParsed(fold: SessionFold, bytes: Uint8Array, offset: number): void {
  if (isBlank(bytes)) return;
  const line = parseBytes(bytes, offset);
  if (line === null) fold.addMalformed();
  else fold.add(line, offset, bytes.length);
}

function isBlank(bytes: Uint8Array): boolean {
  return bytes.length < 64 && bytes.every((byte) => byte === 0x20 || byte === 0x09 || byte === 0x0d);
}

function parseBytes(bytes: Uint8Array, offset: number): JsonObject | null {
  return parseText(textOf(bytes, offset));
}

/** `null` if it is too long for a string. */
function textOf(bytes: Uint8Array, offset: number): string | null {
  if (bytes.length > MAX_LINE_LENGTH) return null;
  const start = offset === 0 && bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf ? 3 : 0;
  return asBuffer(bytes).toString("utf8", start);
}

function parseText(text: string | null): JsonObject | null {
  work.linesParsed++;
  return text === null ? null : parseLine(text);
}

/** Avoids a copy if the line is in the read buffer. */
function asBuffer(bytes: Uint8Array): Buffer {
  return Buffer.isBuffer(bytes) ? bytes : Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length);
}
