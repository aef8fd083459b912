import { useSyncExternalStore } from "react";

/** A requested export, or what else leaves a session. */
export interface ExportRequest {
  paths: readonly string[];
  /** An entry of the branch that is shown, where it is not the newest. */
  leafId?: string;
  /** Asks which agent goes on with the session, instead of how it is exported. */
  isHandOver?: boolean;
  /** The only session is shared under a link instead. */
  isShared?: boolean;
}

let request: ExportRequest | null = null;
const listeners = new Set<() => void>();

/** Asks how sessions are to be exported. */
export function requestExport(next: ExportRequest | null): void {
  request = next;
  for (const listener of [...listeners]) listener();
}

export function useExportRequest(): ExportRequest | null {
  return useSyncExternalStore(
    (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    () => request,
  );
}
