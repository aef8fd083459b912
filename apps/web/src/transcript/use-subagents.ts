import type { SessionRecord } from "@sm/router/client";
import { useEffect, useMemo } from "react";
import { useSessionStore, useSessions } from "../client/service-context.tsx";

/** Finds the sessions of agents that a session has started, by ID or path, once they are loaded. */
export function useSubagents(record: SessionRecord | null): (reference: string) => SessionRecord | null {
  const store = useSessionStore();
  const { subagents } = useSessions();
  // Agents that one of them starts may lie beside it.
  const own = record !== null && record.subagent_count > 0 ? record.path : null;
  const parent = record?.relation === "subagent" ? record.parent_session_path : null;
  useEffect(() => {
    for (const path of [own, parent]) {
      // Without them, calls are shown without where they lead to.
      if (path !== null) store.loadSubagents(path).catch(() => undefined);
    }
  }, [own, parent, store]);
  return useMemo(() => {
    const found = new Map<string, SessionRecord>();
    for (const one of subagents.values()) {
      const { id, path, parent_session_path: of } = one;
      if (of !== null && path !== record?.path && (of === own || of === parent)) found.set(id, one).set(path, one);
    }
    return (reference) => found.get(reference) ?? null;
  }, [subagents, own, parent, record?.path]);
}
