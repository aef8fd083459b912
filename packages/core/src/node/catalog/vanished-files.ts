import { isInside } from "../files/open-file.ts";
import { type FileStamp, sameStamp } from "../session-file/file-stamp.ts";
import type { FoundFile } from "./found-files.ts";
import type { KnownStamp } from "./known-file.ts";

/** What the vault has of session files that are gone. */
export interface VanishedFiles {
  /** The files that are known to be gone, each as it was when it was kept last. */
  gone(): ReadonlyMap<string, FileStamp>;
  /** Of these paths, those of other files whose bytes it has. */
  stampsOf(paths: readonly string[]): ReadonlyMap<string, FileStamp>;
}

/** Without a vault. */
export const NOTHING_KEPT: VanishedFiles = { gone: () => new Map(), stampsOf: () => new Map() };

export interface FilesToFind {
  /** Known files that a comparison has not found. */
  removed: readonly string[];
  /** All known files that it has not found, also those in directories that could not be read. */
  known: ReadonlyMap<string, KnownStamp>;
  found: readonly FoundFile[];
  /** What was compared, with what is missing. */
  directories: readonly string[];
}

/**
 * Takes files that are gone, but kept, for found ones.
 *
 * @returns `changed`: those whose record has to be read from the vault; `removed`: what is gone indeed.
 */
export function findVanished(
  vanished: VanishedFiles,
  { removed, known, found, directories }: FilesToFind,
): { changed: FoundFile[]; removed: string[] } {
  const isWanted = (path: string) => directories.some((directory) => isInside(path, directory));
  // Files of a directory that is not scanned any more are not gone.
  const wanted = removed.filter(isWanted);
  const gone = vanished.gone();
  const stamps = new Map(vanished.stampsOf(wanted.filter((path) => !gone.has(path))));
  for (const path of wanted) {
    const stamp = gone.get(path);
    if (stamp !== undefined) stamps.set(path, stamp);
  }
  const changed: FoundFile[] = [];
  for (const [path, stamp] of stamps) {
    const before = known.get(path);
    const isRead = before?.fromVault === true && !before.isAway && sameStamp(before, stamp);
    if (!isRead) changed.push({ path, stamp });
  }
  const others = [...gone].filter(([path]) => !known.has(path));
  const foundPaths = new Set(others.length === 0 ? [] : found.map(({ path }) => path));
  for (const [path, stamp] of others) {
    if (!foundPaths.has(path) && isWanted(path)) changed.push({ path, stamp });
  }
  return { changed, removed: removed.filter((path) => !stamps.has(path)) };
}
