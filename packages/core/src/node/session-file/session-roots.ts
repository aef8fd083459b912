import { join } from "node:path";
import { createFileSync, isInside, type OpenedFile, openFileSync } from "../files/open-file.ts";

/** A scanned directory: `path` as configured, `real` with links resolved. */
export interface SessionRoot {
  path: string;
  real: string;
}

/** Where sessions are. */
export interface SessionPlaces {
  /** Directories in which session files may be opened. */
  roots: readonly SessionRoot[];
  /** Path of the vault's database, which may be missing; `null` without a vault. */
  vault: string | null;
}

/** Directories of this thread; `null` before they were determined. */
let known: readonly SessionRoot[] | null = null;

/** Sets the directories in which this thread may open sessions. */
export function setSessionRoots(roots: readonly SessionRoot[]): void {
  known = roots;
}

/** Whether the real path of a session is in its directory: links below the directory are rejected. */
export function isSessionPlace(roots: readonly SessionRoot[], path: string, real: string): boolean {
  return roots.some((root) => isInside(path, root.path) && real === join(root.real, path.slice(root.path.length)));
}

/**
 * Opens a session file in this thread, see `openFileSync`.
 *
 * @param flags default: read-only.
 */
export function openSessionFile(path: string, flags?: number): OpenedFile {
  return openFileSync(path, isKnownPlace(path), flags);
}

/** Creates the file of a new session, see `createFileSync`. */
export function createSessionFile(path: string, mode: number): OpenedFile {
  return createFileSync(path, isKnownPlace(path), mode);
}

function isKnownPlace(path: string): (real: string) => boolean {
  return (real) => known === null || isSessionPlace(known, path, real);
}
