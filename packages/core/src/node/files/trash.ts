import { constants, type Stats } from "node:fs";
import { access, link, lstat, open, readlink, realpath, unlink } from "node:fs/promises";
import { basename, dirname, join, resolve } from "node:path";
import { AppError } from "../../errors.ts";
import { changedMeanwhile, errorCode } from "./file-errors.ts";

/**
 * Moves a file to the trash of the desktop (on Linux the one of freedesktop.org, which needs no desktop), or deletes
 * it for good where there is no trash that takes it. Says which. A symbolic link goes itself, not what it names.
 *
 * The trash is told a path, which may lead somewhere else by then. What it has moved is looked at, where it says where
 * that is, and put back where it is another file.
 *
 * @param isAllowed whether the file may be deleted, by where its folder lies when all links are followed.
 * @throws AppError `NOT_FOUND`, `READ_ONLY` when the file system lets the file neither be moved nor deleted,
 *   `UNAVAILABLE` where the package that moves it is not installed: nothing is deleted then; `CONFLICT` where the path
 *   leads to another file than it did; `FORBIDDEN` where that is not allowed.
 */
export async function deleteRecoverably(
  path: string,
  isAllowed: (real: string) => boolean = () => true,
): Promise<"trash" | "permanent"> {
  const file = resolve(path);
  try {
    return await withFolder(file, isAllowed, async (held) => {
      const before = await lstat(held);
      // Asked first: a move that fails half-way leaves its note, or a copy from another disk, in the trash.
      await access(dirname(held), constants.W_OK);
      const moved = await moveToTrash(await loadTrash(), file);
      if (moved !== null) await putBackOther(moved, before, file);
      if (moved !== null && (await isGone(held, before))) return "trash";
      if ((await lstat(held)).ino !== before.ino) throw changedMeanwhile(file);
      await unlink(held);
      return "permanent";
    });
  } catch (error) {
    throw explain(error, file);
  }
}

/**
 * Opens the folder of a file and gives a path to the file that leads through it, whatever takes the folder's place
 * meanwhile; where the system has no such paths, the path as it is.
 */
async function withFolder<Result>(
  file: string,
  isAllowed: (real: string) => boolean,
  use: (held: string) => Promise<Result>,
): Promise<Result> {
  const folder = await open(dirname(file), constants.O_RDONLY | (constants.O_DIRECTORY ?? 0)).catch((error) => {
    // Windows opens no folders, and one that may not be read may be written all the same.
    if (errorCode(error) === "ENOENT") throw error;
    return null;
  });
  try {
    const through = folder === null ? null : `/proc/self/fd/${folder.fd}`;
    const told = through === null || process.platform !== "linux" ? null : await readlink(through).catch(() => null);
    const real = told ?? (await realpath(dirname(file)));
    if (!isAllowed(join(real, basename(file)))) {
      throw new AppError("FORBIDDEN", `${file} was moved, so it is not deleted.`);
    }
    return await use(told === null || through === null ? file : join(through, basename(file)));
  } finally {
    await folder?.close();
  }
}

type Trash = typeof import("trash").default;

/** A file in the trash, with the note that says where it was; the trash of other systems than Linux does not tell. */
interface Moved {
  path: string;
  info: string;
}

const isMoved = (value: unknown): value is Moved => {
  return typeof value === "object" && value !== null && "path" in value && "info" in value;
};

/**
 * Loads the package when it is needed: it has dozens of modules, and most runs delete nothing. It must stay a package of
 * its own in what is published, since it finds its parts by their place, and fails in a bundle. There it is an optional
 * peer dependency.
 */
async function loadTrash(): Promise<Trash> {
  try {
    return (await import("trash")).default;
  } catch (error) {
    const message = "Deleting needs the package trash, which does not load";
    throw new AppError("UNAVAILABLE", `${message}: run \`npm install trash\`.`, { cause: error });
  }
}

/** What the trash says of what it has moved, as far as it does; `null` where it failed. */
async function moveToTrash(trash: Trash, file: string): Promise<Moved[] | null> {
  try {
    const moved: unknown = await trash(file, { glob: false });
    return Array.isArray(moved) ? moved.filter(isMoved) : [];
  } catch {
    return null;
  }
}

/** Takes another file than the one that was to go out of the trash again, to where it was, unless something is there. */
async function putBackOther(moved: Moved[], before: Stats, file: string): Promise<void> {
  for (const { path, info } of moved) {
    const { ino, dev, size, mtimeMs } = await lstat(path);
    // From another disk it is a copy, which has the times of the file.
    const isSame = dev === before.dev ? ino === before.ino : size === before.size && isNear(mtimeMs, before.mtimeMs);
    if (isSame) continue;
    try {
      await link(path, file);
      await unlink(path);
      await unlink(info);
    } catch (error) {
      const message = `${file} was changed while it was deleted: another file of this name is in the trash now, as ${path}.`;
      throw new AppError("CONFLICT", message, { cause: error });
    }
    throw changedMeanwhile(file);
  }
}

/** Copies have times without the last fractions. */
function isNear(a: number, b: number): boolean {
  return Math.abs(a - b) < 2;
}

/** A running agent may have made the file anew since: that one is not the file that was to go. */
async function isGone(file: string, before: Stats): Promise<boolean> {
  try {
    return (await lstat(file)).ino !== before.ino;
  } catch (error) {
    if (errorCode(error) === "ENOENT") return true;
    throw error;
  }
}

function explain(error: unknown, file: string): unknown {
  const code = errorCode(error);
  if (code === "ENOENT") return new AppError("NOT_FOUND", `There is no file ${file}.`, { cause: error });
  if (code === "EROFS" || code === "EACCES" || code === "EPERM") {
    const message = `Could not delete ${file} (${code}); check the permissions of its directory.`;
    return new AppError("READ_ONLY", message, { cause: error });
  }
  return error;
}
