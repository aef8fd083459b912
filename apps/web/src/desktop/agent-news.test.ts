import { describe, expect, it } from "vitest";
import { type AgentState, agentNews } from "./agent-news.ts";

const session = (session_id: string, state: AgentState) => ({ session_id, state, outcome: null });

describe("agentNews", () => {
  it("tells of each agent by itself, and nothing of those that are gone", () => {
    const states = new Map<string, AgentState>([
      ["a", "streaming"],
      ["b", "streaming"],
      ["c", "streaming"],
    ]);
    const told = agentNews(states, [session("b", "waiting"), session("c", "streaming"), session("d", "idle")]);
    expect(told).toEqual([{ session: session("b", "waiting"), news: "asks" }]);
  });

  it("takes one that was not there before for one that has done nothing", () => {
    const told = agentNews(new Map(), [session("a", "idle"), session("b", "waiting"), session("c", "exited")]);
    expect(told).toEqual([{ session: session("b", "waiting"), news: "asks" }]);
  });
});
