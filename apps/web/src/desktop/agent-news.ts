import { type AgentNews, newsOfAgent } from "@sm/core";
import type { LiveSession } from "../agents/use-live-sessions.ts";

export type AgentState = LiveSession["state"];

/** The states of agents, by session. */
export function agentStates(sessions: readonly LiveSession[]): ReadonlyMap<string, AgentState> {
  return new Map(sessions.map(({ session_id, state }) => [session_id, state]));
}

/** Tells what is new since the states were these. An agent that was not there before has done nothing yet. */
export function agentNews<Session extends Pick<LiveSession, "session_id" | "state" | "outcome">>(
  before: ReadonlyMap<string, AgentState>,
  sessions: readonly Session[],
): { session: Session; news: AgentNews }[] {
  return sessions.flatMap((session) => {
    const news = newsOfAgent(before.get(session.session_id) ?? "idle", session);
    return news === null ? [] : [{ session, news }];
  });
}
