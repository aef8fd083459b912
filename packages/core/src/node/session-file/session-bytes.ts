import { closeSync, fstatSync, readSync } from "node:fs";
import { errorCode, isAbsence } from "../files/file-errors.ts";
import type { OpenedFile } from "../files/open-file.ts";
import { type FileStamp, stampOf } from "./file-stamp.ts";
import { openSessionFile } from "./session-roots.ts";

/** The bytes of a session: of its file, or those that the vault has of a file that is gone. */
export interface SessionBytes {
  /** Real path of the file; `null`: they come from the vault. */
  readonly real: string | null;
  stamp(): FileStamp;
  /** Permission bits of the file's mode. */
  permissions(): number;
  /** Reads into the buffer from `at` on what is at an offset; returns the number of bytes, 0 at the end. */
  read(buffer: Buffer, at: number, offset: number): number;
  close(): void;
}

/** Finds what is kept of the file at a path; `null` if there is nothing. */
export type FindKept = (path: string) => SessionBytes | null;

/** Of this thread; before it is set, nothing is kept. */
let findKept: FindKept = () => null;

/** Sets where this thread finds sessions whose files are gone. */
export function setKeptSessions(find: FindKept): void {
  findKept = find;
}

/**
 * Opens a session by its path in this thread.
 *
 * @throws as `openSessionFile` does, for a missing file only if the vault has nothing of it.
 */
export function openSessionBytes(path: string): SessionBytes {
  try {
    return new FileBytes(openSessionFile(path));
  } catch (error) {
    const kept = isAbsence(errorCode(error)) ? findKept(path) : null;
    if (kept === null) throw error;
    return kept;
  }
}

class FileBytes implements SessionBytes {
  readonly real: string;
  readonly #descriptor: number;

  constructor({ descriptor, real }: OpenedFile) {
    this.real = real;
    this.#descriptor = descriptor;
  }

  stamp(): FileStamp {
    return stampOf(fstatSync(this.#descriptor));
  }

  permissions(): number {
    return fstatSync(this.#descriptor).mode & 0o777;
  }

  read(buffer: Buffer, at: number, offset: number): number {
    return readSync(this.#descriptor, buffer, at, buffer.length - at, offset);
  }

  close(): void {
    closeSync(this.#descriptor);
  }
}
