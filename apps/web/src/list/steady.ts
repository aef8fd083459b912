import type { SessionRecord } from "@sm/router/client";

/** The list as displayed while the user is about to click. */
export interface SteadyList {
  sessions: readonly SessionRecord[];
  /** How many wait to be shown. */
  held: number;
}

/**
 * Keeps every row where it is: what has changed changes in place, what is gone keeps its place, what is new waits,
 * unless it comes after all others.
 */
export function keepSteady(shown: readonly SessionRecord[], next: readonly SessionRecord[]): SteadyList {
  const newest = new Map(next.map((record) => [record.path, record]));
  const kept = shown.map((record) => newest.get(record.path) ?? record);
  const isShown = new Set(shown.map(({ path }) => path));
  const lastShown = next.findLastIndex(({ path }) => isShown.has(path));
  const added = next.slice(lastShown + 1);
  const held = next.slice(0, lastShown + 1).filter(({ path }) => !isShown.has(path)).length;
  return { sessions: [...kept, ...added], held };
}
