import { type LineCounts, readDiff, sumOf } from "../changes/recorded-diff.ts";

/** Of a diff, as much is looked through. */
const MOST_OF_DIFF = 1_000_000;

/**
 * Counts the changed lines in a diff, by path; those without one are of the path `""`. A moved file has both of its
 * paths.
 */
export function lineChanges(diff: string): Map<string, LineCounts> {
  const changes = new Map<string, LineCounts>();
  for (const { path, movedTo, hunks } of readDiff(diff.slice(0, MOST_OF_DIFF))) {
    if (hunks.length === 0) continue;
    for (const name of movedTo === null ? [path ?? ""] : [path ?? "", movedTo]) {
      const known = changes.get(name);
      changes.set(name, sumOf(known === undefined ? hunks : [known, ...hunks]));
    }
  }
  return changes;
}

/** The changes of a file, whose path may be written from another folder on than that in the diff. */
export function changesOf(file: string, changes: ReadonlyMap<string, LineCounts>): LineCounts | null {
  const own = changes.get(file);
  if (own !== undefined) return own;
  for (const [path, counted] of changes) {
    if (path.endsWith(`/${file}`) || file.endsWith(`/${path}`)) return counted;
  }
  return null;
}
