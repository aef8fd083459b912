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

/** An open file; the owner must close it. */
export interface OpenedFile {
  descriptor: number;
  /** Its real path. */
  real: string;
}

/**
 * Added to all open flags: do not wait for a pipe, do not follow a link, do not become a terminal's process. Windows
 * has none of them.
 */
const CAREFULLY = (constants.O_NONBLOCK ?? 0) | (constants.O_NOFOLLOW ?? 0) | (constants.O_NOCTTY ?? 0);

const opening = promisify(open);
const reading = promisify(readNext);
const closing = promisify(close);

/** A file that is being replaced exists at the next attempt. */
const MAX_ATTEMPTS = 3;

/**
 * Opens a regular file that may be replaced at any moment. Checks the opened descriptor instead of the path, which may
 * lead elsewhere by now. All session files are opened this way.
 *
 * @param path without links below the directories that `isAllowed` accepts.
 * @param isAllowed whether the file's real path may be opened.
 * @param flags default `O_RDONLY`.
 * @throws the file system's error with its `code`; `ELOOP` for a link, anything but a regular file, or a file
 * elsewhere.
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

/** Asynchronous version: does not block the thread during the path lookup. */
export async function openFile(path: string, isAllowed: (real: string) => boolean): Promise<OpenedFile> {
  for (let attempt = 1; ; attempt++) {
    const opened = checked(path, await opening(path, constants.O_RDONLY | CAREFULLY), isAllowed);
    if (opened !== null) return opened;
    if (attempt === MAX_ATTEMPTS) throw refusal(path, "it is in another place");
  }
}

/**
 * Creates a file by the same rules.
 *
 * @throws like {@link openFileSync}, `EEXIST` if the path exists; leaves no file behind then.
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

/** `null` if the file is elsewhere, perhaps because it was just replaced. */
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

/** Real path of an open file. On Linux from the descriptor; elsewhere the path must still lead to the same file. */
function placeOf(path: string, descriptor: number): string {
  const told = process.platform === "linux" ? linkOf(descriptor) : null;
  if (told !== null) return told;
  const real = realpathSync(path);
  const [opened, found] = [fstatSync(descriptor, { bigint: true }), statSync(real, { bigint: true })];
  if (opened.ino !== found.ino || opened.dev !== found.dev) throw refusal(path, "it was replaced");
  return real;
}

/** `null` if `/proc` is not mounted. */
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

/** First read if the file size is unknown or 0, as in `/proc`. */
const FIRST_BYTES = 64 * 1024;

/**
 * Reads a file from its start up to a limit, independent of its reported size: files in `/proc` have none.
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
 * Reads a text file chosen by the user, such as a configuration: follows links, but does not read or wait for pipes and
 * devices.
 *
 * @throws the file system's error with its `code`; `ELOOP` for anything but a regular file, `EFBIG` above `limit`
 * bytes.
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

/** Whether a path equals a directory or is below it. */
export function isInside(path: string, directory: string): boolean {
  return path === directory || path.startsWith(directory.endsWith(sep) ? directory : directory + sep);
}
