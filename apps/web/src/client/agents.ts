import { agentName } from "@sm/core";
import type { SessionRecord } from "@sm/router/client";
import { useQuery } from "@tanstack/react-query";
import { useMemo } from "react";
import { commandQuery } from "./commands.ts";
import { useService, useSessions } from "./service-context.tsx";

/** An agent that has written sessions of the library. */
export interface AgentInLibrary {
  readonly format: string;
  readonly name: string;
}

const NONE: readonly AgentInLibrary[] = [];

/** The agents of the library, that with the most sessions first; none where all sessions are of one agent. */
export function useAgents(): readonly AgentInLibrary[] {
  const { records, isPart } = useSessions();
  const { data } = useQuery({ ...commandQuery(useService(), "get_agent_homes"), enabled: isPart });
  return useMemo(() => {
    const counts = new Map(countsIn(records));
    // The newest sessions may be of one agent alone.
    const others = isPart ? (data ?? []) : [];
    for (const { agent, sessions } of others) {
      if (sessions > 0 && agent !== WRITES_PIS_FORMAT) counts.set(agent, Math.max(sessions, counts.get(agent) ?? 0));
    }
    if (counts.size < 2) return NONE;
    return [...counts].sort(([, a], [, b]) => b - a).map(([format]) => ({ format, name: agentName(format) }));
  }, [records, isPart, data]);
}

/** Its sessions are counted with those of pi. */
const WRITES_PIS_FORMAT = "omp";

/** Counted once for all who ask: there is a new map for every change. */
const counted = new WeakMap<ReadonlyMap<string, SessionRecord>, ReadonlyMap<string, number>>();

function countsIn(records: ReadonlyMap<string, SessionRecord>): ReadonlyMap<string, number> {
  const known = counted.get(records);
  if (known !== undefined) return known;
  const counts = new Map<string, number>();
  for (const { format } of records.values()) counts.set(format, (counts.get(format) ?? 0) + 1);
  counted.set(records, counts);
  return counts;
}
