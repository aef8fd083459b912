import { readdirSync } from "node:fs";
import { join } from "node:path";
import type { Agent } from "../../format/agent.ts";
import { formats } from "../../format/formats.ts";
import { isInside } from "../files/open-file.ts";
import { statPath } from "../files/stat.ts";
import { type FileStamp, stampOf } from "../session-file/file-stamp.ts";
import { isSessionFileName } from "../session-file/session-file-name.ts";

/** A file that belongs to a session. */
export interface CompanionFile {
  path: string;
  stamp: FileStamp;
}

/** Deeper folders, and more files, are no work of an agent. */
const DEEPEST = 12;
const MOST_FILES = 10_000;

/**
 * Finds the files that belong to the session at a path, without those that are sessions themselves. Symbolic links are
 * not followed, and what cannot be read is left out.
 */
export function companionFiles(agent: Pick<Agent, "companions">, path: string): CompanionFile[] {
  const found: CompanionFile[] = [];
  for (const companion of agent.companions(path)) collect(companion, 0, found);
  return found;
}

/** Whether the file at a path is among those that belong to a session; of an unknown format, none is. */
export function isCompanion(path: string, session: { path: string; format: string | null }): boolean {
  const agent = formats.find(({ name }) => name === session.format)?.agent;
  return agent?.companions(session.path).some((folder) => isInside(path, folder)) === true;
}

function collect(path: string, depth: number, found: CompanionFile[]): void {
  if (depth > DEEPEST || found.length >= MOST_FILES) return;
  try {
    const stat = statPath(path);
    if (stat?.isFile() === true && !isSessionFileName(path)) found.push({ path, stamp: stampOf(stat) });
    if (stat?.isDirectory() !== true) return;
    for (const name of readdirSync(path)) collect(join(path, name), depth + 1, found);
  } catch {
    // Refused, or gone meanwhile.
  }
}
