import { useMemo } from "react";
import { useSessions } from "../client/service-context.tsx";

/** A reasonable number to look through. */
const MOST = 50;

/** Folders that sessions have worked in, the last one first. */
export function useRecentProjects(): readonly string[] {
  const { records } = useSessions();
  return useMemo(() => {
    const modified = new Map<string, string>();
    for (const { cwd, modified_at } of records.values()) {
      if (cwd !== null && modified_at > (modified.get(cwd) ?? "")) modified.set(cwd, modified_at);
    }
    return [...modified]
      .sort(([, a], [, b]) => (a < b ? 1 : -1))
      .slice(0, MOST)
      .map(([cwd]) => cwd);
  }, [records]);
}
