import type { LiveSession, LiveState } from "./live-sessions.ts";

/** An event of an agent that its user may be waiting for. */
export type AgentNews = "asks" | "finished" | "failed" | "ended";

/** Tells what is new of an agent whose state was `before`; `null` for nothing, or what its user knows. */
export function newsOfAgent(before: LiveState, now: Pick<LiveSession, "state" | "outcome">): AgentNews | null {
  if (before === now.state) return null;
  if (now.state === "waiting") return "asks";
  // Who has answered its question, or stopped it, knows.
  if (before !== "streaming" || now.outcome?.result === "aborted") return null;
  if (now.state !== "idle") return "ended";
  return now.outcome?.result === "failed" ? "failed" : "finished";
}
