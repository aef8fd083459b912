import { optimizeAsUsual, putOffOptimizing } from "../threads/optimizing.ts";
import type { FileToScan, FoundFile, ScannedFile, Tasks, WalkResult } from "../threads/tasks.ts";
import type { Catalog } from "./catalog.ts";
import { scanFiles } from "./scanner.ts";

/** Files of a first page, and how large they are together at most: a tenth of a second of reading. */
const FIRST_FILES = 50;
const FIRST_BYTES = 32 * 1024 * 1024;
/** A file that takes longer than the rest of a first page. */
export const LARGE_BYTES = 2 * 1024 * 1024;

/**
 * Reads the records of the newest files that a comparison has found, for which somebody is waiting: in one go, and without
 * a word to the main thread in between, which is busy in a start.
 *
 * @param shards text databases, of which each new session gets the one with the fewest bytes.
 */
export function readFirstPage(found: WalkResult, catalog: Catalog, shards: number): Tasks["walk"]["output"] {
  const shardBytes = catalog.shardBytes(shards);
  const first: FileToScan[] = [];
  const others: FoundFile[] = [];
  let room = FIRST_BYTES;
  for (const file of found.changed) {
    const { size } = file.stamp;
    if (isLarge(file) || size > room || first.length === FIRST_FILES) others.push(file);
    else {
      room -= size;
      first.push({ ...file, shard: leastOf(shardBytes, size) });
    }
  }
  return { ...found, changed: others, read: read(first, catalog) };
}

function read(files: FileToScan[], catalog: Catalog): ScannedFile[] {
  if (files.length === 0) return [];
  putOffOptimizing();
  try {
    return scanFiles(files, catalog);
  } finally {
    optimizeAsUsual();
  }
}

/** The large ones first, so that at the end no thread waits for another that began one of them last. */
export function largeFirst(files: readonly FoundFile[]): FoundFile[] {
  return [...files.filter(isLarge), ...files.filter((file) => !isLarge(file))];
}

function isLarge({ stamp }: FoundFile): boolean {
  return stamp.size > LARGE_BYTES;
}

/** Gives so many bytes to where there are the fewest. @returns where that is. */
export function leastOf(shardBytes: number[], bytes: number): number {
  const shard = shardBytes.indexOf(Math.min(...shardBytes));
  shardBytes[shard] = (shardBytes[shard] ?? 0) + bytes;
  return shard;
}
