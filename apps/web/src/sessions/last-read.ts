import { useEffect } from "react";
import { createPreference } from "../browser/preference.ts";

/** More than are shown: some may be gone. */
const MOST = 12;

/** Paths of the sessions that were open, the latest first. */
export const lastRead = createPreference<readonly string[]>("last-read", [], (stored) =>
  Array.isArray(stored) ? stored.filter((path) => typeof path === "string").slice(0, MOST) : [],
);

/** Remembers that a session was open. */
export function useRememberRead(path: string | null): void {
  useEffect(() => {
    if (path === null) return;
    lastRead.set([path, ...lastRead.get().filter((one) => one !== path)].slice(0, MOST));
  }, [path]);
}
