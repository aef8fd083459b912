import { describe, expect, it } from "vitest";
import { type AgentNews, type AgentState, agentNews } from "./agent-news.ts";

const session = (session_id: string, state: AgentState) => ({ session_id, state });

describe("agentNews", () => {
  it.each<[before: AgentState | null, now: AgentState, news: AgentNews | null]>([
    ["streaming", "idle", "finished"],
    ["streaming", "waiting", "asks"],
    ["streaming", "exited", "ended"],
    ["streaming", "streaming", null],
    ["idle", "streaming", null],
    ["idle", "waiting", "asks"],
    ["idle", "exited", null],
    ["idle", "idle", null],
    ["waiting", "waiting", null],
    ["waiting", "streaming", null],
    ["waiting", "idle", null],
    ["waiting", "exited", null],
    ["exited", "exited", null],
    ["exited", "streaming", null],
    [null, "idle", null],
    [null, "streaming", null],
    [null, "waiting", "asks"],
    [null, "exited", null],
  ])("from %s to %s: %s", (before, now, news) => {
    const states = new Map(before === null ? [] : [["a", before]]);
    const told = agentNews(states, [session("a", now)]);
    expect(told).toEqual(news === null ? [] : [{ session: session("a", now), news }]);
  });

  it("tells of each agent by itself, and nothing of those that are gone", () => {
    const states = new Map<string, AgentState>([
      ["a", "streaming"],
      ["b", "streaming"],
      ["c", "streaming"],
    ]);
    const told = agentNews(states, [session("b", "waiting"), session("c", "streaming"), session("d", "idle")]);
    expect(told).toEqual([{ session: session("b", "waiting"), news: "asks" }]);
  });
});
