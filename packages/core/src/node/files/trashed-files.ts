import { constants, type Stats } from "node:fs";
import { copyFile, cp, link, lstat, readdir, rename, rm, unlink } from "node:fs/promises";
import { homedir } from "node:os";
import { dirname, isAbsolute, join, resolve } from "node:path";
import { AppError } from "../../errors.ts";
import { errorCode } from "./file-errors.ts";
import { readWholeFile } from "./open-file.ts";

/** A file or folder in the trash, and where it was. */
export interface TrashedFile {
  /** Where it was. */
  path: string;
  /** In milliseconds since 1970. */
  deletedAt: number;
  /** Where it is. */
  file: string;
  /** The note of the trash on it. */
  info: string;
}

/** More are not looked through; a note that is larger is none. */
const MOST_NOTES = 10_000;
const MAX_NOTE_BYTES = 16 * 1024;
const NOTE = ".trashinfo";
/** Paths in the trash of the home are absolute. */
const HOME_ROOT = "";

/** Whether the trash of this platform says where its files were. Those of macOS and Windows keep that to themselves. */
export function isTrashReadable(platform: NodeJS.Platform = process.platform): boolean {
  return platform !== "darwin" && platform !== "win32";
}

/**
 * Lists what the trash of freedesktop.org has, in the order of its names: that of the home, and those of the disks of
 * some directories. What cannot be read is left out.
 */
export async function trashedFiles(directories: readonly string[]): Promise<TrashedFile[]> {
  if (!isTrashReadable()) return [];
  const found: TrashedFile[] = [];
  for (const [trash, root] of trashesOf(directories)) {
    if (!(await isOwn(trash, root))) continue;
    const names = await readdir(join(trash, "info")).catch(() => []);
    for (const name of names.slice(0, MOST_NOTES)) {
      if (!name.endsWith(NOTE)) continue;
      const info = join(trash, "info", name);
      const note = await readWholeFile(info, MAX_NOTE_BYTES).then(String, () => "");
      const { path, deletedAt } = readNote(note, root);
      const file = join(trash, "files", name.slice(0, -NOTE.length));
      if (path !== null) found.push({ path, deletedAt, file, info });
    }
  }
  return found;
}

/** Each with the directory that relative paths in it begin at. */
function trashesOf(directories: readonly string[]): Map<string, string> {
  const data = process.env.XDG_DATA_HOME || join(homedir(), ".local", "share");
  const trashes = new Map([[join(data, "Trash"), HOME_ROOT]]);
  const user = process.getuid?.() ?? 0;
  for (const directory of directories) {
    for (let disk = resolve(directory); ; disk = dirname(disk)) {
      trashes.set(join(disk, `.Trash-${user}`), disk);
      trashes.set(join(disk, ".Trash", `${user}`), disk);
      if (disk === dirname(disk)) break;
    }
  }
  return trashes;
}

/** Whoever may write above a directory could put their own trash there, with what they like in it. */
async function isOwn(trash: string, root: string): Promise<boolean> {
  if (root === HOME_ROOT) return true;
  const stat = await lstat(trash).catch(() => null);
  return stat?.isDirectory() === true && stat.uid === process.getuid?.();
}

function readNote(text: string, root: string): Pick<TrashedFile, "deletedAt"> & { path: string | null } {
  const fieldOf = (key: string) => new RegExp(`^${key}=(.*)$`, "m").exec(text)?.[1]?.trim() ?? "";
  const deletedAt = Date.parse(fieldOf("DeletionDate"));
  let path: string | null = null;
  try {
    const decoded = decodeURIComponent(fieldOf("Path"));
    if (decoded !== "" && !decoded.includes("\0"))
      path = isAbsolute(decoded) ? resolve(decoded) : resolve(root || "/", decoded);
  } catch {
    // Encoded by nobody.
  }
  return { path, deletedAt: Number.isNaN(deletedAt) ? 0 : deletedAt };
}

/**
 * Moves a file or folder from the trash back to its place, never over another one.
 *
 * @throws AppError `CONFLICT` if something is there; `NOT_FOUND` if the trash does not have it any more.
 */
export async function putBack({ path, file, info }: TrashedFile): Promise<void> {
  try {
    const trashed = await lstat(file);
    if (trashed.isDirectory()) await putFolderBack(file, path);
    else await putFileBack(file, path, trashed);
  } catch (error) {
    const code = errorCode(error);
    if (code === "EEXIST" || code === "ENOTEMPTY" || code === "ERR_FS_CP_EEXIST") {
      throw new AppError("CONFLICT", `There is something at ${path} already.`, { cause: error });
    }
    if (code === "ENOENT")
      throw new AppError("NOT_FOUND", `The trash does not have ${path} any more.`, { cause: error });
    throw error;
  }
  await unlink(info).catch(() => undefined);
}

async function putFileBack(file: string, path: string, trashed: Stats): Promise<void> {
  if (!trashed.isFile()) throw new AppError("FORBIDDEN", `${path} in the trash is not a regular file.`);
  try {
    await link(file, path);
  } catch (error) {
    // Another disk, or one without links.
    if (!["EXDEV", "EPERM", "ENOTSUP"].includes(errorCode(error))) throw error;
    await copyFile(file, path, constants.COPYFILE_EXCL);
  }
  await unlink(file);
}

async function putFolderBack(file: string, path: string): Promise<void> {
  const isThere = await lstat(path).then(
    () => true,
    () => false,
  );
  if (isThere) throw Object.assign(new Error(), { code: "EEXIST" });
  try {
    await rename(file, path);
  } catch (error) {
    if (errorCode(error) !== "EXDEV") throw error;
    await cp(file, path, { recursive: true, force: false, errorOnExist: true, preserveTimestamps: true });
    await rm(file, { recursive: true });
  }
}
