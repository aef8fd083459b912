import { fstatSync, lstatSync, type Stats } from "node:fs";

/**
 * `lstat` of a path where anything may lie by now.
 *
 * @returns `undefined` where nothing lies there.
 * @throws the file system's error with its `code`.
 */
export function statPath(path: string): Stats | undefined {
  return overwritten(lstatSync(path, { throwIfNoEntry: false }));
}

/** `fstat` of what was opened, whatever it is. */
export function statDescriptor(descriptor: number): Stats {
  return overwritten(fstatSync(descriptor));
}

/**
 * Node 20 remembers the last result of a synchronous `stat`. While that is a pipe or a socket, `realpathSync` stops at
 * the first folder it knows, and a module that is imported next does not find its own dependencies
 * (`lib/fs.js`, "break if a pipe/socket"). Looking at a folder ends that.
 */
function overwritten<Found extends Stats | undefined>(found: Found): Found {
  if (found?.isFIFO() || found?.isSocket()) lstatSync("/");
  return found;
}
