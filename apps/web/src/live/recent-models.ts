import { useMemo } from "react";
import { useSessions } from "../client/service-context.tsx";

/** A reasonable number to look through. */
const MOST = 20;

/** Models that sessions of the agent have used, the last one first. */
export function useRecentModels(): readonly string[] {
  const { records } = useSessions();
  return useMemo(() => {
    const sessions = [...records.values()].filter(({ format }) => format === "pi");
    sessions.sort((a, b) => (a.modified_at < b.modified_at ? 1 : -1));
    return [...new Set(sessions.flatMap(({ models }) => models.toReversed()))].slice(0, MOST);
  }, [records]);
}
