import { close, open, read } from "node:fs";
import { readdir, readFile, realpath, stat } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { inBatches } from "./batches.ts";

/** Bounds of one place, far above what people have: a folder of the whole disk may be linked into it. */
const MOST_FILES = 10_000;
const MOST_FOLDERS = 2_000;
const DEEPEST = 16;
/** What is read of a file: front matter, and the first line below it. Themes are read whole, they have some kilobytes. */
const HEAD_BYTES = 64 * 1024;
/** Of settings and manifests. */
const LARGEST_JSON = 1024 * 1024;

/** How skills lie in a folder: `.md` files in its root count only where the agent's own folders are. */
export type SkillLayout = "with root files" | "folders only";

/** A file as it was come upon, and where it lies behind all links. */
export interface FoundFile {
  path: string;
  real: string;
}

/**
 * Finds skills: a folder with a `SKILL.md` is one, and nothing below it is looked at. Folders whose names begin with a
 * dot and `node_modules` are left out. Links are followed, each folder once.
 */
export async function findSkills(root: string, layout: SkillLayout): Promise<FoundFile[]> {
  const found: FoundFile[] = [];
  const seen = new Set<string>();
  let level = await rootOf(root);
  for (let depth = 0; level.length > 0 && depth <= DEEPEST && found.length < MOST_FILES; depth++) {
    const looked = await inBatches(level, async (folder) => ({ folder, entries: await entriesOf(folder) }));
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
        if (seen.size + level.length < MOST_FOLDERS) level.push(entry);
      }
    }
  }
  return found.slice(0, MOST_FILES);
}

/** Finds the files of a folder whose names end like this, not those below it. */
export async function findFiles(root: string, ending: string): Promise<FoundFile[]> {
  const [folder] = await rootOf(root);
  const entries = folder === undefined ? [] : await entriesOf(folder);
  return entries.filter(({ name, isFile }) => isFile && name.endsWith(ending));
}

/** None where there is no such folder. */
async function rootOf(path: string): Promise<FoundFile[]> {
  const real = await realpath(path).catch(() => null);
  return real === null ? [] : [{ path, real }];
}

interface Entry extends FoundFile {
  name: string;
  isFile: boolean;
}

/** In the order of their names; none where the folder cannot be read. */
async function entriesOf(folder: FoundFile): Promise<Entry[]> {
  const entries = await readdir(folder.path, { withFileTypes: true }).catch(() => []);
  const found: Entry[] = [];
  for (const entry of entries.sort((a, b) => (a.name < b.name ? -1 : 1)).slice(0, MOST_FILES)) {
    const { name } = entry;
    const path = join(folder.path, name);
    if (entry.isFile() || entry.isDirectory()) {
      found.push({ name, isFile: entry.isFile(), path, real: join(folder.real, name) });
    }
    if (!entry.isSymbolicLink()) continue;
    const real = await realpath(path).catch(() => null);
    const target = real === null ? null : await stat(real).catch(() => null);
    if (real !== null && (target?.isFile() || target?.isDirectory())) {
      found.push({ name, isFile: target.isFile(), path, real });
    }
  }
  return found;
}

const opened = promisify(open);
const reading = promisify(read);
const closed = promisify(close);

/** Reads the beginning of a file. Rejects as Node's file system does. */
export async function readHead(path: string): Promise<string> {
  // Half the time of a listing of skills went into file handles.
  const file = await opened(path, "r");
  try {
    const { bytesRead, buffer } = await reading(file, Buffer.allocUnsafe(HEAD_BYTES), 0, HEAD_BYTES, 0);
    return buffer.subarray(0, bytesRead).toString("utf8");
  } finally {
    await closed(file);
  }
}

/** Reads the text of settings or of a manifest; `null` where there is none, and for what cannot be one. */
export async function readJsonText(path: string): Promise<string | null> {
  try {
    const file = await stat(path);
    // Opening a pipe would wait for somebody to write.
    return file.isFile() && file.size <= LARGEST_JSON ? await readFile(path, "utf8") : null;
  } catch {
    return null;
  }
}
