import {
  close,
  closeSync,
  constants,
  fstatSync,
  open,
  openSync,
  readlinkSync,
  read as readNext,
  realpathSync,
  statSync,
  unlinkSync,
} from "node:fs";
import { realpath } from "node:fs/promises";
import { sep } from "node:path";
import { promisify } from "node:util";
import { statDescriptor } from "./stat.ts";

/** A file that was opened, to be closed by whoever has it. */
export interface OpenedFile {
  descriptor: number;
  /** Where it lies, with all links followed. */
  real: string;
}

/**
 * Added to every way of opening: a pipe that has taken the place of a file is not waited for, a link is not followed, and
 * a terminal does not become that of the process. Windows has none of them.
 */
const CAREFULLY = (constants.O_NONBLOCK ?? 0) | (constants.O_NOFOLLOW ?? 0) | (constants.O_NOCTTY ?? 0);

const opening = promisify(open);
const reading = promisify(readNext);
const closing = promisify(close);

/** A file that is replaced as a whole while it is opened is there at the next attempt. */
const MAX_ATTEMPTS = 3;

/**
 * Opens a regular file that may be swapped at any moment, by the rules that everything that is read or appended to is
 * opened by: what was opened is looked at, not its path, since that may lead somewhere else by now.
 *
 * @param path without links below whatever `isAllowed` stands for.
 * @param isAllowed whether the file may be opened, by where it lies when all links are followed.
 * @param flags `O_RDONLY` if absent.
 * @throws the file system's error with its `code`; `ELOOP` for a link, for what is no regular file, and for one that
 *   lies elsewhere.
 */
export function openFileSync(
  path: string,
  isAllowed: (real: string) => boolean,
  flags: number = constants.O_RDONLY,
): OpenedFile {
  for (let attempt = 1; ; attempt++) {
    const opened = checked(path, openSync(path, flags | CAREFULLY), isAllowed);
    if (opened !== null) return opened;
    if (attempt === MAX_ATTEMPTS) throw refusal(path, "it is in another place");
  }
}

/** The same without holding up the thread while the file system looks for the file. */
export async function openFile(path: string, isAllowed: (real: string) => boolean): Promise<OpenedFile> {
  for (let attempt = 1; ; attempt++) {
    const opened = checked(path, await opening(path, constants.O_RDONLY | CAREFULLY), isAllowed);
    if (opened !== null) return opened;
    if (attempt === MAX_ATTEMPTS) throw refusal(path, "it is in another place");
  }
}

/**
 * Makes a new file by the same rules.
 *
 * @throws as {@link openFileSync} does, `EEXIST` where something is there; then no file is left behind.
 */
export function createFileSync(path: string, isAllowed: (real: string) => boolean, mode: number): OpenedFile {
  const flags = constants.O_WRONLY | constants.O_CREAT | constants.O_EXCL;
  const descriptor = openSync(path, flags | CAREFULLY, mode);
  const real = placeOf(path, descriptor);
  if (isAllowed(real)) return { descriptor, real };
  closeSync(descriptor);
  unlinkSync(real);
  throw refusal(path, "its folder is in another place");
}

/** `null` where the file lies elsewhere, perhaps since another one has just taken its place. */
function checked(path: string, descriptor: number, isAllowed: (real: string) => boolean): OpenedFile | null {
  try {
    if (!statDescriptor(descriptor).isFile()) throw refusal(path, "it is not a regular file");
    const real = placeOf(path, descriptor);
    if (isAllowed(real)) return { descriptor, real };
  } catch (error) {
    closeSync(descriptor);
    throw error;
  }
  closeSync(descriptor);
  return null;
}

/** Where an open file lies. Linux tells by the descriptor; elsewhere the path has to lead to the same file still. */
function placeOf(path: string, descriptor: number): string {
  const told = process.platform === "linux" ? linkOf(descriptor) : null;
  if (told !== null) return told;
  const real = realpathSync(path);
  const [opened, found] = [fstatSync(descriptor, { bigint: true }), statSync(real, { bigint: true })];
  if (opened.ino !== found.ino || opened.dev !== found.dev) throw refusal(path, "it was replaced");
  return real;
}

/** `null` where `/proc` is not mounted. */
function linkOf(descriptor: number): string | null {
  try {
    return readlinkSync(`/proc/self/fd/${descriptor}`);
  } catch {
    return null;
  }
}

function refusal(path: string, reason: string): NodeJS.ErrnoException {
  return Object.assign(new Error(`ELOOP: ${path} is not opened: ${reason}`), { code: "ELOOP", path });
}

/** What is asked for at first where the file system tells less: nothing of files of `/proc`. */
const FIRST_BYTES = 64 * 1024;

/**
 * Reads a file from its start up to a limit, whatever size the file system tells: files of `/proc` have none.
 *
 * @returns at most `limit` bytes.
 */
export async function readUpTo(descriptor: number, limit: number): Promise<Buffer> {
  const expected = Math.max(FIRST_BYTES, fstatSync(descriptor).size + 1);
  let buffer = Buffer.allocUnsafe(Math.min(limit, expected));
  let length = 0;
  while (length < limit) {
    if (length === buffer.length) buffer = Buffer.concat([buffer], Math.min(limit, 2 * length));
    const { bytesRead } = await reading(descriptor, buffer, length, buffer.length - length, length);
    if (bytesRead === 0) break;
    length += bytesRead;
  }
  return buffer.subarray(0, length);
}

/**
 * Reads a file of text whose path was chosen by the user, such as a configuration: links on the way are the user's own
 * and are followed, but neither a pipe nor a device is read or waited for.
 *
 * @throws the file system's error with its `code`; `ELOOP` for what is no regular file, `EFBIG` beyond `limit` bytes.
 */
export async function readWholeFile(path: string, limit: number): Promise<Buffer> {
  const real = await realpath(path);
  const { descriptor } = await openFile(real, (place) => place === real);
  try {
    const bytes = await readUpTo(descriptor, limit + 1);
    if (bytes.length <= limit) return bytes;
    const message = `EFBIG: ${path} is larger than ${limit} bytes`;
    throw Object.assign(new Error(message), { code: "EFBIG", path });
  } finally {
    await closing(descriptor);
  }
}

/** Whether a path is this directory or below it. */
export function isInside(path: string, directory: string): boolean {
  return path === directory || path.startsWith(directory.endsWith(sep) ? directory : directory + sep);
}
