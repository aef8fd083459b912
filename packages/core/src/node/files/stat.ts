import { fstatSync, lstatSync, type Stats } from "node:fs";

/**
 * `lstat` of an untrusted path.
 *
 * @returns `undefined` if it does not exist.
 * @throws the file system's error with its `code`.
 */
export function statPath(path: string): Stats | undefined {
  return overwritten(lstatSync(path, { throwIfNoEntry: false }));
}

/** `fstat` of an untrusted file. */
export function statDescriptor(descriptor: number): Stats {
  return overwritten(fstatSync(descriptor));
}

/**
 * Works around a bug of Node 20, which caches the result of the last synchronous `stat`. If that is a pipe or a socket,
 * `realpathSync` stops at the first cached folder, and the next imported module does not find its dependencies
 * (`lib/fs.js`, "break if a pipe/socket"). A `stat` of a folder resets it.
 */
function overwritten<Found extends Stats | undefined>(found: Found): Found {
  if (found?.isFIFO() || found?.isSocket()) lstatSync("/");
  return found;
}
