import { opendir } from "node:fs/promises";
import { join } from "node:path";
import type { ProjectFiles } from "@sm/core";

/** What nobody names in a prompt. */
const LEFT_OUT: ReadonlySet<string> = new Set([".git", ".hg", ".svn", "node_modules", "__pycache__", ".venv"]);
const MAX_FOUND = 50;

/**
 * Finds the files of a folder whose path has a text, whatever its case: those first whose name begins with it, then
 * those whose name has it, the shorter path first. Links are not followed, so nothing outside of the folder is found.
 *
 * @param most entries that are looked at; in a folder with more the answer is not complete.
 */
export async function findProjectFiles(folder: string, text: string, most = 50_000): Promise<ProjectFiles> {
  const wanted = text.toLowerCase();
  const found: { path: string; rank: number }[] = [];
  let looked = 0;
  // Level by level, so that what is near is found first.
  const waiting = [""];
  for (let below = waiting.shift(); below !== undefined; below = waiting.shift()) {
    // What cannot be read has nothing to name.
    const entries = await opendir(join(folder, below)).catch(() => null);
    if (entries === null) continue;
    for await (const entry of entries) {
      looked += 1;
      if (looked > most) return { files: best(found), is_complete: false };
      const path = below === "" ? entry.name : `${below}/${entry.name}`;
      if (entry.isDirectory()) {
        if (!LEFT_OUT.has(entry.name)) waiting.push(path);
      } else if (entry.isFile()) {
        const rank = rankOf(path, entry.name, wanted);
        if (rank !== null) found.push({ path, rank });
      }
    }
  }
  return { files: best(found), is_complete: true };
}

function rankOf(path: string, name: string, wanted: string): number | null {
  if (name.toLowerCase().startsWith(wanted)) return 0;
  if (name.toLowerCase().includes(wanted)) return 1;
  return path.toLowerCase().includes(wanted) ? 2 : null;
}

function best(found: { path: string; rank: number }[]): string[] {
  return found
    .sort((a, b) => a.rank - b.rank || a.path.length - b.path.length || (a.path < b.path ? -1 : 1))
    .slice(0, MAX_FOUND)
    .map(({ path }) => path);
}
