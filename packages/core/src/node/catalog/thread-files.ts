import { basename } from "node:path";
import { isPacked, isThreadFile, unpackedPath } from "../session-file/session-file-name.ts";
import type { FoundFile } from "./found-files.ts";

/** Where threads lie that the user has put away. */
const ARCHIVED = /[\\/]archived_sessions[\\/][^\\/]+$/;

/**
 * Leaves out the files of a thread that do not count: for a moment, a thread has its compressed file beside the plain
 * one, which counts, and one that was put away may be among the active ones again, which count.
 */
export function withoutCopies(files: FoundFile[]): FoundFile[] {
  const threads = new Map<string, FoundFile>();
  const left = new Set<FoundFile>();
  for (const file of files) {
    const name = basename(file.path);
    if (!isThreadFile(name)) continue;
    const thread = unpackedPath(name);
    const other = threads.get(thread);
    if (other === undefined) {
      threads.set(thread, file);
      continue;
    }
    const counts = rank(file) < rank(other);
    threads.set(thread, counts ? file : other);
    left.add(counts ? other : file);
  }
  return left.size === 0 ? files : files.filter((file) => !left.has(file));
}

/** The lowest one counts. */
function rank({ path }: FoundFile): number {
  return (ARCHIVED.test(path) ? 2 : 0) + (isPacked(path) ? 1 : 0);
}
