import { readlink, realpath } from "node:fs/promises";
import { basename, dirname, isAbsolute, join, relative, resolve, sep } from "node:path";
import { AppError } from "@sm/core";
import { fileError } from "@sm/core/node";

/**
 * Finds the file that a path of a payload leads to, which may not exist yet.
 *
 * Rejects with AppError `INVALID_PAYLOAD` for a path that is not absolute or not of a `.json` file, `FORBIDDEN` for one
 * that leads into the agent's home and is not `own`, where the agent keeps its secrets, `NOT_FOUND` without its folder.
 */
export async function checkedPath(path: string, agentHome: string, own: string): Promise<string> {
  if (!isAbsolute(path)) throw invalidPath("Must be an absolute path.");
  if (!path.toLowerCase().endsWith(".json")) throw invalidPath("Must be the path of a .json file.");
  const target = await leadingTo(resolve(path));
  const [home, allowed] = await Promise.all([leadingTo(agentHome), leadingTo(own)]);
  if (target !== allowed && isInside(target, home)) {
    throw new AppError("FORBIDDEN", `${path} belongs to the agent; choose a file outside of ${agentHome}.`);
  }
  return target;
}

/** The path behind all symbolic links, as far as there is something. */
async function leadingTo(path: string): Promise<string> {
  try {
    return await realpath(path);
  } catch (error) {
    const known = fileError(error, "read", path);
    if (known === null || known.code === "FORBIDDEN") throw known ?? error;
    const folder = dirname(path);
    if (folder === path) return path;
    // A link to what is not there yet is followed when it is written.
    const link = await readlink(path).catch(() => null);
    return link === null ? join(await leadingTo(folder), basename(path)) : leadingTo(resolve(folder, link));
  }
}

function isInside(path: string, folder: string): boolean {
  const way = relative(folder, path);
  return way === "" || (way !== ".." && !way.startsWith(`..${sep}`) && !isAbsolute(way));
}

function invalidPath(message: string): AppError {
  return new AppError("INVALID_PAYLOAD", `The payload is not valid in "path": ${message}`, {
    details: [{ path: "path", message }],
  });
}
