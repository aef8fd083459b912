import { describe, expect, it } from "vitest";
import { type AgentNews, newsOfAgent } from "./agent-news.ts";
import type { LiveOutcome, LiveState } from "./live-sessions.ts";

describe("newsOfAgent", () => {
  it.each<[before: LiveState, now: LiveState, result: LiveOutcome["result"] | null, news: AgentNews | null]>([
    ["streaming", "idle", "finished", "finished"],
    ["streaming", "idle", null, "finished"],
    ["streaming", "idle", "failed", "failed"],
    ["streaming", "idle", "aborted", null],
    ["streaming", "waiting", null, "asks"],
    ["streaming", "exited", "exited", "ended"],
    ["streaming", "exited", "lost", "ended"],
    ["streaming", "exited", "aborted", null],
    ["streaming", "streaming", null, null],
    ["idle", "streaming", null, null],
    ["idle", "waiting", null, "asks"],
    ["idle", "waiting", "aborted", "asks"],
    ["idle", "exited", "exited", null],
    ["idle", "idle", "finished", null],
    ["waiting", "waiting", null, null],
    ["waiting", "streaming", null, null],
    ["waiting", "idle", "finished", null],
    ["waiting", "exited", "exited", null],
    ["exited", "exited", "exited", null],
    ["exited", "streaming", null, null],
  ])("from %s to %s with the result %s: %s", (before, state, result, news) => {
    const outcome = result === null ? null : { result, error: null, exit_code: null, ended_at: "2026-03-01T10:00:00Z" };
    expect(newsOfAgent(before, { state, outcome })).toBe(news);
  });
});
