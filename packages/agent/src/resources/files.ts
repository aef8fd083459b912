import { close } from "node:fs";
import { readdir, realpath, stat } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { AppError } from "@sm/core";
import { isInside, openFile, readUpTo } from "@sm/core/files";
import { inBatches } from "./batches.ts";

/** Bounds of one place, far above what people have: a folder of the whole disk may be linked into it. */
const MOST_FILES = 10_000;
const MOST_FOLDERS = 2_000;
const DEEPEST = 16;
/** What is read of a file: front matter, and the first line below it. Themes are read whole, they have some kilobytes. */
const HEAD_BYTES = 64 * 1024;
/** Of a text that is read whole, and of settings and manifests. */
const LARGEST_TEXT = 1024 * 1024;

const closed = promisify(close);

/** How skills lie in a folder: `.md` files in its root count only where the agent's own folders are. */
export type SkillLayout = "with root files" | "folders only";

/** A file as it was come upon, and where it lies behind all links. */
export interface FoundFile {
  path: string;
  real: string;
}

/** What is in a folder and those below it. */
export interface Found {
  files: FoundFile[];
  /** Those that were looked into, with all links followed. */
  folders: string[];
}

/** Where to look: what does not lie in one of the folders `within` when all links are followed is left out. */
export interface Search {
  folder: string;
  /** With all links followed, see {@link realFolders}. */
  within: readonly string[];
}

/**
 * Finds skills: a folder with a `SKILL.md` is one, and nothing below it is looked at. Folders whose names begin with a
 * dot and `node_modules` are left out. Links are followed as far as they lead to what may be looked at, each folder once:
 * those in the root, which its owner has made, within `within`, those below, which may have come with a folder from
 * somebody else, within the folder of the root that they are in.
 */
export async function findSkills(
  { folder: root, within }: Search,
  layout: SkillLayout,
  signal: AbortSignal | undefined,
): Promise<Found> {
  const found: FoundFile[] = [];
  const seen = new Set<string>();
  let level = (await rootOf(root, within)).map((folder): FolderToLookAt => ({ ...folder, within }));
  for (let depth = 0; level.length > 0 && depth <= DEEPEST && found.length < MOST_FILES; depth++) {
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
        if (seen.size + level.length < MOST_FOLDERS) level.push({ ...entry, within });
      }
    }
  }
  return { files: found.slice(0, MOST_FILES), folders: [...seen] };
}

/** Finds the files of a folder whose names end like this, not those below it. */
export async function findFiles({ folder: root, within }: Search, ending: string): Promise<Found> {
  const [folder] = await rootOf(root, within);
  if (folder === undefined) return { files: [], folders: [] };
  const entries = await entriesOf(folder, within);
  return { files: entries.filter(({ name, isFile }) => isFile && name.endsWith(ending)), folders: [folder.real] };
}

/** Follows all links of folders; leaves out those that do not exist. */
export async function realFolders(folders: readonly string[]): Promise<string[]> {
  const real = await Promise.all(folders.map((folder) => realpath(folder).catch(() => null)));
  return real.filter((folder) => folder !== null);
}

function liesWithin(real: string, within: readonly string[]): boolean {
  return within.some((folder) => isInside(real, folder));
}

/** Empty if the folder is missing or unreadable. */
async function rootOf(path: string, within: readonly string[]): Promise<FoundFile[]> {
  const real = await realpath(path).catch(() => null);
  return real === null || !liesWithin(real, within) ? [] : [{ path, real }];
}

interface FolderToLookAt extends FoundFile {
  within: readonly string[];
}

interface Entry extends FoundFile {
  name: string;
  isFile: boolean;
}

/** In the order of their names; none where the folder cannot be read. */
async function entriesOf(folder: FoundFile, within: readonly string[]): Promise<Entry[]> {
  const entries = await readdir(folder.real, { withFileTypes: true }).catch(() => []);
  // Another folder may have taken its place since links were followed.
  if ((await realpath(folder.real).catch(() => null)) !== folder.real) return [];
  const found: Entry[] = [];
  for (const entry of entries.sort((a, b) => (a.name < b.name ? -1 : 1)).slice(0, MOST_FILES)) {
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

/** Reads the beginning of a file. Rejects as Node's file system does, with `ELOOP` where it does not lie where it was. */
export async function readHead(real: string): Promise<string> {
  return (await readAtMost(real, [real], HEAD_BYTES)).toString("utf8");
}

/**
 * Reads a whole file.
 *
 * @throws AppError PAYLOAD_TOO_LARGE, or what {@link readHead} throws.
 */
export async function readText(real: string): Promise<string> {
  const bytes = await readAtMost(real, [real], LARGEST_TEXT + 1);
  if (bytes.length > LARGEST_TEXT) throw new AppError("PAYLOAD_TOO_LARGE", `${real} is larger than 1 MiB.`);
  return bytes.toString("utf8");
}

/**
 * Reads the text of settings or of a manifest; `null` where there is none, for what cannot be one, and for what lies in
 * none of the folders `within` when all links are followed.
 */
export async function readJsonText(path: string, within: readonly string[]): Promise<string | null> {
  try {
    const bytes = await readAtMost(await realpath(path), within, LARGEST_TEXT + 1);
    return bytes.length > LARGEST_TEXT ? null : bytes.toString("utf8");
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
