import type { SessionRecord } from "@sm/router/client";
import { useQuery } from "@tanstack/react-query";
import type { LiveSession } from "../agents/use-live-sessions.ts";
import { commandQuery } from "../client/commands.ts";
import { useService } from "../client/service-context.tsx";

/** What an agent does with a session, or how it has ended, as far as that matters in a list. */
export type RowState = "asks" | "running" | "failed" | "aborted";

/**
 * Tells the states of sessions: of an agent that the service knows, otherwise as the file tells it. The service is not
 * asked: the page knows of agents as soon as there are any, since the navigation counts those that wait.
 */
export function useRowStates(): (record: SessionRecord) => RowState | null {
  const { data: byPath } = useQuery({
    ...commandQuery(useService(), "get_coding_live_sessions"),
    enabled: false,
    select: byPathOf,
  });
  return (record) => {
    const session = byPath?.get(record.path);
    const ofAgent = session === undefined ? null : stateOf(session, record.modified_at);
    // While an agent runs, the file tells of the run before.
    return ofAgent ?? (record.is_live ? null : record.outcome);
  };
}

function byPathOf(sessions: readonly LiveSession[]): ReadonlyMap<string, LiveSession> {
  const byPath = new Map<string, LiveSession>();
  // The latest of a session is the first one.
  for (const session of sessions) {
    if (session.session_path !== null && !byPath.has(session.session_path)) byPath.set(session.session_path, session);
  }
  return byPath;
}

/** @param modifiedAt when something was written last: what has gone on since has not ended as it had then. */
export function stateOf(
  { state, outcome }: Pick<LiveSession, "state" | "outcome">,
  modifiedAt: string,
): RowState | null {
  if (state === "waiting") return "asks";
  if (state === "streaming") return "running";
  if (outcome === null || outcome.ended_at < modifiedAt) return null;
  const { result, exit_code } = outcome;
  if (result === "aborted") return "aborted";
  const isFailure = result === "failed" || result === "lost" || (result === "exited" && (exit_code ?? 0) !== 0);
  return isFailure ? "failed" : null;
}
