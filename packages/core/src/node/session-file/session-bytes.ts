import { closeSync, fstatSync, readSync } from "node:fs";
import { errorCode, isAbsence } from "../files/file-errors.ts";
import { type OpenedFile, openFileSync } from "../files/open-file.ts";
import { type FileStamp, stampOf } from "./file-stamp.ts";
import { openSessionFile } from "./session-roots.ts";

/** The bytes of a session: of its file, those that the vault has of a file that is gone, or those kept elsewhere. */
export interface SessionBytes {
  /** Real path of the file; `null` if there is none in the file system. */
  readonly real: string | null;
  readonly fromVault: boolean;
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

/** Finds files that are not in the file system; `null`: there is none. */
export type FindElsewhere = (path: string) => SessionBytes | null;

/** Of this thread; `null`: it reads files. */
let findElsewhere: FindElsewhere | null = null;

/** Makes this thread read all sessions, and what belongs to them, from elsewhere. */
export function readElsewhere(find: FindElsewhere): void {
  findElsewhere = find;
}

/**
 * Opens a session by its path in this thread.
 *
 * @throws as `openSessionFile` does, for a missing file only if the vault has nothing of it.
 */
export function openSessionBytes(path: string): SessionBytes {
  if (findElsewhere !== null) return findElsewhere(path) ?? missing(path);
  try {
    return new FileBytes(openSessionFile(path));
  } catch (error) {
    const kept = isAbsence(errorCode(error)) ? findKept(path) : null;
    if (kept === null) throw error;
    return kept;
  }
}

/**
 * Opens a file of an agent besides its sessions.
 *
 * @throws as `openFileSync` does.
 */
export function openAgentFile(path: string): SessionBytes {
  if (findElsewhere !== null) return findElsewhere(path) ?? missing(path);
  return new FileBytes(openFileSync(path, () => true));
}

/** As the file system says it. */
function missing(path: string): never {
  throw Object.assign(new Error(`ENOENT: no such file, open '${path}'`), { code: "ENOENT", path });
}

class FileBytes implements SessionBytes {
  readonly real: string;
  readonly fromVault = false;
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
