import type { LiveSession } from "../agents/use-live-sessions.ts";

export type AgentState = LiveSession["state"];

/** An event of an agent that the user may be waiting for. */
export type AgentNews = "finished" | "asks" | "ended";

/** The states of agents, by session. */
export function agentStates(sessions: readonly LiveSession[]): ReadonlyMap<string, AgentState> {
  return new Map(sessions.map(({ session_id, state }) => [session_id, state]));
}

/** Tells what is new since the states were these. An agent that was not there before has done nothing yet. */
export function agentNews<Session extends Pick<LiveSession, "session_id" | "state">>(
  before: ReadonlyMap<string, AgentState>,
  sessions: readonly Session[],
): { session: Session; news: AgentNews }[] {
  return sessions.flatMap((session) => {
    const news = newsOf(before.get(session.session_id) ?? "idle", session.state);
    return news === null ? [] : [{ session, news }];
  });
}

function newsOf(before: AgentState, now: AgentState): AgentNews | null {
  if (before === now) return null;
  if (now === "waiting") return "asks";
  // Who has answered its question, or stopped it while it did nothing, knows.
  if (before !== "streaming") return null;
  return now === "idle" ? "finished" : "ended";
}
