import { CommandError, type CommandOutput } from "@sm/router/client";
import { type UseQueryResult, useQuery, useQueryClient } from "@tanstack/react-query";
import { useEffect } from "react";
import { commandKey, commandQuery } from "../client/commands.ts";
import { reload } from "../client/reload.ts";
import { useService } from "../client/service-context.tsx";

export type LiveSession = CommandOutput<"get_coding_live_sessions">[number];

/** The query of all live sessions. */
export const LIVE_SESSIONS = commandKey("get_coding_live_sessions", {});

/**
 * The agents that run, the one that said something last first; kept up to date.
 *
 * @param isAsked whether the service is asked for them.
 */
export function useLiveSessions({ isAsked = true } = {}): UseQueryResult<LiveSession[]> {
  const service = useService();
  const queries = useQueryClient();
  useEffect(() => {
    if (!isAsked) return;
    const stream = service.events({
      topics: ["live"],
      onEvent(event) {
        if (event.event === "hello" || event.event === "terminal-changed") return;
        if (event.event !== "live-session") return void reload(queries, LIVE_SESSIONS);
        const { session_id, state } = event.payload;
        // What it waits for comes with the list.
        if (state !== "waiting") {
          queries.setQueryData<LiveSession[]>(LIVE_SESSIONS, (sessions) =>
            sessions?.map((one) => (one.session_id === session_id ? { ...one, state } : one)),
          );
        }
        // The state is not all that may have changed. An answer under way may have the former one.
        void queries.invalidateQueries({ queryKey: LIVE_SESSIONS });
      },
    });
    return () => stream.close();
  }, [service, queries, isAsked]);
  return useQuery({
    ...commandQuery(service, "get_coding_live_sessions"),
    select: newestFirst,
    enabled: isAsked,
    // Agents in users' own terminals start and end without events.
    refetchOnMount: "always",
    refetchOnWindowFocus: "always",
    // A program that is missing does not come by itself.
    retry: (failures, error) => failures < 2 && !(error instanceof CommandError),
  });
}

/** Puts what a command has answered about a session into the list, before the list is loaded again. */
export function useLiveSessionUpdate(): (session: LiveSession) => void {
  const queries = useQueryClient();
  return (session) => {
    queries.setQueryData<LiveSession[]>(LIVE_SESSIONS, (sessions) =>
      sessions === undefined
        ? undefined
        : [session, ...sessions.filter(({ session_id }) => session_id !== session.session_id)],
    );
    void queries.invalidateQueries({ queryKey: LIVE_SESSIONS });
  };
}

function newestFirst(sessions: LiveSession[]): LiveSession[] {
  const rank = ({ state, controllable }: LiveSession) => (state === "exited" ? 2 : controllable ? 0 : 1);
  return sessions.toSorted((a, b) => rank(a) - rank(b) || (a.started_at < b.started_at ? 1 : -1));
}
