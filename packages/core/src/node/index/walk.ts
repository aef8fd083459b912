import { lstatSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { errorCode, isAbsence } from "../file-errors.ts";
import { type FileStamp, sameStamp, stampOf } from "../session-file.ts";
import type { FoundFile, WalkResult } from "../threads/tasks.ts";
import type { Catalog } from "./catalog.ts";
import { matchMoves } from "./moves.ts";

/** The agent keeps the sessions of its helpers and copies of transcripts there; they are none of the user's. */
export const IGNORED_DIRECTORIES: ReadonlySet<string> = new Set(["subagent-artifacts", "transcripts", "node_modules"]);

/** Deeper folders are a mistake or a trap. */
const DEEPEST = 12;

/** Whether a directory of this name is looked into, so many levels below one that is scanned. */
export function isScannedDirectory(name: string, depth: number): boolean {
  return depth <= DEEPEST && !IGNORED_DIRECTORIES.has(name);
}

/** Compares directories with what is known, by `stat` alone: no file is opened. */
export function walk(directories: string[], catalog: Catalog | null): WalkResult {
  const found: FoundFile[] = [];
  const problems: WalkResult["problems"] = [];
  for (const directory of directories) collect(directory, 0, found, problems);
  const known = catalog?.stamps() ?? new Map<string, FileStamp>();
  const changed: FoundFile[] = [];
  for (const file of found) {
    const before = known.get(file.path);
    known.delete(file.path);
    if (before === undefined || !sameStamp(before, file.stamp)) changed.push(file);
  }
  const { found: matched, removed } = matchMoves(changed, known);
  matched.sort((a, b) => b.stamp.mtime - a.stamp.mtime);
  return { changed: matched, removed, problems };
}

/** Links are not followed: what lies inside the directories is found anyway, and what lies outside may not be read. */
function collect(directory: string, depth: number, found: FoundFile[], problems: WalkResult["problems"]): void {
  let entries: ReturnType<typeof readEntries>;
  try {
    entries = readEntries(directory);
  } catch (error) {
    const code = errorCode(error);
    if (!isAbsence(code)) problems.push({ path: directory, code });
    return;
  }
  let refusal: string | null = null;
  for (const entry of entries) {
    const path = join(directory, entry.name);
    if (entry.isDirectory()) {
      if (isScannedDirectory(entry.name, depth + 1)) collect(path, depth + 1, found, problems);
    } else if (entry.isFile() && entry.name.endsWith(".jsonl")) {
      try {
        const stat = lstatSync(path, { throwIfNoEntry: false });
        if (stat !== undefined) found.push({ path, stamp: stampOf(stat) });
      } catch (error) {
        // A directory whose names may be read need not be one whose files may be looked at.
        const code = errorCode(error);
        if (!isAbsence(code)) refusal = code;
      }
    }
  }
  if (refusal !== null) problems.push({ path: directory, code: refusal });
}

function readEntries(directory: string) {
  return readdirSync(directory, { withFileTypes: true });
}
