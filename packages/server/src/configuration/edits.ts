import { unwatchFile, watchFile } from "node:fs";

/**
 * Between two looks. The files are looked at and not watched: there are three, any of them and their folders may be
 * missing, and editors put new files in their place. A look costs some microseconds.
 */
const INTERVAL_MS = 2_000;

/** After a start others are in a hurry: the first list of sessions, their reading. */
const FIRST_LOOK_MS = 1_000;

/** Calls back soon, for what was edited before, and when somebody has written, made, moved or removed one of these files; returns a function that ends it. */
export function watchEdits(paths: readonly string[], onEdit: () => void): () => void {
  const firstLook = setTimeout(onEdit, FIRST_LOOK_MS).unref();
  for (const path of paths) watchFile(path, { interval: INTERVAL_MS, persistent: false }, onEdit);
  return () => {
    clearTimeout(firstLook);
    for (const path of paths) unwatchFile(path, onEdit);
  };
}
