import { constants, type Stats } from "node:fs";
import { access, link, lstat, open, readFile, readlink, realpath, rename, rm, unlink } from "node:fs/promises";
import { basename, dirname, join, resolve } from "node:path";
import { AppError } from "../../errors.ts";
import { changedMeanwhile, errorCode } from "./file-errors.ts";
import { replaceFile } from "./replace-file.ts";

/**
 * Moves a file to the desktop's trash (on Linux that of freedesktop.org, which needs no desktop), or deletes it
 * permanently if no trash is available; returns which. Deletes a symbolic link itself, not its target.
 *
 * The trash receives a path. On Linux it leads through the open folder, which nobody can replace; elsewhere it may lead to
 * another file by then. If the trash reports where the file went, it is checked, and restored if it is another one.
 *
 * @param isAllowed whether the file may be deleted, by the real path of its folder.
 * @throws AppError `NOT_FOUND`; `READ_ONLY` if the file system permits neither; `UNAVAILABLE` if the trash package is
 * not installed (nothing is deleted then); `CONFLICT` if the path leads to another file now; `FORBIDDEN` if that is not
 * allowed.
 */
export async function deleteRecoverably(
  path: string,
  isAllowed: (real: string) => boolean = () => true,
): Promise<"trash" | "permanent"> {
  const file = resolve(path);
  try {
    return await withFolder(file, isAllowed, async (held) => {
      const before = await lstat(held);
      // Checked first: a move that fails half-way leaves an info file, or a copy from another disk, in the trash.
      await access(dirname(held), constants.W_OK);
      const moved = await moveToTrash(await loadTrash(), held, file);
      if (moved !== null) await putBackOther(moved, before, { held, file });
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
 * Deletes a file or folder that belongs to a deleted file, by the same method. Of a symbolic link, the link itself.
 *
 * @throws AppError like {@link deleteRecoverably}; also `UNAVAILABLE` if the trash refuses it, which leaves it there.
 */
export async function deleteAlong(
  path: string,
  method: "trash" | "permanent",
  isAllowed: (real: string) => boolean = () => true,
): Promise<void> {
  const file = resolve(path);
  try {
    await withFolder(file, isAllowed, async (held) => {
      const before = await lstat(held);
      await access(dirname(held), constants.W_OK);
      if (method === "permanent") return rm(held, { recursive: true });
      const moved = await moveToTrash(await loadTrash(), held, file);
      if (moved !== null) await putBackOther(moved, before, { held, file });
      if (moved === null || !(await isGone(held, before))) {
        throw new AppError("UNAVAILABLE", `${file} could not be moved to the trash.`);
      }
    });
  } catch (error) {
    throw explain(error, file);
  }
}

/**
 * Opens the folder of a file and passes on a path through its descriptor, which stays valid if the folder is replaced;
 * if the system lacks such paths, the original one.
 */
async function withFolder<Result>(
  file: string,
  isAllowed: (real: string) => boolean,
  use: (held: string) => Promise<Result>,
): Promise<Result> {
  const folder = await open(dirname(file), constants.O_RDONLY | (constants.O_DIRECTORY ?? 0)).catch((error) => {
    // Windows cannot open folders, and an unreadable folder may be writable.
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

/** A file in the trash, with its info file; only reported on Linux. */
interface Moved {
  path: string;
  info: string;
}

const isMoved = (value: unknown): value is Moved => {
  return typeof value === "object" && value !== null && "path" in value && "info" in value;
};

/**
 * Loaded on demand: it has dozens of modules, and most runs delete nothing. Must not be bundled, because it locates its
 * parts by its path. Published packages have it as an optional peer dependency.
 */
async function loadTrash(): Promise<Trash> {
  try {
    return (await import("trash")).default;
  } catch (error) {
    const message = "Deleting needs the package trash, which does not load";
    throw new AppError("UNAVAILABLE", `${message}: run \`npm install trash\`.`, { cause: error });
  }
}

/**
 * What the trash reports about the move; `null` if it failed.
 *
 * @param held leads to the file, see {@link withFolder}.
 * @param file where the trash says that it was.
 */
async function moveToTrash(trash: Trash, held: string, file: string): Promise<Moved[] | null> {
  try {
    const result: unknown = await trash(held, { glob: false });
    const moved = Array.isArray(result) ? result.filter(isMoved) : [];
    if (held !== file) await Promise.all(moved.map(({ info }) => renameInInfo(info, held, file)));
    return moved;
  } catch {
    return null;
  }
}

/** Of a file in a private folder. */
const INFO_MODE = 0o600;

/** Writes the former path of a file into its info file (trash specification of freedesktop.org, 1.0). */
async function renameInInfo(info: string, held: string, file: string): Promise<void> {
  try {
    const text = await readFile(info, "utf8");
    const renamed = text.replace(`Path=${encodeURI(held)}\n`, () => `Path=${encodeURI(file)}\n`);
    await replaceFile(info, renamed, INFO_MODE);
  } catch {
    // It is in the trash, if under another path than it had.
  }
}

/** Restores a file that was not the intended one, unless its path is in use. */
async function putBackOther(
  moved: Moved[],
  before: Stats,
  { held, file }: { held: string; file: string },
): Promise<void> {
  for (const { path, info } of moved) {
    const stats = await lstat(path);
    const { ino, dev, size, mtimeMs } = stats;
    // A copy from another disk keeps the times of the file.
    const isSame = dev === before.dev ? ino === before.ino : size === before.size && isNear(mtimeMs, before.mtimeMs);
    if (isSame) continue;
    try {
      if (stats.isDirectory()) await rename(path, held);
      else {
        await link(path, held);
        await unlink(path);
      }
      await unlink(info);
    } catch (error) {
      const message = `${file} was changed while it was deleted: another file of this name is in the trash now, as ${path}.`;
      throw new AppError("CONFLICT", message, { cause: error });
    }
    throw changedMeanwhile(file);
  }
}

/** Copies have less precise times. */
function isNear(a: number, b: number): boolean {
  return Math.abs(a - b) < 2;
}

/** A running agent may have created the file again: that is not the deleted one. */
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
