import { readlink, realpath } from "node:fs/promises";
import { basename, dirname, isAbsolute, join, resolve } from "node:path";
import { AppError } from "@sm/core";
import { fileError, isInside } from "@sm/core/files";
import { isSecretFile } from "../secret-files.ts";

/** Directories whose files are neither imported nor overwritten. */
export interface OwnPlaces {
  /** The agent's home. */
  agentHome: string;
  /** Homes of other agents; default: none. */
  otherHomes?(): string[];
  /** Directory of the service's state, index and backups. */
  dataDir: string;
  /** The service's configuration file; other programs may share its folder, so subfolders are not protected. */
  configPath: string;
}

/**
 * Resolves the path of an import or export, which may not exist yet.
 *
 * Rejects with AppError `INVALID_PAYLOAD` if it is not an absolute path of a `.json` file, `FORBIDDEN` if it leads to a
 * file of the agent or the service other than `own`, or to a file of secrets, and `NOT_FOUND` if its folder does not
 * exist.
 */
export async function checkedPath(path: string, places: OwnPlaces, own: string): Promise<string> {
  if (!isAbsolute(path)) throw invalidPath("Must be an absolute path.");
  if (!path.toLowerCase().endsWith(".json")) throw invalidPath("Must be the path of a .json file.");
  const target = await leadingTo(resolve(path));
  const { agentHome, dataDir, configPath, otherHomes = () => [] } = places;
  const [allowed, home, data, config] = await Promise.all([own, agentHome, dataDir, configPath].map(leadingTo));
  if (target === allowed) return target;
  if (isInside(target, home as string)) {
    throw new AppError("FORBIDDEN", `${path} belongs to the agent; choose a file outside of ${agentHome}.`);
  }
  for (const other of otherHomes()) {
    if (!isInside(target, await leadingTo(other))) continue;
    throw new AppError("FORBIDDEN", `${path} belongs to another agent; choose a file outside of ${other}.`);
  }
  if (isInside(target, data as string)) {
    throw new AppError("FORBIDDEN", `${path} belongs to the service; choose a file outside of ${dataDir}.`);
  }
  const inConfigFolder = [dirname(config as string), await leadingTo(dirname(configPath))].includes(dirname(target));
  if (inConfigFolder) {
    throw new AppError("FORBIDDEN", `${path} holds the configuration of the service; choose another folder.`);
  }
  if (isSecretFile(target)) throw new AppError("FORBIDDEN", `${path} holds secrets of the agent; choose another file.`);
  return target;
}

/** The path with all existing links resolved. */
async function leadingTo(path: string): Promise<string> {
  try {
    return await realpath(path);
  } catch (error) {
    const known = fileError(error, "read", path);
    if (known === null || known.code === "FORBIDDEN") throw known ?? error;
    const folder = dirname(path);
    if (folder === path) return path;
    // A dangling link is followed when it is written.
    const link = await readlink(path).catch(() => null);
    return link === null ? join(await leadingTo(folder), basename(path)) : leadingTo(resolve(folder, link));
  }
}

function invalidPath(message: string): AppError {
  return new AppError("INVALID_PAYLOAD", `The payload is not valid in "path": ${message}`, {
    details: [{ path: "path", message }],
  });
}
