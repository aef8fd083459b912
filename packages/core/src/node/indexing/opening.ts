import type { LibraryLog } from "../../library-log.ts";
import { prepareIndex, removeIndex } from "../catalog/index-databases.ts";
import type { IndexPlace } from "../storage/index-place.ts";
import { isCorrupt, isUnwritable } from "../storage/sqlite.ts";
import type { IndexParts } from "./index-parts.ts";

export interface OpeningOptions {
  directory: string;
  /** Used where `directory` cannot be written. */
  fallbackDirectory: string;
  cores: number;
  log: LibraryLog;
  open(place: IndexPlace): IndexParts;
}

/** The index that answers. */
export interface Opened {
  /** `null` where no index can be written. */
  parts: IndexParts | null;
  /** Whether it is of an older content version. */
  isOutdated: boolean;
  /** Whether it is in the temporary folder. */
  isTemporary: boolean;
  /** Why it is not in its own folder, for people. */
  problem: string | null;
}

/** Opens the index of a directory; one that is damaged or missing is built anew, if need be in a temporary folder. */
export function openAnswering(options: OpeningOptions): Opened {
  const { directory, fallbackDirectory, log } = options;
  let problem: string;
  try {
    return { ...openOrRebuild(directory, options), isTemporary: false, problem: null };
  } catch (error) {
    if (!isUnwritable(error)) throw error;
    problem = `Could not write the index in ${directory} (${error.message}); free some space or change --data-dir.`;
    log.error({ err: error, directory }, "Could not write the index; using a temporary one");
  }
  try {
    return { ...openOrRebuild(fallbackDirectory, options), isTemporary: true, problem };
  } catch (error) {
    log.error(
      { err: error, directory: fallbackDirectory },
      "Could not create an index: lists and searches are not available",
    );
    return { parts: null, isOutdated: false, isTemporary: true, problem };
  }
}

function openOrRebuild(directory: string, { cores, log, open }: OpeningOptions) {
  const { place, rebuilt, isOutdated } = prepareIndex(directory, cores);
  if (rebuilt !== null) log.warn({ directory, reason: rebuilt }, "Rebuilding the index from the session files");
  try {
    return { parts: open(place), isOutdated };
  } catch (error) {
    if (!isCorrupt(error)) throw error;
    log.warn({ err: error, directory: place.directory }, "The index is damaged and is being rebuilt");
    removeIndex(place.directory);
    const next = prepareIndex(directory, cores);
    return { parts: open(next.place), isOutdated: next.isOutdated };
  }
}
