import { useMemo } from "react";
import { useIsHub, useMayChange } from "../client/hub.ts";
import { useSessions } from "../client/service-context.tsx";

/** Working directories of one's own sessions, found once for each state of the list. */
function useOwnProjects(): ReadonlySet<string> {
  const isHub = useIsHub();
  const { records } = useSessions();
  return useMemo(() => {
    if (!isHub) return NONE;
    return new Set([...records.values()].flatMap(({ owner, cwd }) => (owner === null && cwd !== null ? cwd : [])));
  }, [isHub, records]);
}

const NONE: ReadonlySet<string> = new Set();

/** Whether the user can share a project: only on a hub, only one of their own, and no reader. */
export function useIsShareable(project: string | null): boolean {
  const isHub = useIsHub();
  const own = useOwnProjects();
  const mayChange = useMayChange();
  const { isPart } = useSessions();
  // Of very many sessions not all are here; the service knows.
  return isHub && project !== null && mayChange && (isPart || own.has(project));
}
