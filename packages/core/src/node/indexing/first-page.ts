import type { Catalog } from "../catalog/catalog.ts";
import type { FoundFile, WalkResult } from "../catalog/found-files.ts";
import type { ScannedFile } from "./indexing-tasks.ts";
import { scanFiles } from "./scanner.ts";

/** Files of a first page, and how large those are together that are read at once: some 0.2 seconds of a start. */
const FIRST_FILES = 50;
const FIRST_BYTES = 16 * 1024 * 1024;
/** A file that takes longer than the rest of a first page. */
export const LARGE_BYTES = 2 * 1024 * 1024;

/**
 * Reads the records of the newest files that a comparison has found, for which somebody is waiting: in one go, and without
 * a word to the main thread in between, which is busy in a start.
 *
 * @param shards text databases, of which each new session gets the one with the fewest bytes.
 * @param isReading `false` to leave all files to others.
 * @returns the others in the order in which they are to be read.
 */
export function readFirstPage(
  found: WalkResult,
  catalog: Catalog,
  shards: number,
  isReading: boolean,
): WalkResult & { read: ScannedFile[] } {
  const small = found.changed.filter((file) => !isLarge(file));
  const page = small.slice(0, FIRST_FILES);
  const count = isReading ? countWithin(page, FIRST_BYTES) : 0;
  const shardBytes = catalog.shardBytes(shards);
  const first = page
    .slice(0, count)
    .map((file) => ({ ...file, shard: assignToSmallestShard(shardBytes, file.stamp.size) }));
  // Large ones follow the first page, so that at the end no thread waits for another that began one of them last.
  const changed = [...page.slice(count), ...found.changed.filter(isLarge), ...small.slice(FIRST_FILES)];
  return { ...found, changed, read: first.length === 0 ? [] : scanFiles(first, catalog) };
}

/** How many of these files are together no larger. */
function countWithin(files: readonly FoundFile[], bytes: number): number {
  let room = bytes;
  const beyond = files.findIndex(({ stamp }) => {
    room -= stamp.size;
    return room < 0;
  });
  return beyond < 0 ? files.length : beyond;
}

function isLarge({ stamp }: FoundFile): boolean {
  return stamp.size > LARGE_BYTES;
}

/** Gives so many bytes to where there are the fewest. @returns where that is. */
export function assignToSmallestShard(shardBytes: number[], bytes: number): number {
  const shard = shardBytes.indexOf(Math.min(...shardBytes));
  shardBytes[shard] = (shardBytes[shard] ?? 0) + bytes;
  return shard;
}
