import type { Stats } from "node:fs";
import { lstat, readdir } from "node:fs/promises";
import { join } from "node:path";
import type { Agent } from "../../format/agent.ts";

/** A file or folder that belongs to a session. */
export interface Companion {
  path: string;
  /** Number of files in it. */
  files: number;
  /** Their size. */
  bytes: number;
  /** Paths of session files among them. */
  sessions: string[];
}

/** Deeper folders, and more files, are no work of an agent. */
const DEEPEST = 12;
const MOST_FILES = 100_000;

/** Finds what belongs to the session at a path. Symbolic links count as files: they are not followed. */
export async function companionsOf(agent: Pick<Agent, "companions">, path: string): Promise<Companion[]> {
  const found: Companion[] = [];
  for (const companionPath of agent.companions(path)) {
    const stats = await lstat(companionPath).catch(() => null);
    if (stats === null) continue;
    const companion = { path: companionPath, files: 0, bytes: 0, sessions: [] };
    await collect(companionPath, stats, 1, companion);
    found.push(companion);
  }
  return found;
}

async function collect(path: string, entry: Stats, depth: number, found: Companion): Promise<void> {
  if (!entry.isDirectory()) {
    found.files++;
    found.bytes += entry.size;
    if (entry.isFile() && /\.jsonl(?:\.zst)?$/.test(path)) found.sessions.push(path);
    return;
  }
  if (depth > DEEPEST) return;
  for (const name of await readdir(path).catch(() => [])) {
    if (found.files >= MOST_FILES) return;
    const child = join(path, name);
    const stats = await lstat(child).catch(() => null);
    if (stats !== null) await collect(child, stats, depth + 1, found);
  }
}
