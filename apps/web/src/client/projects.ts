import type { CommandOutput } from "@sm/router/client";
import { useQuery } from "@tanstack/react-query";
import { useMemo } from "react";
import { useService, useSessions } from "./service-context.tsx";
import type { Sessions } from "./sessions.ts";

/** A directory that sessions belong to. */
export interface Project {
  readonly cwd: string;
  readonly count: number;
}

/** Milliseconds until projects are counted again where the service counts them: what it takes is proportional to all sessions. */
const STALE_MS = 60_000;

/** All projects, the one that was worked in last first; those that the service alone knows follow by number of sessions. */
export function useProjects(): readonly Project[] {
  const { records, isPart } = useSessions();
  const service = useService();
  const { data } = useQuery({
    queryKey: ["projects"],
    queryFn: async ({ signal }) => (await service.call("get_session_stats", {}, { signal })).by_project,
    enabled: isPart,
    staleTime: STALE_MS,
  });
  return useMemo(() => (isPart ? projectsOf(records, data ?? []) : allProjectsOf(records)), [records, isPart, data]);
}

/** Several parts of the page ask for the same ones. */
const known = new WeakMap<Sessions["records"], readonly Project[]>();

function allProjectsOf(records: Sessions["records"]): readonly Project[] {
  const projects = known.get(records) ?? projectsOf(records, []);
  known.set(records, projects);
  return projects;
}

function projectsOf(
  records: Sessions["records"],
  counted: CommandOutput<"get_session_stats">["by_project"],
): Project[] {
  const found = new Map<string, { count: number; modified: string }>();
  for (const { cwd, modified_at } of records.values()) {
    if (cwd === null) continue;
    const project = found.get(cwd);
    if (project === undefined) found.set(cwd, { count: 1, modified: modified_at });
    else {
      project.count += 1;
      if (modified_at > project.modified) project.modified = modified_at;
    }
  }
  for (const { project, sessions } of counted) {
    if (project === null) continue;
    const { count = 0, modified = "" } = found.get(project) ?? {};
    found.set(project, { count: Math.max(count, sessions), modified });
  }
  return [...found]
    .sort(([, a], [, b]) => (a.modified === b.modified ? b.count - a.count : a.modified < b.modified ? 1 : -1))
    .map(([cwd, { count }]) => ({ cwd, count }));
}
