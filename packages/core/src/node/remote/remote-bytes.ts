import type { FileStamp } from "../session-file/file-stamp.ts";
import type { SessionBytes } from "../session-file/session-bytes.ts";
import type { RemoteLine } from "./remote-line.ts";
import type { BytesAround, RemoteFile } from "./remote-sessions.ts";

/** Asked for at once where a file is read in order: each question waits for a database. */
const MOST_BYTES = 1024 * 1024;
/** Elsewhere: some entries of a session. */
const LEAST_BYTES = 32 * 1024;
/** What a thread keeps of what it has asked for... */
const KEPT_BYTES = 12 * 1024 * 1024;
/** ...and of sessions that it will read again. */
const MOST_KEPT_BYTES = 48 * 1024 * 1024;

interface Window extends BytesAround {
  content: number;
}

/**
 * The parts of remote files that a thread has read last. They stay right, since contents only grow. Where a file is read
 * in order, each question is for twice as many bytes as the one before: a page takes little more than what is on it, and
 * a whole session few questions.
 */
export class RemoteWindows {
  readonly #line: RemoteLine;
  /** The one that was used last comes last. */
  #windows: Window[] = [];
  #bytes = 0;
  #keptBytes = KEPT_BYTES;

  constructor(line: RemoteLine) {
    this.#line = line;
  }

  /** Keeps what is read from now on, of some sessions that have so many bytes: they are read again soon. */
  keep(bytes: number): void {
    this.#keptBytes = Math.max(KEPT_BYTES, Math.min(MOST_KEPT_BYTES, bytes));
    this.#release();
  }

  /** Opens a file, `null` where there is none. */
  open(path: string): SessionBytes | null {
    const file = this.#line.file(path);
    return file === null ? null : new RemoteBytes(file, this);
  }

  /** Copies what is at an offset; returns the number of bytes, at least 1 before the end of the file. */
  read({ content, size }: RemoteFile, buffer: Buffer, at: number, offset: number): number {
    const wanted = Math.min(buffer.length - at, size - offset);
    if (wanted <= 0) return 0;
    const { start, bytes } = this.#find(content, offset) ?? this.#ask(content, offset, wanted, size);
    const part = bytes.subarray(offset - start, offset - start + wanted);
    buffer.set(part, at);
    return part.length;
  }

  #find(content: number, offset: number): Window | null {
    const place = this.#windows.findLastIndex(
      (window) => window.content === content && offset >= window.start && offset < endOf(window),
    );
    const found = this.#windows[place];
    if (found === undefined) return null;
    if (place < this.#windows.length - 1) this.#windows.push(...this.#windows.splice(place, 1));
    return found;
  }

  #ask(content: number, offset: number, wanted: number, size: number): Window {
    const before = this.#windows.findLast((window) => window.content === content && endOf(window) === offset);
    const ahead = before === undefined ? LEAST_BYTES : 2 * before.bytes.length;
    const length = Math.min(size - offset, MOST_BYTES, Math.max(wanted, ahead));
    const window = { content, ...this.#line.ask("read", content, offset, length) };
    this.#windows.push(window);
    this.#bytes += window.bytes.length;
    this.#release();
    return window;
  }

  #release(): void {
    while (this.#bytes > this.#keptBytes && this.#windows.length > 1)
      this.#bytes -= this.#windows.shift()?.bytes.length ?? 0;
  }
}

function endOf({ start, bytes }: BytesAround): number {
  return start + bytes.length;
}

class RemoteBytes implements SessionBytes {
  readonly real = null;
  readonly fromVault = false;
  readonly #file: RemoteFile;
  readonly #windows: RemoteWindows;

  constructor(file: RemoteFile, windows: RemoteWindows) {
    this.#file = file;
    this.#windows = windows;
  }

  stamp(): FileStamp {
    return stampOfRemote(this.#file);
  }

  permissions(): number {
    return this.#file.mode & 0o777;
  }

  read(buffer: Buffer, at: number, offset: number): number {
    return this.#windows.read(this.#file, buffer, at, offset);
  }

  close(): void {
    // Nothing is held for it.
  }
}

/** What tells a remote file from another one, as for files of this machine. */
export function stampOfRemote({ content, size, modifiedAt }: RemoteFile): FileStamp {
  return { size, mtime: modifiedAt, ctime: modifiedAt, inode: content };
}
