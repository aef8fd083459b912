import type { Dirent } from "node:fs";
import { opendir } from "node:fs/promises";
import { join } from "node:path";
import type { ProjectFiles } from "@sm/core";

/** What nobody names in a prompt. */
const LEFT_OUT: ReadonlySet<string> = new Set([".git", ".hg", ".svn", "node_modules", "__pycache__", ".venv"]);
const MAX_FOUND = 50;
/** Found files that are held before the best of them are picked out: a path may have 4,096 bytes. */
const MAX_HELD = 1_000;

/** How much of a folder is looked at; in one with more the answer is not complete. */
const LIMITS = { entries: 50_000, milliseconds: 2_000 };

interface Found {
  path: string;
  rank: number;
}

/**
 * Finds the files of a folder whose path has a text, whatever its case: those first whose name begins with it, then
 * those whose name has it, the shorter path first. Links are not followed, so nothing outside of the folder is found.
 */
export async function findProjectFiles(folder: string, text: string, limits = LIMITS): Promise<ProjectFiles> {
  const wanted = text.toLowerCase();
  const end = performance.now() + limits.milliseconds;
  let found: Found[] = [];
  let looked = 0;
  const answer = (is_complete: boolean) => ({ files: best(found).map(({ path }) => path), is_complete });
  // Level by level, so that what is near is found first; the list grows meanwhile.
  const folders = [""];
  for (const below of folders) {
    for await (const entry of entriesOf(join(folder, below))) {
      looked += 1;
      if (looked > limits.entries || performance.now() > end) return answer(false);
      const path = below === "" ? entry.name : `${below}/${entry.name}`;
      if (entry.isDirectory()) {
        if (!LEFT_OUT.has(entry.name)) folders.push(path);
      } else if (entry.isFile()) {
        const rank = rankOf(path, entry.name, wanted);
        if (rank !== null) found.push({ path, rank });
        if (found.length > MAX_HELD) found = best(found);
      }
    }
  }
  return answer(true);
}

/** What cannot be read, or not to its end, has nothing to name. */
async function* entriesOf(folder: string): AsyncGenerator<Dirent> {
  try {
    yield* await opendir(folder);
  } catch {
    // Gone, refused, or on a disk that fails.
  }
}

function rankOf(path: string, name: string, wanted: string): number | null {
  if (name.toLowerCase().startsWith(wanted)) return 0;
  if (name.toLowerCase().includes(wanted)) return 1;
  return path.toLowerCase().includes(wanted) ? 2 : null;
}

function best(found: Found[]): Found[] {
  return found
    .sort((a, b) => a.rank - b.rank || a.path.length - b.path.length || (a.path < b.path ? -1 : 1))
    .slice(0, MAX_FOUND);
}
