import { randomUUID } from "node:crypto";
import { open, readlink, realpath, rename, rm, stat } from "node:fs/promises";
import { basename, dirname, join, resolve } from "node:path";

/**
 * Gives a file new content at once: whoever reads it, even after a power cut, finds the old text or the new one.
 * The file behind a symbolic link is replaced, not the link. Its mode stays; a new file gets `newMode`.
 *
 * @throws Error of Node's file system; the file is as it was then.
 */
export async function replaceFile(path: string, text: string, newMode: number): Promise<void> {
  const target = await linkTarget(path);
  const directory = dirname(target);
  // In the same directory, since a rename does not work across file systems.
  const temporary = join(directory, `.${basename(target)}.${randomUUID()}`);
  const mode = (await modeOf(target)) ?? newMode;
  try {
    await writeDurably(temporary, text, mode);
    await rename(temporary, target);
  } catch (error) {
    await rm(temporary, { force: true });
    throw error;
  }
  // Windows cannot open a directory.
  if (process.platform !== "win32") await syncDirectory(directory);
}

/** The place that a path leads to, also where nothing is there yet. */
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

async function writeDurably(path: string, text: string, mode: number): Promise<void> {
  const file = await open(path, "wx", 0o600);
  try {
    await file.writeFile(text);
    // Not when opening: the umask would take bits away.
    await file.chmod(mode);
    await file.sync();
  } finally {
    await file.close();
  }
}

async function syncDirectory(path: string): Promise<void> {
  const directory = await open(path, "r");
  try {
    await directory.sync();
  } finally {
    await directory.close();
  }
}
