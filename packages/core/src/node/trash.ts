import { constants, type Stats } from "node:fs";
import { access, lstat, unlink } from "node:fs/promises";
import { dirname, resolve } from "node:path";
import { AppError } from "../errors.ts";
import { errorCode } from "./file-errors.ts";

/**
 * Moves a file to the trash of the desktop (on Linux the one of freedesktop.org, which needs no desktop), or deletes
 * it for good where there is no trash that takes it. Says which. A symbolic link goes itself, not what it names.
 *
 * @throws AppError `NOT_FOUND`, `READ_ONLY` when the file system lets the file neither be moved nor deleted, or
 *   `UNAVAILABLE` where the package that moves it is not installed: nothing is deleted then.
 */
export async function deleteRecoverably(path: string): Promise<"trash" | "permanent"> {
  const file = resolve(path);
  try {
    const before = await lstat(file);
    // Asked first: a move that fails half-way leaves its note, or a copy from another disk, in the trash.
    await access(dirname(file), constants.W_OK);
    if ((await moveToTrash(await loadTrash(), file)) && (await isGone(file, before))) return "trash";
    await unlink(file);
    return "permanent";
  } catch (error) {
    throw explain(error, file);
  }
}

type Trash = typeof import("trash").default;

/**
 * Loads the package when it is needed: it has dozens of modules, and most runs delete nothing. It must stay a package of
 * its own in what is published, since it finds its parts by their place, and fails in a bundle. There it is an optional
 * peer dependency.
 */
async function loadTrash(): Promise<Trash> {
  try {
    return (await import("trash")).default;
  } catch (error) {
    const message = "Sessions are deleted to the trash, with the package trash, which does not load";
    throw new AppError("UNAVAILABLE", `${message}: run \`npm install trash\`.`, { cause: error });
  }
}

async function moveToTrash(trash: Trash, file: string): Promise<boolean> {
  try {
    await trash(file, { glob: false });
    return true;
  } catch {
    return false;
  }
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
    const message = `The file system does not let ${file} be deleted (${code}); look at the permissions of its directory.`;
    return new AppError("READ_ONLY", message, { cause: error });
  }
  return error;
}
