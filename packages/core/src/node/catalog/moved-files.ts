import type { FileStamp } from "../session-file/file-stamp.ts";
import type { FoundFile } from "./found-files.ts";

/**
 * Finds files that were only moved: what appeared has the inode, size and time of change of what is gone.
 *
 * @param gone known files that are no longer at their path.
 * @returns all files that were found, with `movedFrom` where that is known, and what is gone and was not moved.
 */
export function matchMoves(
  found: FoundFile[],
  gone: ReadonlyMap<string, FileStamp>,
): { found: FoundFile[]; removed: string[] } {
  if (gone.size === 0) return { found, removed: [] };
  const left = new Map([...gone].map(([path, stamp]) => [identityOf(stamp), path]));
  const removed = new Set(gone.keys());
  const matched = found.map((file) => {
    const identity = identityOf(file.stamp);
    const movedFrom = left.get(identity);
    if (movedFrom === undefined) return file;
    left.delete(identity);
    removed.delete(movedFrom);
    return { ...file, movedFrom };
  });
  return { found: matched, removed: [...removed] };
}

/** What a move leaves as it is; the time of the last change of the inode is not among it. */
function identityOf({ inode, size, mtime }: FileStamp): string {
  return `${inode} ${size} ${mtime}`;
}
