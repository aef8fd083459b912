import { useSyncExternalStore } from "react";

let project: string | null = null;
const listeners = new Set<() => void>();

/** Asks with whom a project is to be shared; `null`: no longer. */
export function requestProjectShare(next: string | null): void {
  project = next;
  for (const listener of [...listeners]) listener();
}

/** The project that was asked for. */
export function useProjectShareRequest(): string | null {
  return useSyncExternalStore(
    (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    () => project,
  );
}
