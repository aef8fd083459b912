import type { SessionRecord } from "@sm/router/client";
import { useMemo } from "react";
import { useSessions } from "../client/service-context.tsx";

/** The sessions that their agents will delete soon. */
export function useExpiringSessions(): readonly SessionRecord[] {
  const { records } = useSessions();
  return useMemo(() => [...records.values()].filter(({ expires_at }) => expires_at !== null), [records]);
}
