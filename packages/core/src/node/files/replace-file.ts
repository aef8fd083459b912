import { randomUUID } from "node:crypto";
import { closeSync, fsyncSync, openSync, renameSync, rmSync } from "node:fs";
import { open, readlink, realpath, rm, stat } from "node:fs/promises";
import { basename, dirname, join, resolve } from "node:path";

/** New content, on disk beside its file. */
export interface PreparedFile {
  /** Replaces the file atomically and durably. */
  put(): void;
  /** Removes the new content; does nothing after `put`. */
  discard(): Promise<void>;
}

/**
 * Replaces the content of a file atomically and durably: readers find the old or the new text, also after a power
 * failure. Replaces the target of a symbolic link, not the link. Keeps the file's mode; a new file gets `newMode`.
 *
 * @throws Error of Node's file system; the file is unchanged then.
 */
export async function replaceFile(path: string, content: string | Uint8Array, newMode: number): Promise<void> {
  const prepared = await prepareFile(path, content, newMode);
  try {
    prepared.put();
  } catch (error) {
    await prepared.discard();
    throw error;
  }
}

/** Does everything of {@link replaceFile} except the replacement; content `null` means removal. */
export async function prepareFile(
  path: string,
  content: string | Uint8Array | null,
  newMode: number,
): Promise<PreparedFile> {
  const target = await linkTarget(path);
  const directory = dirname(target);
  if (content === null) {
    return { put: () => inDirectory(directory, () => rmSync(target, { force: true })), discard: async () => undefined };
  }
  // In the same directory, because a rename does not work across file systems.
  const temporary = join(directory, `.${basename(target)}.${randomUUID()}`);
  const mode = (await modeOf(target)) ?? newMode;
  const discard = () => rm(temporary, { force: true });
  try {
    await writeDurably(temporary, content, mode);
  } catch (error) {
    await discard();
    throw error;
  }
  return { put: () => inDirectory(directory, () => renameSync(temporary, target)), discard };
}

/** Changes a directory's entries and syncs it. */
function inDirectory(path: string, change: () => void): void {
  // Windows cannot open a directory.
  const directory = process.platform === "win32" ? null : openSync(path, "r");
  try {
    change();
    if (directory !== null) fsyncSync(directory);
  } finally {
    if (directory !== null) closeSync(directory);
  }
}

/** The target of a path, which need not exist. */
async function linkTarget(path: string): Promise<string> {
  try {
    return await realpath(path);
  } catch (error) {
    if (!isMissing(error)) throw error;
    const link = await readlink(path).catch(() => null);
    return link === null ? path : linkTarget(resolve(await realpath(dirname(path)), link));
  }
}

async function modeOf(path: string): Promise<number | null> {
  try {
    return (await stat(path)).mode & 0o777;
  } catch (error) {
    if (isMissing(error)) return null;
    throw error;
  }
}

function isMissing(error: unknown): boolean {
  return (error as NodeJS.ErrnoException).code === "ENOENT";
}

async function writeDurably(path: string, content: string | Uint8Array, mode: number): Promise<void> {
  const file = await open(path, "wx", 0o600);
  try {
    await file.writeFile(content);
    // Not when opening, because the umask would remove bits.
    await file.chmod(mode);
    await file.sync();
  } finally {
    await file.close();
  }
}
