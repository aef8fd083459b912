import { join } from "node:path";
import { createFileSync, isInside, type OpenedFile, openFileSync } from "../files/open-file.ts";

/** A directory that is scanned: `path` as the user knows it, `real` with all links followed. */
export interface SessionRoot {
  path: string;
  real: string;
}

/** Those of this thread; `null` before anybody has looked which directories exist. */
let known: readonly SessionRoot[] | null = null;

/** Says which directories sessions are opened in by this thread from now on. */
export function setSessionRoots(roots: readonly SessionRoot[]): void {
  known = roots;
}

/** Whether the real path of a session is in its directory: links below the directory are rejected. */
export function isSessionPlace(roots: readonly SessionRoot[], path: string, real: string): boolean {
  return roots.some((root) => isInside(path, root.path) && real === join(root.real, path.slice(root.path.length)));
}

/**
 * Opens the file of a session in this thread, see `openFileSync`.
 *
 * @param flags for reading alone if absent.
 */
export function openSessionFile(path: string, flags?: number): OpenedFile {
  return openFileSync(path, isKnownPlace(path), flags);
}

/** Makes the file of a new session, see `createFileSync`. */
export function createSessionFile(path: string, mode: number): OpenedFile {
  return createFileSync(path, isKnownPlace(path), mode);
}

function isKnownPlace(path: string): (real: string) => boolean {
  return (real) => known === null || isSessionPlace(known, path, real);
}
