import { useSyncExternalStore } from "react";

/** Sessions that are gone from the list and can still be had back: the service is only told when that is over. */
const pending = new Set<string>();
const listeners = new Set<() => void>();
let snapshot: ReadonlySet<string> = new Set();

export function hideSessions(paths: readonly string[]): void {
  for (const path of paths) pending.add(path);
  tell();
}

export function showSessions(paths: readonly string[]): void {
  for (const path of paths) pending.delete(path);
  tell();
}

/** Paths of the sessions that are about to be deleted. */
export function useHiddenSessions(): ReadonlySet<string> {
  return useSyncExternalStore(subscribe, () => snapshot);
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

function tell(): void {
  snapshot = new Set(pending);
  for (const listener of [...listeners]) listener();
}
