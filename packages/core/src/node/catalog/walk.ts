import type { Dirent } from "node:fs";
import { join, sep } from "node:path";
import { errorCode, isAbsence } from "../files/file-errors.ts";
import { isInside } from "../files/open-file.ts";
import { statPath } from "../files/stat.ts";
import { sameStamp, stampOf } from "../session-file/file-stamp.ts";
import { isSessionFileName } from "../session-file/session-file-name.ts";
import type { Catalog } from "./catalog.ts";
import type { FoundFile, WalkResult } from "./found-files.ts";
import type { KnownStamp } from "./known-file.ts";
import { type Misnamed, readEntries, type Wanted } from "./misnamed-entries.ts";
import { matchMoves } from "./moved-files.ts";
import { withoutCopies } from "./thread-files.ts";
import { findVanished, NOTHING_KEPT, type VanishedFiles } from "./vanished-files.ts";

/**
 * Folders without sessions of the user: pi keeps sessions of its helpers and copies of transcripts in the first two,
 * Claude Code the output of tools in the third.
 */
const IGNORED_DIRECTORIES: ReadonlySet<string> = new Set([
  "subagent-artifacts",
  "transcripts",
  "tool-results",
  "node_modules",
]);
/** Claude Code keeps notes in a folder of each project. At other depths it may be the name of a user's folder. */
const NOTES = { name: "memory", depth: 2 };

/** For so long the sessions of a missing directory are known, with their tags: its disk may come back. */
const KEPT_MS = 24 * 60 * 60 * 1000;

/** Deeper folders are a mistake or a trap. */
const DEEPEST = 12;

/** Whether a directory of this name is looked into, so many levels below one that is scanned. */
export function isScannedDirectory(name: string, depth: number): boolean {
  if (name === NOTES.name && depth === NOTES.depth) return false;
  return depth <= DEEPEST && !IGNORED_DIRECTORIES.has(name);
}

const WANTED: Wanted = { directory: isScannedDirectory, file: isSessionFileName };

/** What is compared; `missing` are directories that do not exist, `now` is in milliseconds since 1970. */
export interface DirectoriesToWalk {
  directories: string[];
  missing: string[];
  now: number;
}

/** What a directory holds. */
interface Contents {
  files: FoundFile[];
  problems: WalkResult["problems"];
  misnamed: Misnamed;
  /** Whether there is anything in it. */
  isHeld: boolean;
}

/** What was seen of directories before that is true for so long, in milliseconds. */
const AHEAD_MS = 1_000;

/** Looks into directories for a comparison that is about to be ordered: a start knows them before it can compare. */
export class LookAhead {
  #seen = new Map<string, Contents>();
  #at = 0;

  look(directories: readonly string[]): void {
    this.#seen = new Map(directories.map((directory) => [directory, contentsOf(directory)]));
    this.#at = performance.now();
  }

  /** Gives what a directory held a moment ago, once; what it holds now where that was not looked at. */
  contentsOf(directory: string): Contents {
    const isRecent = performance.now() - this.#at < AHEAD_MS;
    const seen = isRecent ? this.#seen.get(directory) : undefined;
    this.#seen.delete(directory);
    return seen ?? contentsOf(directory);
  }
}

/**
 * Compares directories with what is known, by `stat` alone: no file is opened. A file that is gone, but kept in the
 * vault, counts as found there.
 */
export function walk(
  { directories, missing, now }: DirectoriesToWalk,
  catalog: Catalog,
  ahead: LookAhead,
  vanished: VanishedFiles = NOTHING_KEPT,
): WalkResult {
  const contents = directories.map((directory) => ({ directory, ...ahead.contentsOf(directory) }));
  const found = withoutCopies(contents.flatMap(({ files }) => files));
  const problems = contents.flatMap((one) => one.problems);
  const misnamed = contents.map((one) => one.misnamed);
  // An empty directory is what is left of a mount point without its disk.
  const gone = [...missing, ...contents.filter(({ isHeld }) => !isHeld).map(({ directory }) => directory)];
  const known = catalog.stamps();
  const changed: FoundFile[] = [];
  const returned: string[] = [];
  for (const file of found) {
    const before = known.get(file.path);
    known.delete(file.path);
    if (before === undefined || !sameStamp(before, file.stamp)) changed.push(file);
    else if (before.isAway) returned.push(file.path);
  }
  for (const path of unlisted(problems, known.keys())) known.delete(path);
  const moves = matchMoves(changed, known);
  const { changed: kept, removed } = findVanished(vanished, {
    removed: moves.removed,
    known,
    found,
    directories: [...directories, ...missing],
  });
  const matched = [...moves.found, ...kept];
  matched.sort((a, b) => b.stamp.mtime - a.stamp.mtime);
  const comparison = keepMissing({ gone, removed, now, since: catalog.missingDirectories() });
  const left = comparison.kept.filter((path) => isListed(known.get(path)));
  catalog.setMissing({ directories: comparison.missing, left, returned });
  return {
    changed: matched,
    removed: comparison.removed,
    left,
    returned,
    missing: [...comparison.missing.keys()],
    expired: comparison.expired,
    problems,
    misnamed: {
      count: misnamed.reduce((sum, { count }) => sum + count, 0),
      example: misnamed.find(({ example }) => example !== null)?.example ?? null,
    },
  };
}

/** Codes of a lack of open files, which says nothing of the directory. */
const NO_FILES_LEFT: ReadonlySet<string> = new Set(["EMFILE", "ENFILE"]);

/** Known files of directories that could not be listed for now: they are not gone. */
function unlisted(problems: WalkResult["problems"], known: Iterable<string>): string[] {
  const directories = problems.filter(({ code }) => NO_FILES_LEFT.has(code)).map(({ path }) => path);
  if (directories.length === 0) return [];
  return [...known].filter((path) => directories.some((directory) => isInside(path, directory)));
}

interface Absence {
  /** Directories that are missing, perhaps without any known file in them. */
  gone: string[];
  /** Known files that are no longer there. */
  removed: string[];
  now: number;
  /** Of directories that were missing before. */
  since: ReadonlyMap<string, number>;
}

/** Tells which files are not there only because a directory is missing, and that not for long. */
function keepMissing({ gone, removed, now, since }: Absence) {
  const missing = new Map<string, number>();
  const kept: string[] = [];
  const expired: string[] = [];
  const lost: string[] = [];
  for (const path of removed) {
    const directory = gone.find((one) => isInside(path, one));
    if (directory === undefined) {
      lost.push(path);
      continue;
    }
    // The clock may have been put back.
    const missingSince = Math.min(since.get(directory) ?? now, now);
    if (now - missingSince < KEPT_MS) {
      missing.set(directory, missingSince);
      kept.push(path);
    } else {
      expired.push(path);
    }
  }
  return { missing, kept, expired, removed: [...lost, ...expired] };
}

function isListed(stamp: KnownStamp | undefined): boolean {
  return stamp?.status === "session" && !stamp.isAway;
}

function contentsOf(directory: string): Contents {
  const contents = { files: [], problems: [], misnamed: { count: 0, example: null } };
  return { ...contents, isHeld: collect(directory, 0, contents) };
}

/**
 * Links are not followed: what lies inside the directories is found anyway, and what lies outside may not be read.
 *
 * @returns whether there is anything in the directory.
 */
function collect(directory: string, depth: number, contents: Omit<Contents, "isHeld">): boolean {
  const { files, problems, misnamed } = contents;
  const misnamedBefore = misnamed.count;
  let entries: Dirent[];
  try {
    entries = readEntries(directory, depth, WANTED, misnamed);
  } catch (error) {
    const code = errorCode(error);
    if (!isAbsence(code)) problems.push({ path: directory, code });
    return false;
  }
  let refusal: string | null = null;
  const prefix = join(directory, sep);
  for (const entry of entries) {
    const path = prefix + entry.name;
    if (entry.isDirectory()) {
      if (WANTED.directory(entry.name, depth + 1)) collect(path, depth + 1, contents);
    } else if (entry.isFile() && WANTED.file(entry.name)) {
      try {
        const stat = statPath(path);
        if (stat !== undefined) files.push({ path, stamp: stampOf(stat) });
      } catch (error) {
        // A directory whose names may be read need not be one whose files may be looked at.
        const code = errorCode(error);
        if (!isAbsence(code)) refusal = code;
      }
    }
  }
  if (refusal !== null) problems.push({ path: directory, code: refusal });
  return entries.length > 0 || misnamed.count > misnamedBefore;
}
