import { close } from "node:fs";
import { readdir, realpath, stat } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { AppError } from "@sm/core";
import { isInside, openFile, readUpTo } from "@sm/core/files";
import { inBatches } from "./batches.ts";

/** Limits per folder, far above normal use: a link may lead to a whole disk. */
const MAX_FILES = 10_000;
const MAX_FOLDERS = 2_000;
const DEEPEST = 16;
/**
 * Bytes read of a file: front matter, and the first line below it. Themes are read completely, they have some
 * kilobytes.
 */
const HEAD_BYTES = 64 * 1024;
/** Limit of files that are read completely, and of settings and manifests. */
const MAX_TEXT_SIZE = 1024 * 1024;

const closed = promisify(close);

/** How skills are organized in a folder: `.md` files in its root count only in the agent's own folders. */
export type SkillLayout = "with root files" | "folders only";

/** A found file, and its real path. */
export interface FoundResourceFile {
  path: string;
  real: string;
}

/** Content of a folder and its subfolders. */
export interface FoundResources {
  files: FoundResourceFile[];
  /** Visited folders, as real paths. */
  folders: string[];
}

/** Where to search; ignores files whose real path is outside of `within`. */
export interface Search {
  folder: string;
  /** Real paths, see {@link realFolders}. */
  within: readonly string[];
}

/**
 * Finds skills: a folder with a `SKILL.md` is a skill and is not searched further. Skips folders that start with a dot,
 * and `node_modules`. Follows links, visiting each folder once: links in the root, created by its owner, may lead
 * anywhere in `within`; links below, which may come from someone else's folder, only within their top-level folder.
 */
export async function findSkills(
  { folder: root, within }: Search,
  layout: SkillLayout,
  signal: AbortSignal | undefined,
): Promise<FoundResources> {
  const found: FoundResourceFile[] = [];
  const seen = new Set<string>();
  let level = (await rootOf(root, within)).map((folder): FolderToLookAt => ({ ...folder, within }));
  for (let depth = 0; level.length > 0 && depth <= DEEPEST && found.length < MAX_FILES; depth++) {
    const looked = await inBatches(
      level,
      async (folder) => ({ folder, entries: await entriesOf(folder, folder.within) }),
      signal,
    );
    level = [];
    for (const { folder, entries } of looked) {
      if (seen.has(folder.real)) continue;
      seen.add(folder.real);
      const skill = entries.find(({ name, isFile }) => isFile && name === "SKILL.md");
      if (skill !== undefined) {
        found.push(skill);
        continue;
      }
      for (const entry of entries) {
        const { name, isFile } = entry;
        if (isFile && depth === 0 && layout === "with root files" && name.endsWith(".md")) found.push(entry);
        if (isFile || name.startsWith(".") || name === "node_modules") continue;
        const within = depth === 0 ? [entry.real] : folder.within;
        if (seen.size + level.length < MAX_FOLDERS) level.push({ ...entry, within });
      }
    }
  }
  return { files: found.slice(0, MAX_FILES), folders: [...seen] };
}

/** Finds the files in a folder, not recursively, whose names end with `ending`. */
export async function findFiles({ folder: root, within }: Search, ending: string): Promise<FoundResources> {
  const [folder] = await rootOf(root, within);
  if (folder === undefined) return { files: [], folders: [] };
  const entries = await entriesOf(folder, within);
  return { files: entries.filter(({ name, isFile }) => isFile && name.endsWith(ending)), folders: [folder.real] };
}

/** Resolves links of folders; omits those that do not exist. */
export async function realFolders(folders: readonly string[]): Promise<string[]> {
  const real = await Promise.all(folders.map((folder) => realpath(folder).catch(() => null)));
  return real.filter((folder) => folder !== null);
}

function liesWithin(real: string, within: readonly string[]): boolean {
  return within.some((folder) => isInside(real, folder));
}

/** Empty if the folder is missing or unreadable. */
async function rootOf(path: string, within: readonly string[]): Promise<FoundResourceFile[]> {
  const real = await realpath(path).catch(() => null);
  return real === null || !liesWithin(real, within) ? [] : [{ path, real }];
}

interface FolderToLookAt extends FoundResourceFile {
  within: readonly string[];
}

interface Entry extends FoundResourceFile {
  name: string;
  isFile: boolean;
}

/** Sorted by name; none if the folder is unreadable. */
async function entriesOf(folder: FoundResourceFile, within: readonly string[]): Promise<Entry[]> {
  const entries = await readdir(folder.real, { withFileTypes: true }).catch(() => []);
  // The folder may have been replaced since links were resolved.
  if ((await realpath(folder.real).catch(() => null)) !== folder.real) return [];
  const found: Entry[] = [];
  for (const entry of entries.sort((a, b) => (a.name < b.name ? -1 : 1)).slice(0, MAX_FILES)) {
    const { name } = entry;
    const path = join(folder.path, name);
    if (entry.isFile() || entry.isDirectory()) {
      found.push({ name, isFile: entry.isFile(), path, real: join(folder.real, name) });
    }
    if (!entry.isSymbolicLink()) continue;
    const real = await realpath(path).catch(() => null);
    if (real === null || !liesWithin(real, within)) continue;
    const target = await stat(real).catch(() => null);
    if (target?.isFile() || target?.isDirectory()) {
      found.push({ name, isFile: target.isFile(), path, real });
    }
  }
  return found;
}

/** Reads the beginning of a file. Rejects like Node's file system, with `ELOOP` if its real path has changed. */
export async function readHead(real: string): Promise<string> {
  return (await readAtMost(real, [real], HEAD_BYTES)).toString("utf8");
}

/**
 * Reads a whole file.
 *
 * @throws AppError PAYLOAD_TOO_LARGE, or the errors of {@link readHead}.
 */
export async function readText(real: string): Promise<string> {
  const bytes = await readAtMost(real, [real], MAX_TEXT_SIZE + 1);
  if (bytes.length > MAX_TEXT_SIZE) throw new AppError("PAYLOAD_TOO_LARGE", `${real} is larger than 1 MiB.`);
  return bytes.toString("utf8");
}

/**
 * Reads settings or a manifest; `null` if it does not exist, is not a suitable file, or its real path is outside of the
 * folders `within`.
 */
export async function readJsonText(path: string, within: readonly string[]): Promise<string | null> {
  try {
    const bytes = await readAtMost(await realpath(path), within, MAX_TEXT_SIZE + 1);
    return bytes.length > MAX_TEXT_SIZE ? null : bytes.toString("utf8");
  } catch {
    return null;
  }
}

async function readAtMost(real: string, within: readonly string[], limit: number): Promise<Buffer> {
  const { descriptor } = await openFile(real, (place) => liesWithin(place, within));
  try {
    return await readUpTo(descriptor, limit);
  } finally {
    await closed(descriptor);
  }
}
